//! The pools that policies and events draw from.

use hookc_schema::Span;
use hookc_schema::tree::{Path, PathKind, Query, Segment, Selector, Step, View, ViewKind};
use hookc_schema::value::{Kind, Member, Number, Text, Value};

use super::{Rng, query};

/// Event types: declared ones, and an undeclared one.
pub(super) const EVENTS: &[&str] =
    &["error", "limit", "context_window_pressure", "before_step", UNDECLARED, UNDECLARED];
/// An event that no vocabulary declares.
pub(super) const UNDECLARED: &str = "my_event";

/// Paths as steps: words are names, numbers are indexes.
pub(super) const PATHS: &[&[&str]] = &[
    &["limit_code"],
    &["event", "limit_code"],
    &["limit_value"],
    &["error", "code"],
    &["event", "error", "code"],
    &["error", "message"],
    &["error", "headers", "retry-after"],
    &["error"],
    &["classification", "category"],
    &["classification", "retryable"],
    &["cost", "spend"],
    &["event", "cost", "spend"],
    &["cost"],
    &["turn_number"],
    &["tokens_used"],
    &["max_tokens"],
    &["pressure_ratio"],
    &["event", "pressure_ratio"],
    &["event", "directive"],
    &["event", "type"],
    &["event"],
    &["tags"],
    &["tags", "0"],
    &["tags", "-1"],
    &["tags", "-2", "x"],
    &["tags", "1", "x"],
    &["a", "b", "c"],
    &["a", "b"],
    &["odd key.]'\"\\", "in"],
    &["in", "not"],
    &["hookéπ"],
];

/// Numbers as written.
pub(super) const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "1.0",
    "1e0",
    "10e-1",
    "2",
    "10",
    "0.8",
    "0.80",
    "8e-1",
    "0.85",
    "-1",
    "1.5",
    "100",
    "9007199254740993",
    "9007199254740992.0",
    "1e21",
    "1000000000000000000000",
    "1e+21",
    "1e-7",
    "0.0000001",
    "123456789012345678901234567890",
    "1e300",
    "5e-324",
    "1e400",
    "1e10000",
    "-1e-10000",
    "3",
    "7200",
];

/// Strings.
pub(super) const STRINGS: &[&str] = &[
    "",
    "a",
    "A",
    "abc",
    "ABC",
    "xabcx",
    "rate_limited",
    "Rate_Limited",
    "transient",
    "permanent",
    "1",
    "1.5",
    "true",
    "null",
    "1e+21",
    "spend_exceeded",
    "rm -rf /",
    "/r",
    "/r/src",
    "src/x.rs",
    ".env",
    "rs",
    "unknown_cwd",
    "rm",
    "git",
    "push",
    "/r",
    "sudo",
    "src/main.rs",
    "src/a/b.rs",
    "README.md",
    "é",
    "É",
    "ſ",
    "s",
    "straße",
    "STRASSE",
    "K",
    "k",
    "\u{212a}",
    "σ",
    "ς",
    "Σ",
    "a\"b\\c\n",
    "it's",
    "'",
    // `\'` alone is no I-Regexp, but one for `jsonpath-rust` (`tests/jsonpath.rs`).
    "\\'\\",
    "C:\\new\\",
    "//",
    "\u{8}\u{7f}\u{202e}",
    "\u{1f600}",
    "${limit_code}",
    "$${x}",
    "no",
    "error",
    "limit",
    "\u{7f}\u{85}\u{2028}",
];

pub(super) fn value(kind: Kind) -> Value {
    Value::new(kind, Span::default())
}

pub(super) fn string(text: &str) -> Value {
    value(Kind::Str(Text::plain(text)))
}

pub(super) fn number(rng: &mut Rng) -> Value {
    value(Kind::Num(Number(rng.pick(NUMBERS).to_owned())))
}

pub(super) fn scalar(rng: &mut Rng) -> Value {
    match rng.below(10) {
        0 => value(Kind::Null),
        1 => value(Kind::Bool(rng.chance(50))),
        2..=4 => number(rng),
        _ => string(rng.pick(STRINGS)),
    }
}

pub(super) fn any(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(8) {
        0 if depth > 0 => value(Kind::Seq((0..rng.below(4)).map(|_| any(rng, depth - 1)).collect())),
        1 if depth > 0 => {
            let keys = ["x", "c", "code", "retry-after"];
            let members =
                keys.iter().filter(|_| rng.chance(40)).map(|key| (*key).to_owned()).collect::<Vec<_>>();
            let member = |key: String| Member {
                key: hookc_schema::Spanned::new(key, Span::default()),
                value: any(rng, depth - 1),
            };
            value(Kind::Map(members.into_iter().map(member).collect()))
        }
        _ => scalar(rng),
    }
}

/// A path of the pool, in the shorthand or now and then from `$`.
pub(super) fn path(rng: &mut Rng) -> Path {
    if rng.chance(12) {
        let rest = members(rng.pick(MEMBERS));
        return view(rng, ViewKind::Shell, rest);
    }
    if rng.chance(10) {
        let rest = members(rng.pick(FILE_MEMBERS));
        return view(rng, ViewKind::File, rest);
    }
    if rng.chance(6) {
        let rest = members(rng.pick(SIZE_MEMBERS));
        return view(rng, ViewKind::Size, rest);
    }
    let steps = words(rng);
    let kind = if rng.chance(12) {
        PathKind::Query(Query { segments: segments(steps) })
    } else {
        PathKind::Short(steps.into())
    };
    Path { span: Span::default(), text: "".into(), kind }
}

/// Members of the view of effects.
const EFFECTS: &[&[&str]] = &[
    &[],
    &["all", "0", "kind"],
    &["all", "-1", "object"],
    &["all", "0", "by"],
    &["runs", "0", "name"],
    &["runs", "-1", "sub"],
    &["runs", "0", "words"],
    &["runs", "0", "plain"],
    &["reads", "0"],
    &["reads"],
    &["uses", "-1"],
    &["lists", "0"],
    &["writes", "0"],
    &["writes"],
    &["deletes", "0"],
    &["sends", "0"],
    &["contacts", "0"],
    &["installs", "0"],
    &["pushes", "0"],
    &["code", "0"],
    &["declared"],
    &["unknown"],
];

/// Members of an effect, and of a command.
const OF_EFFECTS: &[&str] = &["kind", "object", "known", "tree", "implied", "assumed", "by", "command"];
const OF_COMMANDS: &[&str] = &["name", "sub", "words", "plain"];

/// A path into what the event does.
pub(super) fn effects(rng: &mut Rng) -> Path {
    let several = rng.chance(30);
    let rest = match (several, rng.chance(60)) {
        (false, _) => members(rng.pick(EFFECTS)),
        (true, is_effect) => {
            let (list, names) = if is_effect { ("all", OF_EFFECTS) } else { ("runs", OF_COMMANDS) };
            let mut rest = members(&[list]);
            rest.push(Segment::Child(vec![Selector::Wildcard]));
            rest.extend(
                rng.chance(60).then(|| rng.pick(names)).into_iter().flat_map(|name| members(&[name])),
            );
            rest
        }
    };
    let root = PathKind::Query(Query::default());
    let source = Path { span: Span::default(), text: "".into(), kind: root };
    let view = View { kind: ViewKind::Effects, source, rest: Query { segments: rest } };
    Path { span: Span::default(), text: "".into(), kind: PathKind::View(Box::new(view)) }
}

/// Sometimes a path that can select several values.
pub(super) fn left(rng: &mut Rng) -> Path {
    if !rng.chance(25) {
        return path(rng);
    }
    if rng.chance(25) {
        let rest = nodes(rng);
        return view(rng, ViewKind::Shell, rest);
    }
    let kind = PathKind::Query(query::query(rng));
    Path { span: Span::default(), text: "".into(), kind }
}

/// The paths of command lines.
const LINES: &[&[&str]] =
    &[LINE, LINE, LINE, &["event", "tool_input", "command"], &["error", "message"], &["a", "b"]];

/// The path of the command line of a tool.
pub(super) const LINE: &[&str] = &["tool_input", "command"];

/// Members of a view, and some that it does not have.
const MEMBERS: &[&[&str]] = &[
    &[],
    &["ok"],
    &["reason"],
    &["opaque", "0"],
    &["commands"],
    &["commands", "0"],
    &["commands", "0", "name"],
    &["commands", "-1", "name"],
    &["commands", "1", "sub"],
    &["commands", "0", "flags", "f"],
    &["commands", "-1", "flags", "force"],
    &["commands", "0", "operands", "0"],
    &["commands", "0", "args"],
    &["commands", "0", "cwd"],
    &["commands", "-1", "via", "0"],
    &["commands", "0", "redirects", "0", "inside"],
    &["commands", "0", "known"],
    &["0"],
];

/// The paths of files.
const FILES: &[&[&str]] =
    &[FILE, FILE, FILE, &["event", "tool_input", "file_path"], LINE, &["cwd"], &["a", "b"]];

/// The path of the file of a tool.
pub(super) const FILE: &[&str] = &["tool_input", "file_path"];

/// Members of the view of a path, and some that it does not have.
const FILE_MEMBERS: &[&[&str]] = &[
    &[],
    &["ok"],
    &["reason"],
    &["path"],
    &["path"],
    &["inside"],
    &["inside"],
    &["relative"],
    &["name"],
    &["extension"],
    &["commands"],
    &["0"],
];

/// Members of the view of a size, and some that it does not have.
const SIZE_MEMBERS: &[&[&str]] = &[&["length"], &["length"], &["bytes"], &["lines"], &["path"], &["0"]];

/// The paths of texts, lists and objects.
const SIZES: &[&[&str]] = &[LINE, &["a"]];

fn view(rng: &mut Rng, kind: ViewKind, rest: Vec<Segment>) -> Path {
    let steps = parsed(rng.pick(match kind {
        ViewKind::Shell => LINES,
        ViewKind::File | ViewKind::Effects => FILES,
        ViewKind::Size => SIZES,
    }));
    let path = if rng.chance(20) {
        PathKind::Query(Query { segments: segments(steps) })
    } else {
        PathKind::Short(steps.into())
    };
    let source = Path { span: Span::default(), text: "".into(), kind: path };
    let kind = PathKind::View(Box::new(View { kind, source, rest: Query { segments: rest } }));
    Path { span: Span::default(), text: "".into(), kind }
}

fn members(words: &[&str]) -> Vec<Segment> {
    segments(parsed(words))
}

/// Several nodes of a view.
fn nodes(rng: &mut Rng) -> Vec<Segment> {
    if rng.chance(20) {
        let name = rng.pick(&["name", "f", "path", "args"]).to_owned();
        return vec![Segment::Descendant(vec![Selector::Name(name)])];
    }
    let mut all = members(&["commands"]);
    all.push(match rng.below(4) {
        0 => query::several(rng, 1),
        _ => Segment::Child(vec![Selector::Wildcard]),
    });
    all.extend(members(rng.pick(&[
        &[][..],
        &["name"],
        &["name"],
        &["sub"],
        &["flags", "f"],
        &["operands", "0"],
        &["args"],
        &["known"],
    ])));
    if rng.chance(30) {
        all.push(Segment::Child(vec![Selector::Wildcard]));
    }
    all
}

/// A path of the pool after `$`.
pub(super) fn steps(rng: &mut Rng) -> Vec<Segment> {
    segments(words(rng))
}

fn words(rng: &mut Rng) -> Vec<Step> {
    parsed(rng.pick(PATHS))
}

fn parsed(words: &[&str]) -> Vec<Step> {
    let step = |word: &&str| match word.parse::<i64>() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Name((*word).to_owned()),
    };
    words.iter().map(step).collect()
}

fn segments(steps: Vec<Step>) -> Vec<Segment> {
    steps.iter().filter_map(Step::segment).collect()
}
