//! Limits of events, and of what a policy does with them.

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_vm::limits as vm;
use hookc_vm::{DecideOptions, Module, Scratch};

use super::{Row, Test};

/// The module of a policy, or its errors.
pub(super) fn built(text: &str, dialect: Dialect) -> Result<Module, String> {
    let mut sources = Sources::new();
    let source = sources.add("policy", text);
    let compiled = compile(&mut sources, &[Input::new(source).with_dialect(dialect)], &Options::default());
    let errors = compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let why: Vec<&str> = errors.map(|diagnostic| diagnostic.message.as_str()).collect();
    let bytes = compiled.module.ok_or_else(|| why.join("; "))?;
    Module::load(bytes).map_err(|error| error.to_string())
}

/// What a hook with this condition decides, and the action that it renders.
fn decided(condition: &str, event: &str) -> Result<usize, String> {
    let action = r#"{type: fail, error_message: "${shown ?? 'none'}"}"#;
    let text = format!("hooks: [{{event: t, {condition}, action: {action}}}]");
    let module = built(&text, Dialect::HooksYaml)?;
    let mut scratch = Scratch::new();
    let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
    let decision = decision.map_err(|error| error.to_string())?;
    for hook in decision.hooks() {
        hook.render(&mut String::new()).map_err(|error| error.to_string())?;
    }
    Ok(decision.hooks().len())
}

fn event(members: &str) -> String {
    format!("{{\"event_type\":\"t\",{members}}}")
}

fn bytes(size: usize) -> Result<(), String> {
    let around = event("\"x\":\"\"").len();
    decided("when: x == 'a'", &event(&format!("\"x\":\"{}\"", "a".repeat(size - around)))).map(drop)
}

fn depth(size: usize) -> Result<(), String> {
    let (open, close) = ("[".repeat(size - 1), "]".repeat(size - 1));
    decided("when: x == 'a'", &event(&format!("\"x\":{open}{close}"))).map(drop)
}

fn exponent(size: usize) -> Result<(), String> {
    decided("when: x > 1", &event(&format!("\"x\":1e{size}"))).map(drop)
}

fn rendered(size: usize) -> Result<(), String> {
    decided("when: x == 1", &event(&format!("\"x\":1,\"shown\":\"{}\"", "a".repeat(size)))).map(drop)
}

/// A pattern beyond the limit matches nothing.
fn pattern_of_event(size: usize) -> Result<(), String> {
    let members = format!("\"a\":[{{\"k\":\"b\"}}],\"s\":\"b|(abc){{0,{size}}}d\"");
    let found = decided("when: \"$.a[?search(@.k, $.s)].k == 'b'\"", &event(&members))?;
    if found == 1 { Ok(()) } else { Err("the pattern matches nothing".to_owned()) }
}

fn values(size: usize) -> Result<(), String> {
    decided("when: \"$.a[*] == 'x'\"", &event(&format!("\"a\":[{}1]", "1,".repeat(size)))).map(drop)
}

/// A string with an escape, of so many bytes.
fn late(size: usize) -> Result<(), String> {
    let text = format!("\\u0061{}", "a".repeat(size - 6));
    let found = decided("when: x starts_with 'aaa'", &event(&format!("\"x\":\"{text}\"")))?;
    if found == 1 { Ok(()) } else { Err(format!("{found} hooks match")) }
}

/// A dense event of so many bytes.
fn dense(size: usize) -> Result<(), String> {
    let found =
        decided("when: x == 'y'", &event(&format!("\"a\":[{}1],\"x\":\"y\"", "1,".repeat(size / 2))))?;
    if found == 1 { Ok(()) } else { Err(format!("{found} hooks match")) }
}

/// An event with a token in so many bytes.
fn density(size: usize) -> Result<(), String> {
    let one = format!("\"{}\",", "a".repeat(size * 2));
    let found = decided("when: x == 'y'", &event(&format!("\"a\":[{}1],\"x\":\"y\"", one.repeat(40_000))))?;
    if found == 1 { Ok(()) } else { Err(format!("{found} hooks match")) }
}

/// So many bytes that are no module: what is accepted is their number.
fn module(size: usize) -> Result<(), String> {
    let error = Module::load(vec![0; size]).map(drop).unwrap_err().to_string();
    if error.contains("not a") { Ok(()) } else { Err(error) }
}

pub(super) fn rows() -> Vec<Row> {
    let edge = |name, value, at, message| Row("vm", name, value, Test::Edge(at, message));
    let search = |name, value, at, most, message| Row("vm", name, value, Test::Search(at, most, message));
    let other = |name, value, file, function| Row("vm", name, value, Test::Elsewhere(file, function));
    vec![
        edge("EVENT_BYTES", vm::EVENT_BYTES, bytes, "the event is larger than 16777216 bytes"),
        edge("EVENT_DEPTH", vm::EVENT_DEPTH, depth, "deeper than 128"),
        edge("EXPONENT", vm::EXPONENT as usize, exponent, "an exponent beyond 10000"),
        edge("MODULE_BYTES", vm::MODULE_BYTES, module, "1073741825 bytes"),
        search("RENDERED_BYTES", vm::RENDERED_BYTES, rendered, 2 << 20, "more than 1048576 bytes"),
        search("EVENT_REGEX_BYTES", vm::EVENT_REGEX_BYTES, pattern_of_event, 20_000, "matches nothing"),
        search("EVENT_VALUES", vm::EVENT_VALUES, values, 1 << 20, "more than 458752 values"),
        Row("vm", "LATE_BYTES", vm::LATE_BYTES, Test::Same(late)),
        Row("vm", "DENSE_BYTES", vm::DENSE_BYTES, Test::Same(dense)),
        Row("vm", "DENSE_TOKEN", vm::DENSE_TOKEN, Test::Same(density)),
        other("MODULE_DEPTH", vm::MODULE_DEPTH, "vm/tests/load.rs", "depth_is_bounded"),
        other("SCHEMA_STEPS", vm::SCHEMA_STEPS, "vm/tests/schema.rs", "work_and_depth_are_bounded"),
        other("SCHEMA_DEPTH", vm::SCHEMA_DEPTH, "vm/tests/schema.rs", "the_deepest_walk_fits"),
        other("QUERY_STEPS", vm::QUERY_STEPS, "vm/tests/query.rs", "steps_are_bounded"),
        other("QUERY_DEPTH", vm::QUERY_DEPTH, "vm/tests/query.rs", "depth_is_bounded"),
        other("EVENT_VIEWS", vm::EVENT_VIEWS, "vm/tests/view.rs", "the_number_of_views_is_limited"),
        other("INDEX_DEPTH", vm::INDEX_DEPTH, "compiler/tests/indexes.rs", "indexes_nest_up_to_the_limit"),
    ]
}
