//! Random policies as trees.

use std::sync::Arc;

use hookc_schema::tree::{
    Cond, CondKind, Family, Hook, Layer, Leaf, Mode, OnError, OnFailure, Op, Path, PathKind, Policy,
    Quantified, Quantifier, Right, Section, Step, UncomparedSpan,
};
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{SourceId, Span, Spanned};

use super::{Rng, action, pool, predicate, schema};

/// What the current notation can express.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// Only what directive XML can also express: no builtin section.
    pub plain: bool,
    /// Hooks per policy, at most.
    pub hooks: usize,
}

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

/// One to three policies, each in its own layer so that ids can repeat.
pub fn policies(rng: &mut Rng, shape: Shape) -> Vec<(Policy, Layer)> {
    let layers = [Layer::Directive, Layer::Project, Layer::User, Layer::Managed];
    let count = if shape.plain { 1 } else { 1 + rng.below(3) };
    let mut made = Vec::new();
    for layer in layers.into_iter().take(count) {
        // Only one file can contain an id of the builtin layer.
        let shape = Shape { plain: shape.plain || !made.is_empty(), ..shape };
        made.push((policy(rng, shape, layer), layer));
    }
    made
}

fn policy(rng: &mut Rng, shape: Shape, layer: Layer) -> Policy {
    let mut policy = Policy::empty(SourceId(0));
    policy.declarations.wrappers = rng.chance(20).then(|| wrappers(rng));
    let has_sets = predicate::declare(rng, &mut policy.declarations);
    let mut ids = Vec::new();
    for _ in 0..=rng.below(shape.hooks.max(1)) {
        let mut hook = hook(rng, shape, has_sets);
        if let Some(id) = &hook.id {
            let key = (hook.section == Section::Builtin, id.node.clone());
            if layer == Layer::Managed || ids.contains(&key) {
                hook.id = None;
            } else {
                ids.push(key);
            }
        }
        policy.hooks.push(hook);
    }
    // In a hooks file, the builtin section precedes the hooks.
    policy.hooks.sort_by_key(|hook| hook.section == Section::Hooks);
    policy
}

/// Programs that start others: with options that differ, and the operands that all policies agree about.
fn wrappers(rng: &mut Rng) -> Value {
    let options = rng.pick(&[&["-u"][..], &["--user", "-u"], &["-env"]]);
    let options = options.iter().map(|option| pool::string(option)).collect();
    let member = |name: &str, kind: Kind| Member { key: at(name.to_owned()), value: pool::value(kind) };
    let run_in = pool::value(Kind::Map(vec![
        member("name", pool::string("run-in").kind),
        member("options_with_values", Kind::Seq(options)),
        member("operands", Kind::Num(Number("1".to_owned()))),
    ]));
    let wrap = pool::string("wrap");
    pool::value(Kind::Seq(match rng.below(3) {
        0 => vec![wrap],
        1 => vec![run_in],
        _ => vec![run_in, wrap],
    }))
}

fn hook(rng: &mut Rng, shape: Shape, has_sets: bool) -> Hook {
    let mut events = vec![at(rng.pick(pool::EVENTS).to_owned())];
    if rng.chance(10) {
        events.push(at(rng.pick(pool::EVENTS).to_owned()));
        events.dedup();
    }
    // Events that nobody declares can have effects.
    let acts = events.iter().all(|event| event.node == pool::UNDECLARED).then_some(has_sets);
    let ids = ["x", "guard", "default_transient_retry", "näme 1"];
    let priorities = ["0", "1", "1.0", "10", "-5", "1e1", "0.5"];
    Hook {
        span: UncomparedSpan::default(),
        id: rng.chance(25).then(|| at(rng.pick(&ids).to_owned())),
        events,
        family: Family::Thread,
        section: if !shape.plain && rng.chance(10) { Section::Builtin } else { Section::Hooks },
        priority: rng.chance(40).then(|| at(Number(rng.pick(&priorities).to_owned()))),
        enabled: rng.chance(10).then(|| at(rng.chance(30))),
        mode: rng.chance(20).then(|| at(rng.pick(&[Mode::Enforce, Mode::Warn, Mode::Shadow]))),
        condition: rng.chance(95).then(|| cond(rng, 3, acts)),
        action: action::action(rng, acts.is_some()),
        on_error: rng.chance(5).then(|| at(rng.pick(&[OnError::Skip, OnError::Fail, OnError::Retry]))),
        on_failure: rng.chance(5).then(|| at(rng.pick(&[OnFailure::Open, OnFailure::Closed]))),
        description: rng.chance(5).then(|| at("says: what it's for".to_owned())),
        examples: Vec::new(),
        effects: Vec::new(),
    }
}

/// A condition. `acts` is nothing at events without effects, else whether the policy has sets.
fn cond(rng: &mut Rng, depth: usize, acts: Option<bool>) -> Cond {
    let kind = match rng.below(if depth == 0 { 6 } else { 11 }) {
        1..=3 if acts.is_some() => predicate::predicate(rng, acts == Some(true)),
        10 => quantified(rng, depth - 1, acts),
        0 if rng.chance(30) => CondKind::Const(rng.chance(50)),
        6 => CondKind::Not(Arc::new(cond(rng, depth - 1, acts))),
        7 => CondKind::Any(conds(rng, depth - 1, acts).into()),
        8 | 9 => CondKind::All(conds(rng, depth - 1, acts).into()),
        _ => CondKind::Leaf(Arc::new(leaf(rng, acts.is_some()))),
    };
    Cond { span: Span::default(), kind }
}

/// A quantifier: a condition in which some paths start at the node.
fn quantified(rng: &mut Rng, depth: usize, acts: Option<bool>) -> CondKind {
    let name = format!("n{depth}");
    let mut cond = cond(rng, depth, acts);
    bind(rng, &mut cond, &name);
    let quantifier = rng.pick(Quantifier::ALL);
    let path = left(rng, acts.is_some());
    CondKind::Quantified(Arc::new(Quantified { quantifier, name: at(name), path, cond }))
}

fn bind(rng: &mut Rng, cond: &mut Cond, name: &str) {
    match &mut cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => {}
        CondKind::All(conds) | CondKind::Any(conds) => {
            Arc::make_mut(conds).iter_mut().for_each(|cond| bind(rng, cond, name))
        }
        CondKind::Not(cond) => bind(rng, Arc::make_mut(cond), name),
        CondKind::Leaf(leaf) => {
            let leaf = Arc::make_mut(leaf);
            bind_path(rng, &mut leaf.path, name, 60);
            if let Right::Path(path) = &mut leaf.right {
                bind_path(rng, path, name, 40);
            }
        }
        CondKind::Quantified(inner) => {
            let inner = Arc::make_mut(inner);
            bind_path(rng, &mut inner.path, name, 50);
            bind(rng, &mut inner.cond, name);
        }
    }
}

fn bind_path(rng: &mut Rng, path: &mut Path, name: &str, percent: usize) {
    if !rng.chance(percent) {
        return;
    }
    let below: &[Step] = match rng.below(7) {
        0..=2 => &[],
        3 => &[Step::Index(0)],
        4 => &[Step::Index(-1)],
        _ => &[],
    };
    let mut steps = vec![Step::Name(name.to_owned())];
    steps.extend(below.iter().cloned());
    if rng.chance(40) {
        steps.push(Step::Name(rng.pick(&["x", "c", "code", "retry-after"]).to_owned()));
    }
    path.kind = PathKind::Short(steps.into());
}

fn conds(rng: &mut Rng, depth: usize, acts: Option<bool>) -> Vec<Cond> {
    (0..rng.below(4)).map(|_| cond(rng, depth, acts)).collect()
}

/// The path of a condition, at events with effects also one into those.
fn left(rng: &mut Rng, has_effects: bool) -> Path {
    if has_effects && rng.chance(25) { pool::effects(rng) } else { pool::left(rng) }
}

fn leaf(rng: &mut Rng, has_effects: bool) -> Leaf {
    let op = rng.pick(Op::ALL);
    let by_path = op.takes_path() && rng.chance(15);
    let right = if by_path { Right::Path(pool::path(rng)) } else { literal(rng, op) };
    Leaf {
        path: left(rng, has_effects),
        op: at(op),
        right,
        ignore_case: (op.takes_case() && rng.chance(30)).then(|| at(())),
        assert_format: (op == Op::Matches && rng.chance(20)).then(|| at(())),
    }
}

fn literal(rng: &mut Rng, op: Op) -> Right {
    let patterns =
        ["abc", "^a", "b$", "a|b", "[a-c]+", "\\d+", "^$", "(?i)RATE", "e\\+", "rm\\s+-rf", "(?x) a b # c"];
    // Quotes, slashes and backslashes, whose spelling differs between kinds of strings.
    let hard_patterns = ["it's", "^src/", "a\"b\\\\c", "\\bmain\\.rs$", "[/\\\\]", "''", "(?x) a\nb"];
    let patterns = [&patterns[..], &hard_patterns[..]].concat();
    let globs =
        ["*", "**", "src/*", "src/**", "**/*.rs", "*.{rs,md}", "[a-c]*", "[!a]*", "?", "src/**/b.rs", "\\*"];
    let value = match op {
        Op::Eq | Op::Ne => pool::any(rng, 2),
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => pool::number(rng),
        Op::In => pool::value(Kind::Seq((0..rng.below(5)).map(|_| pool::any(rng, 1)).collect())),
        Op::Contains => pool::scalar(rng),
        Op::StartsWith | Op::EndsWith => pool::string(rng.pick(pool::STRINGS)),
        Op::Regex => pool::string(rng.pick(&patterns)),
        Op::Glob if rng.chance(50) => strings(rng, &globs),
        Op::Glob => pool::string(rng.pick(&globs)),
        Op::Exists if rng.chance(50) => pool::value(Kind::Bool(false)),
        Op::Exists => return Right::None,
        Op::Matches => schema::schema(rng),
    };
    Right::Value(value.into())
}

fn strings(rng: &mut Rng, all: &[&str]) -> Value {
    pool::value(Kind::Seq((0..rng.below(3)).map(|_| pool::string(rng.pick(all))).collect()))
}
