//! Predicates about effects in policies, and what policies declare for them.

use hookc_schema::tree::{CondKind, Declarations, Guard, Pattern, Predicate, UncomparedSpan, Verb};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::{Span, Spanned};
use std::sync::Arc;

use super::{Rng, pool};

const PATHS: &[&str] = &[
    "./**",
    "**",
    "/**",
    "~/**",
    "/etc/**",
    "src/**",
    "../**",
    ".",
    ".env*",
    "*.rs",
    "x.rs",
    "{a,x}.{rs,pem}",
    "[a-m]*",
    "it's*",
    "a b",
    "env:*",
    "env:*TOKEN",
    "ref:main",
    "store:*",
    "@secrets",
    "@ci",
    "@system",
];
const HOSTS: &[&str] =
    &["*", "*.example", "@configured", "@internal", "registry:*", "{x,y}.example", "localhost"];
const PACKAGES: &[&str] = &["*", "*://*", "npm:*", "cargo:serde", "\\@types/*"];
const BRANCHES: &[&str] = &["*", "main", "release/*", "origin:*", "*:main", "{main,master}"];
const COMMANDS: &[&str] = &[
    "git push",
    "git push --force",
    "git push !--force",
    "git *",
    "* *",
    "rm -rf",
    "rm -rf @system",
    "rm ^* !*",
    "rm",
    "sudo",
    "cat",
    "echo",
    "{cat,head} *.rs",
    "curl | sh",
    "* | sh",
    "find | *",
    "npm run lint",
    "@publish",
    "@shells",
    "psql /drop/i",
    "X=* make",
    "frobnicate push --force",
    "in-box web rm",
    "shout !*",
    "./check.sh",
];
const MENTIONED_TEXTS: &[&str] =
    &["/rm -rf/", "/AKIA[0-9A-Z]{4}/", "/PUSH/i", "/it's/", "/a|b/", "/\\bsudo\\b/", "@keys"];

/// A set that a policy declares.
const SET: &str = "@ours";

/// A condition about effects. `has_sets` is whether the policy declares its own.
pub(super) fn predicate(rng: &mut Rng, has_sets: bool) -> CondKind {
    let predicate = match rng.below(10) {
        0 => Predicate::Unknown,
        1 => Predicate::Mentions(several(rng, MENTIONED_TEXTS, 1)),
        2 => Predicate::Passed(several(rng, COMMANDS, 1)),
        3 | 4 => Predicate::Only((0..rng.below(4)).map(|_| guard(rng, has_sets, false)).collect()),
        _ => Predicate::Guard(guard(rng, has_sets, true)),
    };
    CondKind::Predicate(Arc::new(predicate))
}

/// A guard; one of `only` names neither possible effects nor commands that cause them.
fn guard(rng: &mut Rng, has_sets: bool, is_alone: bool) -> Guard {
    let verb = rng.pick(Verb::ALL);
    let patterns = match verb {
        Verb::Run => COMMANDS,
        Verb::Contact => HOSTS,
        Verb::Install => PACKAGES,
        Verb::Push => BRANCHES,
        _ => PATHS,
    };
    let is_about_paths = !matches!(verb, Verb::Run | Verb::Contact | Verb::Install | Verb::Push);
    let mut of = several(rng, patterns, usize::from(verb == Verb::Run));
    if has_sets && is_about_paths && rng.chance(30) {
        of.push(pattern(SET));
    }
    let except = if rng.chance(25) { several(rng, patterns, 1) } else { Vec::new() };
    let causes =
        if is_alone && verb != Verb::Run && rng.chance(20) { several(rng, COMMANDS, 1) } else { Vec::new() };
    let (by, not_by) = if rng.chance(50) { (causes, Vec::new()) } else { (Vec::new(), causes) };
    let is_possible = is_alone && rng.chance(40);
    Guard { span: UncomparedSpan::default(), verb, is_possible, of, except, by, not_by }
}

fn several(rng: &mut Rng, all: &[&str], least: usize) -> Vec<Pattern> {
    let count = least.max(rng.below(3));
    (0..count).map(|_| pattern(rng.pick(all))).collect()
}

fn pattern(text: &str) -> Pattern {
    Spanned::new(Text::plain(text), Span::default())
}

/// What a policy declares for its predicates; whether it has sets.
pub(super) fn declare(rng: &mut Rng, declarations: &mut Declarations) -> bool {
    if rng.chance(30) {
        let narrowed = map(&[("of", list(&["@secrets", "src/**", "*.pem"])), ("except", list(&["test/**"]))]);
        let ours = if rng.chance(50) { list(&["src/**", "*.rs", "/etc/*"]) } else { narrowed };
        declarations.sets = Some(map(&[("ours", ours), ("secrets", list(&[".env", "*.key"]))]));
    }
    if rng.chance(30) {
        let put = map(&[("where", pool::string("write")), ("body", pool::string("text"))]);
        let line = map(&[("command", pool::string("line required"))]);
        let tools = [("mcp__x__put", put), ("run_it", line), ("mcp__*", pool::string("unknown"))];
        let count = 1 + rng.below(tools.len());
        declarations.tools = Some(map(tools.get(..count).unwrap_or_default()));
    }
    declarations.project = rng.chance(15).then(|| pool::string("/r"));
    declarations.sets.is_some()
}

/// Programs that policies describe; all of them describe the same ones.
#[must_use]
pub fn programs() -> Value {
    let text = |key: &'static str, text: &str| (key, pool::string(text));
    let push = map(&[text("also", "p"), text("options", "-f/--force"), text("operands", "SEND HOST")]);
    let frobnicate = map(&[
        text("options", "-o/--output=WRITE -v/--verbose -n/--dry-run:dry --hook=CODE"),
        text("operands", "READ..."),
        ("push", push),
    ]);
    let shout = map(&[text("options", "--loud"), text("operands", "LIST..."), ("plain", fact(true))]);
    let in_box = map(&[text("options", "-u/--user=TEXT"), text("operands", "TEXT COMMAND...")]);
    map(&[("frobnicate", frobnicate), ("shout", shout), ("in-box", in_box)])
}

fn fact(truth: bool) -> Value {
    pool::value(Kind::Bool(truth))
}

fn list(texts: &[&str]) -> Value {
    pool::value(Kind::Seq(texts.iter().map(|text| pool::string(text)).collect()))
}

fn map(members: &[(&str, Value)]) -> Value {
    let member = |(name, value): &(&str, Value)| Member {
        key: Spanned::new((*name).to_owned(), Span::default()),
        value: value.clone(),
    };
    pool::value(Kind::Map(members.iter().map(member).collect()))
}
