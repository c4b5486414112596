//! Limits of what a policy declares.

use hookc_compiler::{Dialect, limits as compiler};
use hookc_vm::limits as vm;

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
        edge("vm", "SHELL_WRAPPERS", vm::SHELL_WRAPPERS, wrappers, "more than 256 wrappers"),
        edge("vm", "SHELL_WRAPPER_OPTIONS", vm::SHELL_WRAPPER_OPTIONS, wrapper_options, "64"),
        edge(
            "vm",
            "SHELL_WRAPPER_OPERANDS",
            vm::SHELL_WRAPPER_OPERANDS,
            wrapper_operands,
            "cannot have 9 operands",
        ),
        other("HOOKS", compiler::HOOKS, "compiler/src/link/mod.rs", "the_limit_counts_hooks_by_event"),
        other("EVENT_COPIES", compiler::EVENT_COPIES, "compiler/tests/growth.rs", "listed"),
        other("EVENT_ALLOWANCE", compiler::EVENT_ALLOWANCE, "compiler/tests/growth.rs", "listed"),
        other(
            "SCHEMA_NODES",
            compiler::SCHEMA_NODES,
            "compiler/tests/schema.rs",
            "large_schemas_take_time_by_their_size",
        ),
        other(
            "PROGRAM_NESTING",
            compiler::PROGRAM_NESTING,
            "compiler/src/check/argv/tests.rs",
            "many_words_take_linear_time",
        ),
        other("EXPLAINED_TESTS", compiler::EXPLAINED_TESTS, "compiler/src/explain/mod.rs", "condition"),
    ]
}
