//! Random policies about what happened before, and sequences of events for them.

use std::sync::Arc;

use hookc_schema::tree::{
    Action, Cond, CondKind, DurationUnit, EventPattern, Extent, Fact, FactPattern, Family, Hook, Layer, Leaf,
    Mode, Op, OutcomeWord, PartitionKey, Path, PathKind, Policy, Quantified, Quantifier, Query, Recall,
    RecallOperator, Right, Section, Segment, Selection, Selector, Step, UncomparedSpan,
};
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::{SourceId, Span, Spanned};

use super::{Rng, pool};
use crate::moment::{Keys, Verdict};

/// The types of events, those that are recorded most first.
const EVENTS: &[&str] =
    &["PreToolUse", "PreToolUse", "PostToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];

const TOOLS: &[&str] = &["Bash", "Edit", "bash"];

/// Fields of the input of a tool that hold a value.
const FIELDS: &[&str] = &["a", "b", "n"];

const NUMBERS: &[&str] = &["0", "1", "2", "-1", "1.5", "1.0", "1e0"];

/// Windows, of the order of the gaps between events.
pub(super) const DURATIONS: &[(u64, DurationUnit)] =
    &[(1, DurationUnit::Second), (10, DurationUnit::Second), (1, DurationUnit::Minute)];

/// Selections inside of each other, at most.
const DEPTH: usize = 2;

/// An event of a sequence.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Its text.
    pub event: String,
    /// When it comes, in milliseconds.
    pub at: u64,
    /// Whose history it is in.
    pub keys: Keys,
    /// What is decided about it.
    pub verdict: Verdict,
}

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn cond(kind: CondKind) -> Cond {
    Cond { span: Span::default(), kind }
}

fn path(kind: PathKind) -> Path {
    Path { span: Span::default(), text: "".into(), kind }
}

fn short(names: &[&str]) -> Path {
    path(PathKind::Short(names.iter().map(|name| Step::Name((*name).to_owned())).collect()))
}

/// A policy whose hooks ask about the history.
pub fn policy(rng: &mut Rng) -> Policy {
    let mut policy = Policy::empty(SourceId(0));
    for name in ["first_fact", "second_fact"] {
        if rng.chance(50) {
            let patterns = (0..=rng.below(2)).map(|_| fact_pattern(rng, &policy.facts)).collect();
            policy.facts.push(Fact { name: at(name.to_owned()), patterns });
        }
    }
    for _ in 0..=rng.below(5) {
        policy.hooks.push(hook(rng, Facts { facts: &policy.facts, is_new: false }));
    }
    policy
}

fn fact_pattern(rng: &mut Rng, facts: &[Fact]) -> FactPattern {
    let facts = Facts { facts, is_new: false };
    let place = Place { facts, depth: rng.below(2), negated: false, is_fact: true, bound: None };
    FactPattern { pattern: pattern(rng, place), description: None, keep: Vec::new() }
}

/// A hook about patterns that no hook of [`policy`] has.
pub(super) fn new_hook(rng: &mut Rng) -> Hook {
    hook(rng, Facts { facts: &[], is_new: true })
}

/// The hook of a policy.
fn hook(rng: &mut Rng, facts: Facts<'_>) -> Hook {
    let event = rng.pick(EVENTS);
    let kind = rng.pick(&["deny", "ask", "allow", "inject"]);
    let params = match kind {
        "deny" | "ask" => vec![(at("reason".to_owned()), pool::string("since"))],
        "inject" => vec![(at("text".to_owned()), pool::string("note"))],
        _ => Vec::new(),
    };
    let action =
        Action { span: UncomparedSpan::default(), kind: at(kind.to_owned()), params, templates: true };
    Hook {
        span: UncomparedSpan::default(),
        id: None,
        events: vec![at(event.to_owned())],
        family: Family::Thread,
        section: Section::Hooks,
        priority: None,
        enabled: None,
        mode: rng.chance(15).then(|| at(rng.pick(&[Mode::Enforce, Mode::Warn, Mode::Shadow]))),
        condition: Some(condition(rng, facts, 2)),
        action,
        on_error: None,
        on_failure: None,
        description: None,
        examples: Vec::new(),
        effects: Vec::new(),
    }
}

/// The patterns that a hook can name.
#[derive(Clone, Copy)]
struct Facts<'a> {
    facts: &'a [Fact],
    /// Whether the patterns of the hook are to differ from those of all others.
    is_new: bool,
}

/// Where a selection or a pattern is.
#[derive(Clone, Copy)]
struct Place<'a> {
    facts: Facts<'a>,
    /// How many more selections may be inside.
    depth: usize,
    /// Whether negated ties are allowed: in `formerly` and in anchors.
    negated: bool,
    /// Whether it is in a fact, which has no current event.
    is_fact: bool,
    /// The name of the quantifier around.
    bound: Option<&'a str>,
}

fn condition(rng: &mut Rng, facts: Facts<'_>, depth: usize) -> Cond {
    let conds = |rng: &mut Rng| (0..=rng.below(3)).map(|_| condition(rng, facts, depth - 1)).collect();
    let place = Place { facts, depth: DEPTH, negated: true, is_fact: false, bound: None };
    cond(match rng.below(if depth == 0 { 6 } else { 10 }) {
        0 => return test(rng),
        1..=3 => CondKind::Formerly(Arc::new(selection(rng, place))),
        4 | 5 => return comparison(rng, facts),
        6 => CondKind::All(conds(rng)),
        7 => CondKind::Any(conds(rng)),
        8 => CondKind::Not(Arc::new(condition(rng, facts, depth - 1))),
        _ => {
            let inner = Place { bound: Some("w"), ..place };
            CondKind::Quantified(Arc::new(Quantified {
                quantifier: rng.pick(Quantifier::ALL),
                name: at("w".to_owned()),
                path: short(&["tool_input", "s"]),
                cond: cond(CondKind::Formerly(Arc::new(selection(rng, inner)))),
            }))
        }
    })
}

/// A comparison of a value of the history.
fn comparison(rng: &mut Rng, facts: Facts<'_>) -> Cond {
    let place = Place { facts, depth: rng.below(DEPTH), negated: false, is_fact: false, bound: None };
    let orders = [Op::Eq, Op::Ne, Op::Gt, Op::Gte, Op::Lt, Op::Lte];
    let (mut op, small) = (rng.pick(&orders), Right::Value(number(&rng.below(5).to_string()).into()));
    let (operator, right) = match rng.below(8) {
        0..=2 => (RecallOperator::Count, small),
        3 => {
            let other = Recall { operator: RecallOperator::Count, selection: counter(rng, place) };
            let left = Recall { operator: RecallOperator::Count, selection: counter(rng, place) };
            let right = Right::Path(path(PathKind::Recall(Box::new(other))));
            return leaf(path(PathKind::Recall(Box::new(left))), op, right);
        }
        4 => (RecallOperator::Sum(field(rng)), Right::Value(number(rng.pick(NUMBERS)).into())),
        5 => {
            op = rng.pick(&[Op::Gte, Op::Gt, Op::Lt, Op::Lte]);
            let paths = (0..=rng.below(2)).map(|_| several(rng)).collect();
            (RecallOperator::Distinct(paths), small)
        }
        _ => {
            op = rng.pick(&[Op::Eq, Op::Ne]);
            let nth = rng.chance(60).then(|| at(1 + rng.below(4) as u64));
            let rest =
                rng.pick(&[&["tool_input", "a"][..], &["tool_input", "b"], &["tool_input"], &["tool_name"]]);
            let segment = |name: &&str| Segment::Child(vec![Selector::Name((*name).to_owned())]);
            let query = Query { segments: rest.iter().map(segment).collect() };
            let right = if rng.chance(60) { Right::Path(short(rest)) } else { constant(rng) };
            (RecallOperator::Last { nth, rest: query }, right)
        }
    };
    let is_distinct = matches!(operator, RecallOperator::Distinct(_));
    let mut selection = selection(rng, place);
    if is_distinct && let Some(since) = &mut selection.since {
        *since = pattern(rng, Place { is_fact: true, ..place });
    }
    leaf(path(PathKind::Recall(Box::new(Recall { operator, selection }))), op, right)
}

/// A selection whose count is a counter: without a duration and without ties of its anchor.
fn counter(rng: &mut Rng, place: Place<'_>) -> Selection {
    let mut selection = selection(rng, place);
    selection.within = rng.chance(30).then(|| at(Extent::Turn));
    selection.per = None;
    selection.since = selection.since.map(|_| pattern(rng, Place { is_fact: true, ..place }));
    selection
}

fn selection(rng: &mut Rng, place: Place<'_>) -> Selection {
    let per = rng.chance(20).then(|| rng.pick(PartitionKey::ALL));
    let is_unending = matches!(per, Some(PartitionKey::Project | PartitionKey::User));
    let (count, unit) = rng.pick(DURATIONS);
    let duration = Extent::Duration { count, unit };
    let extent = rng.pick(&[duration, duration, Extent::Turn, Extent::Session]);
    Selection {
        span: UncomparedSpan::default(),
        of: pattern(rng, place),
        within: (is_unending || rng.chance(50)).then(|| at(if is_unending { duration } else { extent })),
        since: rng.chance(35).then(|| pattern(rng, Place { negated: true, ..place })),
        per: per.map(at),
        including_now: rng.chance(25).then(|| at(())),
    }
}

fn pattern(rng: &mut Rng, place: Place<'_>) -> EventPattern {
    let span = UncomparedSpan::default();
    let facts = place.facts.facts;
    let fact = facts.get(rng.below(facts.len() * 2));
    let (names, outcome) = match fact {
        Some(fact) if !place.is_fact => (vec![at(fact.name.node.clone())], None),
        _ => {
            let mut names = vec![rng.pick(EVENTS)];
            names.extend(rng.chance(20).then(|| rng.pick(EVENTS)));
            names.dedup();
            if rng.chance(8) {
                names = vec!["*"];
            }
            let outcome = rng.chance(35).then(|| at(rng.pick(OutcomeWord::ALL)));
            (names.into_iter().map(|name| at(name.to_owned())).collect(), outcome)
        }
    };
    let has_condition = rng.chance(75) || place.facts.is_new;
    EventPattern { span, outcome, names, condition: has_condition.then(|| condition_of(rng, place)) }
}

/// The condition of a pattern: tests of the past event, ties to the current one, and further history.
fn condition_of(rng: &mut Rng, place: Place<'_>) -> Cond {
    let mut conds: Vec<Cond> = (0..rng.below(2)).map(|_| test(rng)).collect();
    if !place.is_fact {
        conds.extend((0..rng.below(3)).map(|_| tie(rng, place.bound)));
        if place.negated && rng.chance(25) {
            let mut parts = vec![tie(rng, place.bound)];
            parts.extend(rng.chance(30).then(|| tie(rng, None)));
            parts.extend(rng.chance(30).then(|| test(rng)));
            conds.push(cond(CondKind::Not(Arc::new(cond(CondKind::All(parts.into()))))));
        }
    }
    if place.depth > 0 && rng.chance(20) {
        let inner = Place { depth: place.depth - 1, negated: true, bound: None, ..place };
        let formerly = cond(CondKind::Formerly(Arc::new(selection(rng, inner))));
        conds.push(if rng.chance(30) { cond(CondKind::Not(Arc::new(formerly))) } else { formerly });
    }
    if place.facts.is_new {
        let other = leaf(short(&["tool_name"]), Op::Ne, Right::Value(pool::string("no such tool").into()));
        conds.push(other);
    }
    if conds.is_empty() {
        conds.push(test(rng));
    }
    cond(CondKind::All(conds.into()))
}

/// `PATH == now.PATH`, in either order.
fn tie(rng: &mut Rng, bound: Option<&str>) -> Cond {
    let left = if rng.chance(20) { several(rng) } else { field(rng) };
    let right = match (bound, rng.pick(&[&["now", "tool_name"][..], &["now", "tool_input", "a"]])) {
        (Some(name), _) if rng.chance(80) => short(&[name]),
        (_, path) if rng.chance(30) => short(path),
        _ => short(&["now", "tool_input", rng.pick(FIELDS)]),
    };
    let is_turned = left.is_singular() && rng.chance(20);
    let (left, right) = if is_turned { (right, left) } else { (left, right) };
    let mut tie = leaf(left, Op::Eq, Right::Path(right));
    if let CondKind::Leaf(leaf) = &mut tie.kind
        && rng.chance(15)
    {
        Arc::make_mut(leaf).ignore_case = Some(at(()));
    }
    tie
}

fn leaf(path: Path, op: Op, right: Right) -> Cond {
    let leaf = Leaf { path, op: at(op), right, ignore_case: None, assert_format: None };
    cond(CondKind::Leaf(Arc::new(leaf)))
}

/// A test of one event.
fn test(rng: &mut Rng) -> Cond {
    match rng.below(6) {
        0 => leaf(short(&["tool_name"]), Op::Eq, Right::Value(pool::string(rng.pick(TOOLS)).into())),
        1 => leaf(short(&["tool_input", "n"]), Op::Gt, Right::Value(number("0").into())),
        2 => cond(CondKind::Not(Arc::new(test(rng)))),
        3 => leaf(field(rng), Op::Exists, Right::None),
        _ => leaf(field(rng), rng.pick(&[Op::Eq, Op::Ne]), constant(rng)),
    }
}

fn constant(rng: &mut Rng) -> Right {
    Right::Value(
        if rng.chance(50) { number(rng.pick(NUMBERS)) } else { pool::string(rng.pick(TOOLS)) }.into(),
    )
}

fn number(text: &str) -> Value {
    pool::value(Kind::Num(Number(text.to_owned())))
}

fn field(rng: &mut Rng) -> Path {
    if rng.chance(20) { short(&["tool_name"]) } else { short(&["tool_input", rng.pick(FIELDS)]) }
}

/// A path that can select several values.
fn several(rng: &mut Rng) -> Path {
    if rng.chance(50) {
        return field(rng);
    }
    let name = |name: &str| Segment::Child(vec![Selector::Name(name.to_owned())]);
    let segments = vec![name("tool_input"), name("s"), Segment::Child(vec![Selector::Wildcard])];
    path(PathKind::Query(Query { segments }))
}

/// A sequence of events.
pub fn events(rng: &mut Rng, count: usize) -> Vec<Moment> {
    let mut time = 1_000_000;
    let mut step = |rng: &mut Rng| {
        let gaps = [0, 0, 1, 500, 999, 1_000, 1_001, 5_000, 10_000, 59_999, 60_000];
        time += rng.pick(&gaps);
        let key = |rng: &mut Rng, names: &[&str]| {
            let name = if rng.chance(85) { names.first().copied() } else { Some(rng.pick(names)) };
            name.filter(|_| rng.chance(98)).map(str::to_owned)
        };
        let session = key(rng, &["s1", "s2"]);
        let agent = session.as_ref().map(|session| format!("{session}/{}", rng.pick(&["main", "sub"])));
        Moment {
            event: event(rng),
            at: time,
            keys: [session, agent, key(rng, &["p1", "p2"]), key(rng, &["u1"])],
            verdict: rng.pick(&[Verdict::None, Verdict::None, Verdict::Allow, Verdict::Ask, Verdict::Deny]),
        }
    };
    (0..count).map(|_| step(rng)).collect()
}

fn event(rng: &mut Rng) -> String {
    let kind = rng.pick(EVENTS);
    let mut input = Vec::new();
    for field in FIELDS {
        let value = match rng.below(12) {
            0 => continue,
            1 => "null".to_owned(),
            2 | 3 => format!("\"{}\"", rng.pick(TOOLS)),
            4 if rng.chance(10) => "12345678901234567890123456789012345678".to_owned(),
            _ => rng.pick(NUMBERS).to_owned(),
        };
        input.push(format!("\"{field}\":{value}"));
        if rng.chance(1) {
            input.push(format!("\"{field}\":0"));
        }
    }
    if rng.chance(60) {
        let items: Vec<&str> =
            (0..rng.below(4)).map(|_| rng.pick(&["0", "1", "2", "null", "\"Bash\""])).collect();
        input.push(format!("\"s\":[{}]", items.join(",")));
    }
    let tool = rng.pick(TOOLS);
    format!(
        "{{\"hook_event_name\":\"{kind}\",\"tool_name\":\"{tool}\",\"tool_input\":{{{}}}}}",
        input.join(",")
    )
}

/// The layer of the policies.
pub const LAYER: Layer = Layer::Project;
