//! Limits of what a policy declares.

use hookc_compiler::disasm::describe::Names;
use hookc_compiler::{Dialect, explain, limits as compiler};
use hookc_shell::limits as shell;
use hookc_vm::limits as vm;
use hookc_vm::{DecideOptions, Scratch};

use super::events::built;
use super::{Row, Test};

fn yaml(text: &str) -> Result<(), String> {
    built(text, Dialect::HooksYaml).map(drop)
}

fn leaf(leaf: &str) -> Result<(), String> {
    yaml(&format!("hooks: [{{event: t, condition: {{path: x, {leaf}}}, action: {{type: continue}}}}]"))
}

fn pattern(size: usize) -> Result<(), String> {
    leaf(&format!("op: regex, value: '(abc){{{size}}}'"))
}

fn glob(size: usize) -> Result<(), String> {
    leaf(&format!("op: glob, value: {}", "a".repeat(size)))
}

fn alternatives(size: usize) -> Result<(), String> {
    leaf(&format!("op: glob, value: '{}a{}'", "{b,".repeat(size), "}".repeat(size)))
}

fn divisor(size: usize) -> Result<(), String> {
    leaf(&format!("op: matches, value: {{multipleOf: {}}}", "1".repeat(size)))
}

fn wrappers(size: usize) -> Result<(), String> {
    let names: Vec<String> = (0..size).map(|at| format!("w{at}")).collect();
    yaml(&format!(
        "wrappers: [{}]\nhooks: [{{event: t, when: \"some(c in shell(x).commands: c.name == 'a')\", action: {{type: continue}}}}]",
        names.join(", ")
    ))
}

fn described(size: usize) -> Result<(), String> {
    let programs: Vec<String> = (0..size).map(|at| format!("p{at}: {{operands: TEXT}}")).collect();
    yaml(&format!(
        "programs: {{{}}}\nhooks: [{{event: t, when: \"some(c in shell(x).commands: c.name == 'a')\", action: {{type: continue}}}}]",
        programs.join(", ")
    ))
}

fn regexes(size: usize) -> Result<(), String> {
    let programs: Vec<String> =
        (0..size).map(|at| format!("p{at}: {{operands: CODE, escapes: '(x)'}}")).collect();
    yaml(&format!(
        "programs: {{{}}}\nhooks: [{{event: t, when: \"some(c in shell(x).commands: c.name == 'a')\", action: {{type: continue}}}}]",
        programs.join(", ")
    ))
}

fn wrapper(more: &str) -> Result<(), String> {
    yaml(&format!(
        "wrappers: [{{name: w, {more}}}]\nhooks: [{{event: t, when: \"some(c in shell(x).commands: c.name == 'a')\", \
         action: {{type: continue}}}}]"
    ))
}

fn wrapper_options(size: usize) -> Result<(), String> {
    let names: Vec<String> = (0..size).map(|at| format!("\"--o{at}\"")).collect();
    wrapper(&format!("options_with_values: [{}]", names.join(", ")))
}

fn wrapper_operands(size: usize) -> Result<(), String> {
    wrapper(&format!("operands: {size}"))
}

/// A hook of `events` events, and all of it but their names of `body` bytes. Also the bytes of the names.
fn at_events(events: usize, body: usize) -> (String, usize) {
    let names: Vec<String> = (0..events).map(|at| format!("e{at}")).collect();
    let length = names.iter().map(String::len).sum();
    let hook = format!("{{event: [{}], when: x == 1, action: {{type: continue}}", names.join(", "));
    let padding = body + length - hook.len() - 1;
    (format!("  - {hook}{}}}\n", " ".repeat(padding)), length)
}

/// A policy whose hooks repeat exactly `copies` bytes more than [`compiler::EVENT_ALLOWANCE`] allows for
/// them. A hook of 1017 events repeats its body 1016 times, and 16 times are allowed, so each byte adds a thousand; a
/// hook of 18 adds the rest, byte by byte.
fn repeating(copies: usize) -> String {
    let allowed = |names: usize| compiler::EVENT_ALLOWANCE * names;
    let names = |events: usize| at_events(events, 20_000).1;
    let many = (copies + allowed(names(1017))) / 1_000 - 5;
    let few = copies + allowed(names(1017)) - 1_000 * many + allowed(names(18));
    at_events(1017, many).0 + &at_events(18, few).0
}

fn copies(size: usize) -> Result<(), String> {
    yaml(&format!("hooks:\n{}", repeating(size)))
}

/// The hook of one event repeats nothing, and lets the others repeat `size` times its bytes more.
fn allowance(size: usize) -> Result<(), String> {
    let one = at_events(1, 300).0;
    let bytes = one.trim_start_matches("  - ").trim_end().len();
    yaml(&format!("hooks:\n{one}{}", repeating(compiler::EVENT_COPIES + size * bytes)))
}

/// A template after so many programs that start each other.
fn programs(size: usize) -> Result<(), String> {
    let more = "env, ".repeat(size - 1);
    yaml(&format!(
        "hooks: [{{event: PreToolUse, action: {{type: run, command: env, args: [{more}echo, \"${{tool_input.command}}\"]}}}}]"
    ))
}

/// A condition of so many tests.
fn explained(size: usize) -> Result<(), String> {
    let tests: Vec<String> = (0..size).map(|at| format!("a{at} == 1")).collect();
    let text =
        format!("hooks: [{{event: t, when: \"{}\", action: {{type: continue}}}}]", tests.join(" and "));
    let module = built(&text, Dialect::HooksYaml)?;
    let (tables, mut scratch) = (module.tables().unwrap(), Scratch::new());
    let names = Names::new(tables);
    let mut probe = module
        .probe(&mut scratch, br#"{"event_type":"t"}"#, &DecideOptions::default())
        .map_err(|e| e.to_string())?;
    let part = explain::condition(&tables, &names, &mut probe, 0).map_err(|error| error.to_string())?;
    part.map(drop).ok_or_else(|| "not explained".to_owned())
}

pub(super) fn rows() -> Vec<Row> {
    let edge = |place, name, value, at, message| Row(place, name, value, Test::Edge(at, message));
    let other = |name, value, file, function| Row("compiler", name, value, Test::Elsewhere(file, function));
    vec![
        Row(
            "vm",
            "REGEX_BYTES",
            vm::REGEX_BYTES,
            Test::Search(pattern, 900_000, "compiles to more than 1024 KiB"),
        ),
        edge("vm", "GLOB_BYTES", vm::GLOB_BYTES, glob, "longer than 64 KiB"),
        edge("vm", "GLOB_DEPTH", vm::GLOB_DEPTH, alternatives, "16"),
        edge("vm", "DIVISOR_DIGITS", vm::DIVISOR_DIGITS, divisor, "not too long"),
        edge("shell", "SHELL_WRAPPERS", shell::SHELL_WRAPPERS, wrappers, "more than 256 wrappers"),
        edge("shell", "SHELL_PROGRAMS", shell::SHELL_PROGRAMS, described, "more than 256 programs"),
        edge("shell", "SHELL_REGEXES", shell::SHELL_REGEXES, regexes, "more than 64 regexes"),
        edge("shell", "SHELL_WRAPPER_OPTIONS", shell::SHELL_WRAPPER_OPTIONS, wrapper_options, "64"),
        edge(
            "shell",
            "SHELL_WRAPPER_OPERANDS",
            shell::SHELL_WRAPPER_OPERANDS,
            wrapper_operands,
            "cannot have 9 operands",
        ),
        other("HOOKS", compiler::HOOKS, "compiler/src/link/mod.rs", "the_limit_counts_hooks_by_event"),
        edge("compiler", "EVENT_COPIES", compiler::EVENT_COPIES, copies, "events each repeat the"),
        edge("compiler", "EVENT_ALLOWANCE", compiler::EVENT_ALLOWANCE, allowance, "events each repeat the"),
        other(
            "SCHEMA_NODES",
            compiler::SCHEMA_NODES,
            "compiler/src/schema/scope.rs",
            "the_limit_of_nodes_is_exact",
        ),
        edge("shell", "PROGRAM_NESTING", shell::PROGRAM_NESTING, programs, "template"),
        edge("compiler", "EXPLAINED_TESTS", compiler::EXPLAINED_TESTS, explained, "not explained"),
    ]
}
