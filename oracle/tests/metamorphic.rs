//! Changes that change no decision: the order of keys, white space, spellings of numbers and strings; a
//! hook that never matches, a hook split in two, files in another order, another dialect.

use std::collections::BTreeMap;
use std::sync::Arc;

use hookc_compiler::Dialect;
use hookc_corpus::{effort, number};
use hookc_oracle::generate::{self, Rng, Shape};
use hookc_schema::tree::{Cond, CondKind, Family, Hook, Op, Path, PathKind, Right, Step};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::{Diagnostics, SourceId, Span, Spanned};
use hookc_syntax::front::json;
use hookc_syntax::write;
use hookc_vm::{DecideOptions, Module, Scratch};

use crate::common::{self, PolicySet, Seen};

/// Policies of each test; `HOOKC_POLICIES=20000` makes it a long run.
fn policies() -> u64 {
    number("HOOKC_POLICIES").unwrap_or_else(|| effort(300, 60)) as u64
}

const EVENTS: usize = 12;

/// Seeds of a test, each with its policies.
fn cases(salt: u64) -> impl Iterator<Item = (u64, Rng, PolicySet)> {
    (0..policies()).map(move |seed| {
        let mut rng = Rng::new(seed ^ salt);
        let set = set(&mut rng);
        (seed, rng, set)
    })
}

/// Two modules have the same actions for each of some events; `why` says what differs between them.
fn assert_same_actions(rng: &mut Rng, set: &PolicySet, modules: [&Module; 2], why: &dyn Fn() -> String) {
    for _ in 0..EVENTS {
        let event = event(rng, set);
        let [one, two] = modules.map(|module| actions(decided(module, &event)));
        assert_eq!(one, two, "{event}\n{}", why());
    }
}

/// A module sees the same in each of some events and in the event with other spellings.
fn assert_spelling_is_free<T: std::fmt::Debug + PartialEq>(
    salt: u64,
    shuffle: bool,
    part: impl Fn(Result<Seen, String>) -> T,
) {
    for (seed, mut rng, set) in cases(salt) {
        let module = module(&set);
        for _ in 0..EVENTS {
            let event = event(&mut rng, &set);
            let value = json::read(&event, SourceId(0), &mut Diagnostics::new()).unwrap().value;
            let mut again = String::new();
            respell(&mut rng, &value, shuffle, &mut again);
            let (one, two) = (part(decided(&module, &event)), part(decided(&module, &again)));
            assert_eq!(one, two, "seed {seed}\n{event}\n{again}");
        }
    }
}

fn module(set: &PolicySet) -> Module {
    let texts = common::yaml(set);
    let built = common::build(&texts, Dialect::HooksYaml, false, false);
    common::load(built.unwrap_or_else(|why| panic!("{why}\n{texts:?}")).bytes)
}

fn decided(module: &Module, event: &str) -> Result<Seen, String> {
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
    decision
        .map(|decision| common::seen(&decision))
        .map_err(|error| format!("{error:?}").chars().take(12).collect())
}

/// The actions of a decision, and of what is reported: ranks and labels of other policies differ.
fn actions(seen: Result<Seen, String>) -> Result<[Vec<Option<String>>; 2], String> {
    let only =
        |hooks: Vec<(usize, String, Option<String>)>| hooks.into_iter().map(|(.., action)| action).collect();
    seen.map(|(_, hooks, reported)| [only(hooks), only(reported)])
}

fn set(rng: &mut Rng) -> PolicySet {
    generate::policies(rng, Shape { plain: false, hooks: 10 })
}

fn event(rng: &mut Rng, set: &PolicySet) -> String {
    if rng.chance(50) { generate::event(rng, true) } else { generate::event_near(rng, true, set) }
}

/// Writes a value with other spellings, and with `shuffle` in another order of keys.
fn respell(rng: &mut Rng, value: &Value, shuffle: bool, out: &mut String) {
    let space = |rng: &mut Rng, out: &mut String| {
        if rng.chance(30) {
            out.push_str(rng.pick(&[" ", "\n", "\t", "\r\n", "   "]));
        }
    };
    space(rng, out);
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Num(number) => out.push_str(&number_of(rng, &number.0)),
        Kind::Str(text) => string(rng, &text.value, out),
        Kind::Seq(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                respell(rng, item, shuffle, out);
            }
            out.push(']');
        }
        Kind::Map(members) => {
            let mut order: Vec<&Member> = members.iter().collect();
            for at in (1..order.len()).rev().filter(|_| shuffle) {
                order.swap(at, rng.below(at + 1));
            }
            out.push('{');
            for (at, member) in order.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                string(rng, &member.key.node, out);
                space(rng, out);
                out.push(':');
                respell(rng, &member.value, shuffle, out);
            }
            out.push('}');
        }
    }
    space(rng, out);
}

/// Another spelling of the same number.
fn number_of(rng: &mut Rng, text: &str) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().unwrap();
    let with = |mantissa: String, exponent: i64| {
        if exponent.abs() > 9_000 { text.to_owned() } else { format!("{mantissa}e{exponent}") }
    };
    match rng.below(5) {
        0 if mantissa.contains('.') => with(format!("{mantissa}00"), exponent),
        0 => with(format!("{mantissa}.0"), exponent),
        1 => with(mantissa.to_owned(), exponent),
        2 if !mantissa.contains('.') && mantissa != "0" && mantissa != "-0" => {
            with(format!("{mantissa}000"), exponent - 3)
        }
        3 if exponent == 0 => format!("{mantissa}E+0"),
        _ => text.to_owned(),
    }
}

fn string(rng: &mut Rng, text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '/' if rng.chance(20) => out.push_str("\\/"),
            '\n' if rng.chance(50) => out.push_str("\\n"),
            c if c < ' ' || rng.chance(15) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let upper = rng.chance(50);
                    out.push_str(&if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") });
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[test]
fn spellings_change_nothing() {
    assert_spelling_is_free(0x5e11, false, |seen| seen);
}

/// Nodes of a query and members of a rendered object keep the order of the event, so only the hooks are
/// compared.
#[test]
fn the_order_of_keys_changes_no_hook() {
    let labels = |hooks: Vec<(usize, String, Option<String>)>| -> Vec<String> {
        hooks.into_iter().map(|(_, label, _)| label).collect()
    };
    assert_spelling_is_free(0x0bde, true, |seen| {
        seen.map(|(event, hooks, reported)| (event, labels(hooks), labels(reported)))
    });
}

/// A condition that no event of the generator makes true, and that no stage can fold away.
fn never() -> Cond {
    let leaf = hookc_schema::tree::Leaf {
        path: Path {
            span: Span::default(),
            text: "no_such_field".into(),
            kind: PathKind::Short([Step::Name("no_such_field".to_owned())].into()),
        },
        op: Spanned::new(Op::Eq, Span::default()),
        right: Right::Value(Value::new(Kind::Str(Text::plain("no such value")), Span::default()).into()),
        ignore_case: None,
        assert_format: None,
    };
    Cond { span: Span::default(), kind: CondKind::Leaf(Arc::new(leaf)) }
}

#[test]
fn a_hook_that_never_matches_changes_nothing() {
    let mut added = 0;
    for (seed, mut rng, set) in cases(0xadd) {
        let mut more = set.clone();
        let (policy, _) = more.last_mut().unwrap();
        let at = rng.below(policy.hooks.len());
        let mut hook = policy.hooks[at].clone();
        (hook.id, hook.condition, hook.enabled) = (None, Some(never()), None);
        policy.hooks.insert(at, hook);
        added += 1;
        let why = || format!("seed {seed}: {:?}", common::yaml(&more));
        assert_same_actions(&mut rng, &set, [&module(&set), &module(&more)], &why);
    }
    assert_eq!(added, policies());
}

/// A hook for `a or b` as a hook for `a` and one for `b` without `a`.
fn split(hook: &Hook) -> Option<[Hook; 2]> {
    let CondKind::Any(conds) = &hook.condition.as_ref()?.kind else { return None };
    let (first, rest) = conds.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let cond = |kind| Cond { span: Span::default(), kind };
    let without = cond(CondKind::Not(Arc::new(first.clone())));
    let rest = cond(CondKind::All([without, cond(CondKind::Any(rest.into()))].into()));
    let with = |condition| Hook { condition: Some(condition), ..hook.clone() };
    (hook.id.is_none() && hook.family == Family::Thread).then(|| [with(first.clone()), with(rest)])
}

#[test]
fn a_hook_split_in_two_changes_nothing() {
    let mut count = 0;
    for (seed, mut rng, set) in cases(0x5b11) {
        let mut parts = set.clone();
        for (policy, _) in &mut parts {
            let hooks = std::mem::take(&mut policy.hooks);
            for hook in hooks {
                match split(&hook) {
                    Some(both) => {
                        count += 1;
                        policy.hooks.extend(both);
                    }
                    None => policy.hooks.push(hook),
                }
            }
        }
        let why = || format!("seed {seed}: {:?}", common::yaml(&set));
        assert_same_actions(&mut rng, &set, [&module(&set), &module(&parts)], &why);
    }
    assert!(count * 5 > policies(), "only {count} hooks are split");
}

/// Layers decide about the order, not the order in which their files are named.
#[test]
fn files_of_other_layers_in_any_order_change_nothing() {
    let mut count = 0;
    for (seed, mut rng, set) in cases(0x1a7e) {
        let mut other = set.clone();
        other.reverse();
        count += u64::from(set.len() > 1);
        let why = || format!("seed {seed}");
        assert_same_actions(&mut rng, &set, [&module(&set), &module(&other)], &why);
    }
    assert!(count * 3 > policies(), "only {count} with several layers");
}

/// A policy that a dialect can express decides alike when it is written in it, and when that is written
/// in the next dialect.
#[test]
fn dialects_change_nothing() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..policies() {
        let mut rng = Rng::new(seed ^ 0xd1a1);
        let shape = Shape { plain: true, hooks: 1 + rng.below(6) };
        let set = generate::policies(&mut rng, shape);
        let (mut policy, layer) = set[0].clone();
        let own = module(&set);
        for dialect in Dialect::written() {
            let (files, losses) = write::write(&policy, dialect);
            let [file] = files.as_slice() else { continue };
            if !losses.is_empty() {
                continue;
            }
            let built = common::build(&[(file.text.clone(), layer)], dialect, false, false);
            let built = built.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{}", file.text));
            *seen.entry(dialect.name()).or_default() += 1;
            let again = common::load(built.bytes);
            let why = || format!("seed {seed}, {}\n{}", dialect.name(), file.text);
            assert_same_actions(&mut rng, &set, [&own, &again], &why);
            policy = built.policies.into_iter().next().unwrap();
        }
    }
    assert!(seen.len() >= 2 && seen.values().all(|count| *count * 15 > policies()), "{seen:?}");
}
