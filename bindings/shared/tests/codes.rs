//! What lists the codes of errors for people and for TypeScript is made of the tables of the crates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "tests")]

use std::fmt::Write as _;
use std::path::Path;

use hookc::{ActionError, DecideError, EventError, LoadError, RenderError};
use hookc_bindings::Status;

/// Kind, code and meaning.
type Rows = Vec<(&'static str, &'static str, &'static str)>;

/// The codes of a table of a crate.
fn of(kind: &'static str, tables: &[&[(&'static str, &'static str)]]) -> Rows {
    tables.concat().into_iter().map(|(code, meaning)| (kind, code, meaning)).collect()
}

/// The codes that are the names of their kinds.
fn own() -> Rows {
    let of = |status: Status, meaning| (status.name(), status.name(), meaning);
    vec![
        of(
            Status::Argument,
            "an argument is null, of the wrong type, not UTF-8, out of range or an unknown name",
        ),
        of(Status::Handle, "a handle is not one of its kind, or was freed"),
        of(Status::Memory, "there is not enough memory"),
        of(Status::Internal, "a fault of hookc itself"),
        of(Status::Snapshot, "the bytes are not a snapshot of a session, or are damaged"),
    ]
}

/// The codes of every binding.
fn shared() -> Rows {
    let module = of(Status::Module.name(), &[LoadError::CODES]);
    [own(), module, of(Status::Event.name(), &[EventError::CODES, DecideError::CODES])].concat()
}

/// The codes of threads.
const THREAD: [(&str, &str, &str); 4] = [
    ("thread", "waiting", "the thread is suspended, or waits for an answer (Python, Node)"),
    (
        "thread",
        "busy",
        "the thread handles another event, or an action of it has no result yet (Python, Node)",
    ),
    ("thread", "state", "the text is not the state of a thread (Python, Node)"),
    ("thread", "idle", "no action of the thread waits for a result (Node)"),
];

/// The codes of Python and Rust alone.
fn more() -> Rows {
    let mut rows = vec![
        ("event", "number", "a `dict` has a number that JSON does not have, such as `nan` (Python)"),
        ("file", "file", "a file of a policy cannot be read (Python, Rust)"),
    ];
    rows.extend(of("action", &[RenderError::CODES, ActionError::CODES]));
    rows.extend(THREAD);
    rows
}

/// Replaces the part of a file from a line that starts with `first` up to the last line after it that starts
/// with `more`, and compares.
fn expect(path: &str, (first, more): (&str, &str), part: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with(first)).expect("the part is there");
    let length = lines.iter().skip(start).take_while(|line| line.starts_with(more)).count();
    let before = lines.iter().take(start).copied();
    let all: Vec<&str> =
        before.chain(part.lines()).chain(lines.iter().skip(start + length).copied()).collect();
    hookc_corpus::expect(&path, &format!("{}\n", all.join("\n"))).unwrap();
}

#[test]
fn the_document_has_every_code() {
    let mut rows = shared();
    rows.push(("policy", "`E0406`", "the code of the first error: [diagnostics](diagnostics.md)"));
    rows.extend(more());
    let mut table = "| kind | code | meaning |\n|---|---|---|".to_owned();
    for (kind, code, meaning) in rows {
        let code = if code.starts_with('`') { code.to_owned() } else { format!("`{code}`") };
        let _ = write!(table, "\n| {kind} | {code} | {meaning} |");
    }
    expect("docs/bindings.md", ("| kind | code |", "|"), &table);
}

#[test]
fn the_types_have_every_code() {
    let mut codes: Vec<String> = Vec::new();
    for (_, code, _) in shared().into_iter().chain(THREAD) {
        let code = format!("\"{code}\"");
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    codes.push("`E${number}`".to_owned());
    let part = format!(" * @typedef {{{}}} ErrorCode", codes.join(" | "));
    expect(
        "bindings/node/src/error.js",
        (" * @typedef {\"argument\" | \"handle\" | \"memory\" | \"internal\"", " * @typedef"),
        &part,
    );
}

#[test]
fn no_kind_has_a_code_twice() {
    let mut seen: Vec<(&str, &str)> = shared().iter().map(|(kind, code, _)| (*kind, *code)).collect();
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all);
    assert!(all > 20, "{all} codes");
}
