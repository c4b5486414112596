//! Translates the rules of the suite into hooks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hookc_schema::tree::{
    Action, Cond, CondKind, DurationUnit, EventPattern, Extent, Family, Hook, Leaf, Op, OutcomeWord, Path,
    PathKind, Policy, Recall, RecallOperator, Right, Section, Selection, Step, UncomparedSpan,
};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{SourceId, Span, Spanned};

use super::read::{Aggregate, Atom, Expr, Rule, Schema, Term};

type Result<T> = std::result::Result<T, String>;
type Names = Vec<String>;

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn cond(kind: CondKind) -> Cond {
    Cond { span: Span::default(), kind }
}

fn every(mut conds: Vec<Cond>) -> Cond {
    if conds.len() == 1 { conds.remove(0) } else { cond(CondKind::All(conds.into())) }
}

fn not(inner: Cond) -> Cond {
    match inner.kind {
        CondKind::Not(inner) => Cond::clone(&inner),
        CondKind::Const(truth) => cond(CondKind::Const(!truth)),
        _ => cond(CondKind::Not(Arc::new(inner))),
    }
}

fn path(names: &[String]) -> Path {
    let steps = names.iter().map(|name| Step::Name(name.clone())).collect();
    Path { span: Span::default(), text: "".into(), kind: PathKind::Short(steps) }
}

fn leaf(path: Path, op: Op, right: Right) -> Cond {
    cond(CondKind::Leaf(Arc::new(Leaf { path, op: at(op), right, ignore_case: None, assert_format: None })))
}

fn value(json: &serde_json::Value) -> Value {
    let kind = match json {
        serde_json::Value::Null => Kind::Null,
        serde_json::Value::Bool(truth) => Kind::Bool(*truth),
        serde_json::Value::Number(number) => Kind::Num(Number(number.to_string())),
        serde_json::Value::String(text) => Kind::Str(Text::plain(text)),
        serde_json::Value::Array(items) => Kind::Seq(items.iter().map(value).collect()),
        serde_json::Value::Object(members) => {
            let member = |(key, one): (&String, &serde_json::Value)| Member {
                key: at(key.clone()),
                value: value(one),
            };
            Kind::Map(members.iter().map(member).collect())
        }
    };
    Value::new(kind, Span::default())
}

fn operator(sign: &str, is_turned: bool) -> Op {
    match (sign, is_turned) {
        ("==", _) => Op::Eq,
        ("!=", _) => Op::Ne,
        ("<", false) | (">", true) => Op::Lt,
        ("<=", false) | (">=", true) => Op::Lte,
        (">", false) | ("<", true) => Op::Gt,
        _ => Op::Gte,
    }
}

/// The hooks of rules, and the declarations of all types of events.
pub(crate) fn policy(rules: &[Rule], schema: &Schema, events: &BTreeSet<String>) -> Result<Policy> {
    let mut policy = Policy::empty(SourceId(0));
    let declaration = serde_json::json!({"schema": true});
    let declared: serde_json::Map<String, serde_json::Value> =
        events.iter().map(|event| (event.clone(), declaration.clone())).collect();
    policy.declarations.events = Some(value(&declared.into()));
    let request = vec!["request".to_owned()];
    let deciding = if schema.deciding.is_empty() { &request } else { &schema.deciding };
    for rule in rules {
        let mut translator = Translator { schema, known: Vec::new(), bound: BTreeMap::new() };
        let condition = translator.cond(&rule.condition, 0)?;
        let names: Vec<String> = match &rule.action {
            Some(action) => deciding.iter().map(|kind| format!("{action}_{kind}")).collect(),
            None => events
                .iter()
                .filter(|event| deciding.iter().any(|kind| event.ends_with(kind)))
                .cloned()
                .collect(),
        };
        policy.hooks.push(hook(rule, names, condition));
    }
    Ok(policy)
}

fn hook(rule: &Rule, names: Vec<String>, condition: Cond) -> Hook {
    let kind = if rule.permits { "allow" } else { "deny" };
    let params = if rule.permits { vec![] } else { vec![(at("reason".to_owned()), value(&"no".into()))] };
    let span = UncomparedSpan::default();
    Hook {
        span,
        id: None,
        events: names.into_iter().map(at).collect(),
        family: Family::Thread,
        section: Section::Hooks,
        priority: None,
        enabled: None,
        mode: None,
        condition: Some(condition),
        action: Action { span, kind: at(kind.to_owned()), params, templates: true },
        on_error: None,
        on_failure: None,
        description: None,
        examples: Vec::new(),
        effects: Vec::new(),
    }
}

struct Translator<'p> {
    schema: &'p Schema,
    /// Which fields of the events of the selections around are equal to fields of the current event.
    known: Vec<BTreeMap<Names, Names>>,
    /// Variables, with the selection and the field that they are.
    bound: BTreeMap<String, (usize, Names)>,
}

/// The conjuncts of an expression.
fn parts(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::All(all) => all.iter().flat_map(parts).collect(),
        other => vec![other.clone()],
    }
}

fn is_temporal(expr: &Expr) -> bool {
    match expr {
        Expr::Formerly(..) | Expr::Previous(..) | Expr::Since(..) => true,
        Expr::Not(inner) | Expr::Exists(_, inner) => is_temporal(inner),
        Expr::All(all) | Expr::Any(all) => all.iter().any(is_temporal),
        Expr::Atom(_) | Expr::Compare(..) | Expr::At(_) => false,
    }
}

/// How often a variable is in an expression.
fn uses(expr: &Expr, name: &str) -> usize {
    let term = |term: &Term| match term {
        Term::Variable(variable) => usize::from(variable == name),
        Term::Aggregate(aggregate) => uses(&aggregate.body, name),
        _ => 0,
    };
    match expr {
        Expr::All(all) | Expr::Any(all) => all.iter().map(|one| uses(one, name)).sum(),
        Expr::Not(inner) | Expr::Exists(_, inner) | Expr::Formerly(_, inner) | Expr::Previous(_, inner) => {
            uses(inner, name)
        }
        Expr::Since(left, _, right) => uses(left, name) + uses(right, name),
        Expr::Atom(atom) => atom.fields.iter().map(|(_, one)| term(one)).sum(),
        Expr::Compare(left, _, right) => term(left) + term(right),
        Expr::At(variable) => usize::from(variable == name),
    }
}

/// The field of an event that a variable is.
fn field_of(parts: &[Expr], name: &str) -> Option<Names> {
    parts.iter().find_map(|part| match part {
        Expr::Atom(atom) => {
            let field = atom.fields.iter().find(|(_, term)| *term == Term::Variable(name.to_owned()));
            field.map(|(path, _)| path.clone())
        }
        _ => None,
    })
}

/// Whether an expression only tests the current event.
fn is_current(expr: &Expr) -> bool {
    let is_simple = |term: &Term| matches!(term, Term::Value(_) | Term::Current(_));
    match expr {
        Expr::Compare(left, _, right) => is_simple(left) && is_simple(right),
        Expr::Not(inner) => is_current(inner),
        _ => false,
    }
}

impl Translator<'_> {
    /// The path of a field of the current event, seen from inside of so many selections.
    fn current(&self, names: &Names, level: usize) -> Result<Path> {
        Ok(match level.checked_sub(1) {
            None => path(names),
            Some(0) => path(&below_now(names)),
            Some(outer) => {
                let known = self.known.get(outer - 1).and_then(|known| known.get(names));
                path(&below_now(known.ok_or("a join with the current event")?))
            }
        })
    }

    fn variable(&self, name: &str, level: usize) -> Result<Path> {
        match self.bound.get(name) {
            Some((at, names)) if *at == level => Ok(path(names)),
            Some((at, names)) if at + 1 == level => Ok(path(&below_now(names))),
            Some(_) => Err("a join over two selections".to_owned()),
            None => Err(format!("the variable {name}")),
        }
    }

    pub(crate) fn cond(&mut self, expr: &Expr, level: usize) -> Result<Cond> {
        match expr {
            Expr::At(_) if level == 0 => Ok(cond(CondKind::Const(true))),
            Expr::At(_) => Err("a time point of a past event".to_owned()),
            Expr::All(_) => self.all(parts(expr), level),
            Expr::Any(all) => {
                let conds: Result<Vec<Cond>> = all.iter().map(|one| self.cond(one, level)).collect();
                Ok(cond(CondKind::Any(conds?.into())))
            }
            Expr::Not(inner) => {
                let bound = self.bound.clone();
                let inner = self.cond(inner, level)?;
                self.bound = bound;
                Ok(not(inner))
            }
            Expr::Atom(atom) => {
                let mut conds = vec![is_event(&atom.event)];
                conds.extend(self.fields(atom, level)?);
                Ok(every(conds))
            }
            Expr::Compare(left, sign, right) => self.compare(left, sign, right, level),
            Expr::Exists(name, body) => self.exists(name, body, level),
            Expr::Formerly(..) | Expr::Previous(..) | Expr::Since(..) => self.temporal(expr, level),
        }
    }

    /// Conjuncts: those that bind variables first.
    fn all(&mut self, mut parts: Vec<Expr>, level: usize) -> Result<Cond> {
        parts.sort_by_key(|part| (!matches!(part, Expr::Atom(_)), is_temporal(part)));
        let conds: Result<Vec<Cond>> = parts.iter().map(|part| self.cond(part, level)).collect();
        Ok(every(conds?))
    }

    fn fields(&mut self, atom: &Atom, level: usize) -> Result<Vec<Cond>> {
        let kind = atom.event.rsplit('_').next().unwrap_or_default();
        let pins = self.schema.pins.iter().filter(|(pinned, ..)| pinned == kind);
        let pins: Vec<(Names, Term)> = pins.map(|(_, path, term)| (path.clone(), term.clone())).collect();
        let mut conds = Vec::new();
        for (names, term) in atom.fields.iter().chain(&pins) {
            let right = match term {
                Term::Anything => continue,
                Term::Value(json) => Right::Value(value(json).into()),
                Term::Current(current) => {
                    if let Some(known) = level.checked_sub(1).and_then(|at| self.known.get_mut(at)) {
                        known.entry(current.clone()).or_insert_with(|| names.clone());
                    }
                    Right::Path(self.current(current, level)?)
                }
                Term::Variable(name) if !self.bound.contains_key(name) => {
                    self.bound.insert(name.clone(), (level, names.clone()));
                    continue;
                }
                Term::Variable(name) => Right::Path(self.variable(name, level)?),
                Term::Aggregate(_) | Term::Field(_) => return Err("an aggregate in a field".to_owned()),
            };
            conds.push(leaf(path(names), Op::Eq, right));
        }
        Ok(conds)
    }

    fn compare(&mut self, left: &Term, sign: &str, right: &Term, level: usize) -> Result<Cond> {
        match (left, right) {
            (Term::Aggregate(left), right) => self.aggregate(left, operator(sign, false), right, level),
            (left, Term::Aggregate(right)) => self.aggregate(right, operator(sign, true), left, level),
            (Term::Value(left), right) => {
                let path = self.term(right, level)?;
                Ok(leaf(path, operator(sign, true), Right::Value(value(left).into())))
            }
            (left, Term::Value(right)) => {
                let path = self.term(left, level)?;
                Ok(leaf(path, operator(sign, false), Right::Value(value(right).into())))
            }
            (left, right) => {
                let (left, right) = (self.term(left, level)?, self.term(right, level)?);
                Ok(leaf(left, operator(sign, false), Right::Path(right)))
            }
        }
    }

    fn term(&self, term: &Term, level: usize) -> Result<Path> {
        match term {
            Term::Current(names) => self.current(names, level),
            Term::Field(names) => Ok(path(names)),
            Term::Variable(name) => self.variable(name, level),
            Term::Value(_) | Term::Aggregate(_) | Term::Anything => Err("no path".to_owned()),
        }
    }

    fn exists(&mut self, name: &str, body: &Expr, level: usize) -> Result<Cond> {
        let mut all = parts(body);
        let named = Term::Variable(name.to_owned());
        let is_value = |part: &Expr| matches!(part, Expr::Compare(Term::Aggregate(_), sign, term) if sign == "==" && *term == named);
        if let Some(at) = all.iter().position(is_value) {
            let Expr::Compare(aggregate, ..) = all.remove(at) else { return Err("a value".to_owned()) };
            let replaced = |term: Term| if term == named { aggregate.clone() } else { term };
            let replace = |part: Expr| match part {
                Expr::Compare(left, sign, right) => Expr::Compare(replaced(left), sign, replaced(right)),
                other => other,
            };
            return self.all(all.into_iter().map(replace).collect(), level);
        }
        if field_of(&all, name).is_none() {
            let (inside, others): (Vec<Expr>, Vec<Expr>) =
                all.into_iter().partition(|part| uses(part, name) > 0);
            let (temporal, tests): (Vec<Expr>, Vec<Expr>) = inside.into_iter().partition(is_temporal);
            let mut moved = match temporal.as_slice() {
                [Expr::Formerly(within, inner)] => {
                    let inner = std::iter::once(Expr::clone(inner)).chain(tests).collect();
                    vec![Expr::Formerly(*within, Box::new(Expr::All(inner)))]
                }
                [Expr::Since(left, _, right)] if uses(left, name) > 0 && uses(right, name) > 0 => {
                    return Err("a binder over since".to_owned());
                }
                [one] if tests.is_empty() => vec![one.clone()],
                _ => return Err("a join of two past events".to_owned()),
            };
            moved.extend(others);
            all = moved;
        }
        self.all(all, level)
    }

    /// An operator over the past.
    fn temporal(&mut self, expr: &Expr, level: usize) -> Result<Cond> {
        if let Expr::Since(left, within, right) = expr
            && !matches!(**left, Expr::Not(_))
        {
            let (current, past): (Vec<Expr>, Vec<Expr>) = parts(left).into_iter().partition(is_current);
            if !current.is_empty() {
                // Where the test of the current event fails, no event is on the left side.
                let test = self.all(current, level)?;
                let since = |left| Expr::Since(Box::new(left), *within, right.clone());
                let holds = self.temporal(&since(Expr::All(past)), level)?;
                let fails = self.temporal(&since(Expr::Any(Vec::new())), level)?;
                let cases = [every(vec![test.clone(), holds]), every(vec![not(test), fails])];
                return Ok(cond(CondKind::Any(cases.to_vec().into())));
            }
        }
        let (mut conds, selection) = self.selection(expr, level, &mut |_, _| Ok(()))?;
        conds.push(cond(CondKind::Formerly(Arc::new(selection))));
        Ok(every(conds))
    }

    /// The selection of an operator, and the tests of the current event that were in it.
    fn selection(
        &mut self,
        expr: &Expr,
        level: usize,
        visit: &mut dyn FnMut(&Self, &mut Vec<Expr>) -> Result<()>,
    ) -> Result<(Vec<Cond>, Selection)> {
        let (left, within, inner, includes_now) = match expr {
            Expr::Formerly(within, inner) => (None, *within, inner, true),
            Expr::Previous(within, inner) => (Some(None), *within, inner, false),
            Expr::Since(left, within, right) => (Some(Some(left)), *within, right, true),
            _ => return Err("not an operator over the past".to_owned()),
        };
        let (current, mut past): (Vec<Expr>, Vec<Expr>) = parts(inner).into_iter().partition(is_current);
        let guards: Result<Vec<Cond>> = current.iter().map(|test| self.cond(test, level)).collect();
        visit(self, &mut past)?;
        let of = self.pattern(&past, level + 1)?;
        let since = match left {
            None => None,
            Some(None) => Some(self.pattern(&[self.pinned()], level + 1)?),
            Some(Some(left)) => Some(match &**left {
                Expr::Not(inner) => self.pattern(&parts(inner), level + 1)?,
                other => {
                    let [other, past] = [other.clone(), Expr::All(past)].map(|one| Expr::Not(Box::new(one)));
                    self.pattern(&[self.pinned(), other, past], level + 1)?
                }
            }),
        };
        let unit = DurationUnit::Second;
        let selection = Selection {
            span: UncomparedSpan::default(),
            of,
            within: Some(at(Extent::Duration { count: within, unit })),
            since,
            per: None,
            including_now: includes_now.then(|| at(())),
        };
        Ok((guards?, selection))
    }

    /// If each kind of event is pinned, an event of any type has the pinned fields of the current event.
    fn pinned(&self) -> Expr {
        let pins = &self.schema.pins;
        let is_pinned = self.schema.kinds.iter().all(|kind| pins.iter().any(|(pinned, ..)| pinned == kind));
        let kind = pins.first().filter(|_| is_pinned).map(|(kind, ..)| kind);
        let pins = pins.iter().filter(|(other, ..)| Some(other) == kind);
        let field = |names: &Names| Term::Field(names.clone());
        let test = |(_, names, term): &(String, Names, Term)| {
            Expr::Compare(field(names), "==".to_owned(), term.clone())
        };
        Expr::All(pins.map(test).collect())
    }

    /// The pattern of conjuncts about one event.
    fn pattern(&mut self, parts: &[Expr], level: usize) -> Result<EventPattern> {
        let bound = self.bound.clone();
        self.known.truncate(level - 1);
        self.known.push(BTreeMap::new());
        let atom = parts.iter().position(|part| matches!(part, Expr::Atom(_)));
        let mut conds = Vec::new();
        let mut name = "*";
        if let Some(Expr::Atom(atom)) = atom.and_then(|at| parts.get(at)) {
            name = &atom.event;
            conds.extend(self.fields(atom, level)?);
        }
        let others = parts.iter().enumerate().filter(|(at, _)| Some(*at) != atom);
        let others: Vec<Expr> = others.flat_map(|(_, part)| self::parts(part)).collect();
        if !others.is_empty() {
            conds.push(self.all(others, level)?);
        }
        self.known.truncate(level - 1);
        self.bound = bound;
        let flat: Vec<Cond> = conds.into_iter().flat_map(conjuncts).collect();
        Ok(any(name, (!flat.is_empty()).then(|| every(flat))))
    }

    fn aggregate(&mut self, aggregate: &Aggregate, op: Op, other: &Term, level: usize) -> Result<Cond> {
        let (recall, guards, is_now) = self.recall(aggregate, level)?;
        let right = match other {
            Term::Value(json) => Right::Value(value(json).into()),
            Term::Aggregate(other) => match self.recall(other, level)? {
                (Operand::Path(path), guards, false) if guards.is_empty() => Right::Path(path),
                _ => return Err("two aggregates under conditions".to_owned()),
            },
            other => Right::Path(self.term(other, level)?),
        };
        let constant = |count: i64| match &right {
            Right::Value(value) => Ok(cond(CondKind::Const(is_so(count, op, value)))),
            _ => Err("a constant against a path".to_owned()),
        };
        let value = match recall {
            Operand::Path(path) => leaf(path, op, right.clone()),
            Operand::One => constant(1)?,
        };
        if guards.is_empty() && !is_now {
            return Ok(value);
        }
        let guard = every(guards);
        let cases = [every(vec![guard.clone(), value]), every(vec![not(guard), constant(0)?])];
        Ok(cond(CondKind::Any(cases.to_vec().into())))
    }

    /// The value of an aggregate, what must be true for its body to be, and whether it is about the current event only.
    fn recall(&mut self, aggregate: &Aggregate, level: usize) -> Result<(Operand, Vec<Cond>, bool)> {
        let all = parts(&aggregate.body);
        if aggregate.points.len() > 1 {
            return Err("pairs of events".to_owned());
        }
        let point = aggregate.points.first();
        let is_in = |part: &Expr| aggregate.variables.iter().any(|name| uses(part, name) > 0);
        let past: Vec<&Expr> = all.iter().filter(|part| is_temporal(part) && is_in(part)).collect();
        if past.is_empty() {
            let bound = self.bound.clone();
            let guard = self.all(all.clone(), level)?;
            let operand = match &aggregate.sum {
                Some(name) => Operand::Path(self.variable(name, level)?),
                None => Operand::One,
            };
            self.bound = bound;
            return Ok((operand, vec![guard], true));
        }
        let [past] = past.as_slice() else { return Err("an aggregate over two selections".to_owned()) };
        let others = all.iter().filter(|part| part != past);
        let mut others: Vec<Expr> = others.cloned().collect();
        // Tests of a variable are about the event that binds it.
        let tests: Vec<Expr> = others.iter().filter(|part| is_in(part)).cloned().collect();
        if tests.iter().any(|test| matches!(test, Expr::At(_) | Expr::Atom(_))) {
            return Err("an aggregate over the current and a past event".to_owned());
        }
        others.retain(|part| !tests.contains(part));
        let mut operator = None;
        let (mut guards, selection) = self.selection(past, level, &mut |_, inner| {
            let is_point = |part: &Expr| matches!(part, Expr::At(name) if Some(name) == point);
            let count = inner.len();
            inner.retain(|part| !is_point(part));
            if point.is_some() && inner.len() == count {
                return Err("a time point of a nested selection".to_owned());
            }
            let field = |name: &String| {
                let names = field_of(inner, name).ok_or("a variable of a nested selection")?;
                Ok::<Path, String>(path(&names))
            };
            operator = Some(match (&aggregate.sum, point) {
                (Some(name), Some(_)) => RecallOperator::Sum(field(name)?),
                (Some(_), None) => return Err("a sum of different values".to_owned()),
                (None, Some(_)) => RecallOperator::Count,
                (None, None) => {
                    let paths: Result<Vec<Path>> = aggregate.variables.iter().map(field).collect();
                    RecallOperator::Distinct(paths?)
                }
            });
            inner.extend(tests.iter().cloned());
            Ok(())
        })?;
        guards.extend(others.iter().map(|other| self.cond(other, level)).collect::<Result<Vec<Cond>>>()?);
        let operator = operator.ok_or("an aggregate")?;
        let recall = PathKind::Recall(Box::new(Recall { operator, selection }));
        let path = Path { span: Span::default(), text: "".into(), kind: recall };
        Ok((Operand::Path(path), guards, false))
    }
}

/// What is compared.
enum Operand {
    Path(Path),
    /// One event: the current one.
    One,
}

fn is_so(count: i64, op: Op, value: &Value) -> bool {
    let Kind::Num(number) = &value.kind else { return false };
    let number: f64 = number.0.parse().unwrap_or(f64::NAN);
    let count = count as f64;
    match op {
        Op::Eq => count == number,
        Op::Ne => count != number,
        Op::Lt => count < number,
        Op::Lte => count <= number,
        Op::Gt => count > number,
        _ => count >= number,
    }
}

fn conjuncts(one: Cond) -> Vec<Cond> {
    match &one.kind {
        CondKind::All(conds) => conds.iter().cloned().flat_map(conjuncts).collect(),
        _ => vec![one],
    }
}

fn below_now(names: &[String]) -> Names {
    std::iter::once("now".to_owned()).chain(names.iter().cloned()).collect()
}

fn is_event(name: &str) -> Cond {
    let right = Right::Value(value(&name.into()).into());
    leaf(path(&["hook_event_name".to_owned()]), Op::Eq, right)
}

fn any(name: &str, condition: Option<Cond>) -> EventPattern {
    let names = vec![at(name.to_owned())];
    EventPattern { span: UncomparedSpan::default(), outcome: Some(at(OutcomeWord::Any)), names, condition }
}
