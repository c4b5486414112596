//! Random actions of the thread kinds, with templates in their parameters.

use hookc_schema::tree::{Action, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::{Span, Spanned};

use super::{Rng, pool};

/// Placeholders: paths of any type, with and without defaults.
const HOLES: &[&str] = &[
    "${limit_code}",
    "${event.limit_code}",
    "${cost}",
    "${cost.spend}",
    "${error.message ?? 'none'}",
    "${tags}",
    "${tags[-1]}",
    "${pressure_ratio ?? 0.5}",
    "${error.headers['retry-after']}",
    "${nothing ?? [1, {\"a\": null}]}",
    "${$.limit_value}",
    "${event}",
    "${a.b ?? null}",
];

/// Placeholders for lists of nodes: only as the whole string.
const NODES: &[&str] = &[
    "${$.tags[*]}",
    "${$..x ?? 'none'}",
    "${$.tags[-2:]}",
    "${ $['a']..c ?? {\"b\": []} }",
    "${$.tags[?@ > 1] ?? [0]}",
    "${$.event[?@.spend || @ == 'x'] ?? null}",
    "${$.cost..*}",
    "${$.tags[::-1]}",
    "${$.tags[0, -1, 0] ?? 1}",
    "${$['tags', 'cost'][*]}",
    "${$..[-1:]}",
    "${$.error[?length(@) > 3]}",
    "${$.error..[?@ != null && @ != 1]}",
    "${$.tags[?match(@, '[a-c]+') || search(@, 'é')]}",
    "${$.a[?@.c >= $.cost.spend].c}",
    "${$[?count(@.*) >= 2][*]}",
    "${$.event[?value(@..code) == 'x']}",
    "${$[?@.headers[?@ == 30]].headers}",
    "${$.classification[?@ <= 'rate_limited'] ?? {\"none\": true}}",
    "${$..['retry-after']}",
    "${$.tags[::2]}",
    "${$.tags[5:0:-2] ?? 'none'}",
];

/// Placeholders for what the event does, and those for a part of its commands.
const EFFECTS: &[&str] = &[
    "${effects()}",
    "${effects().all}",
    "${effects().all[*].object}",
    "${effects().all[?@.known == false].kind ?? 'none'}",
    "${effects().all[?@.implied].by}",
    "${effects().writes}",
    "${effects().reads[0] ?? 'nothing'}",
    "${effects().contacts ?? 1}",
    "${effects().unknown ?? 'known'}",
    "${effects().declared}",
];
const RUNS: &[&str] = &[
    "${effects().runs[0].name ?? 'nothing'}",
    "${effects().runs[-1].sub}",
    "${effects().runs[1].words ?? ''}",
    "${effects().runs[0].plain}",
];

/// Placeholders with numbers as defaults, and those with strings as defaults.
const NUMBERS: &[&str] =
    &["${limit_value}", "${pressure_ratio ?? 1}", "${$.limit_value ?? 20}", "${tags[-1]}", "${cost}"];
const STRINGS: &[&str] =
    &["${limit_code}", "${error.message ?? 'none'}", "${a.b ?? \"x\\u00e9\"}", "${tags[0]}"];

/// An action whose constant parameters have the declared types.
pub(super) fn action(rng: &mut Rng, has_effects: bool) -> Action {
    let effects = has_effects && rng.chance(40);
    let (kind, params) = match rng.below(8) {
        _ if effects => ("emit_event", vec![("event_type", string(rng)), ("payload", view(rng))]),
        0 => ("retry", vec![("max_attempts", integer(rng))]),
        1 => (
            "retry",
            vec![("backoff_policy", pool::string("fixed")), ("delay", pool::string(rng.pick(NUMBERS)))],
        ),
        2 => ("fail", vec![("error_message", string(rng))]),
        3 => ("abort", vec![]),
        4 => ("continue", vec![]),
        5 => (
            "escalate",
            vec![("target", pool::string("both")), ("timeout_seconds", pool::string(rng.pick(NUMBERS)))],
        ),
        6 => ("call_directive", vec![("directive", pool::string("d/e")), ("parameters", object(rng))]),
        _ => ("emit_event", vec![("event_type", string(rng)), ("payload", object(rng))]),
    };
    let at = |node: &str| Spanned::new(node.to_owned(), Span::default());
    Action {
        span: UncomparedSpan::default(),
        kind: at(kind),
        params: params.into_iter().map(|(key, value)| (at(key), value)).collect(),
        templates: true,
    }
}

/// What the event does.
fn view(rng: &mut Rng) -> Value {
    let member =
        |key: &str, value: Value| Member { key: Spanned::new(key.to_owned(), Span::default()), value };
    pool::value(Kind::Map(vec![
        member("what", pool::string(rng.pick(EFFECTS))),
        member("text", pool::string(&format!("it runs {}", rng.pick(RUNS)))),
    ]))
}

fn integer(rng: &mut Rng) -> Value {
    let integers = ["1", "2.0", "3", "1e1"];
    pool::value(Kind::Num(Number(rng.pick(&integers).to_owned())))
}

fn hole(rng: &mut Rng) -> Value {
    pool::string(if rng.chance(30) { rng.pick(NODES) } else { rng.pick(HOLES) })
}

/// Text that is a string for all values of its placeholders, or one typed placeholder.
fn string(rng: &mut Rng) -> Value {
    if rng.chance(40) {
        pool::string(rng.pick(STRINGS))
    } else {
        pool::string(&format!("is {}", rng.pick(HOLES)))
    }
}

fn text(rng: &mut Rng) -> Value {
    let singular = rng.pick(HOLES);
    pool::string(&match rng.below(4) {
        0 => singular.to_owned(),
        1 => format!("got {singular}: {}", rng.pick(HOLES)),
        2 => "plain $ and $${kept} and $x".to_owned(),
        _ => format!("$${{a}}{singular}"),
    })
}

fn object(rng: &mut Rng) -> Value {
    let keys = ["b", "a", "\u{10000}", "\u{ffff}", "${key}"];
    let mut members = Vec::new();
    for key in keys.into_iter().filter(|_| rng.chance(40)).collect::<Vec<_>>() {
        let value = match rng.below(4) {
            0 => hole(rng),
            1 => text(rng),
            2 => pool::value(Kind::Seq(vec![hole(rng), integer(rng)])),
            _ => integer(rng),
        };
        members.push(Member { key: Spanned::new(key.to_owned(), Span::default()), value });
    }
    pool::value(Kind::Map(members))
}
