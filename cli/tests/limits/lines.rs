//! Limits of command lines and of paths.

use hookc_shell::limits;
use hookc_shell::units::read;
use hookc_shell::{Cause, view};
use hookc_vm::format::file;
use hookc_vm::limits::{EFFECT_BYTES, FILE_PATH_BYTES};
use serde_json::Value;

use super::{Row, Test};

fn read_line(line: &str) -> Result<(), String> {
    read(line).map(drop).map_err(|problem| format!("{:?}", problem.cause))
}

fn bytes(size: usize) -> Result<(), String> {
    read_line(&"a".repeat(size))
}

/// Substitutions within one another.
fn depth(size: usize) -> Result<(), String> {
    read_line(&format!("{}a{}", "$(".repeat(size), ")".repeat(size)))
}

fn commands(size: usize) -> Result<(), String> {
    read_line(&"a;".repeat(size))
}

fn commands_of(line: &str) -> Value {
    let view: Value = serde_json::from_str(&view(line, None, Default::default())).unwrap();
    view["commands"].clone()
}

/// A word of so many alternatives: whether all of them are known.
fn words(size: usize) -> Result<(), String> {
    let commands = commands_of(&format!("rm {{{}x}}", "a,".repeat(size - 1)));
    let operands = commands[0]["operands"].as_array().cloned().unwrap_or_default();
    if operands.len() == size && operands.iter().all(Value::is_string) {
        Ok(())
    } else {
        Err(format!("{} operands, unknown", operands.len()))
    }
}

/// The last of so many variables.
fn variables(size: usize) -> Result<(), String> {
    let line: String = (1..=size).map(|at| format!("v{at}=x{at}; ")).collect();
    let commands = commands_of(&format!("{line}rm $v{size}"));
    let operand = &commands.as_array().unwrap().last().unwrap()["operands"][0];
    if *operand == *format!("x{size}") { Ok(()) } else { Err(format!("{operand} is unknown")) }
}

/// A path of so many bytes.
fn path(size: usize) -> Result<(), String> {
    let view: Value = serde_json::from_str(&file::view(&format!("/{}", "a".repeat(size - 1)), None)).unwrap();
    if view["ok"] == true { Ok(()) } else { Err(view["reason"].to_string()) }
}

pub(super) fn rows() -> Vec<Row> {
    let edge = |name, value, at, message| Row("shell", name, value, Test::Edge(at, message));
    let other = |name, value, file, function| Row("shell", name, value, Test::Elsewhere(file, function));
    // The messages are the names of these.
    let _ = [Cause::TooLong, Cause::TooDeep, Cause::TooManyCommands];
    vec![
        edge("SHELL_BYTES", limits::SHELL_BYTES, bytes, "TooLong"),
        edge("SHELL_DEPTH", limits::SHELL_DEPTH, depth, "TooDeep"),
        edge("SHELL_COMMANDS", limits::SHELL_COMMANDS, commands, "TooManyCommands"),
        edge("SHELL_WORDS", limits::SHELL_WORDS, words, "unknown"),
        edge("SHELL_VARIABLES", limits::SHELL_VARIABLES, variables, "unknown"),
        Row("vm", "FILE_PATH_BYTES", FILE_PATH_BYTES, Test::Edge(path, "too_long")),
        other(
            "SHELL_STEPS",
            limits::SHELL_STEPS,
            "shell/tests/growth.rs",
            "the_work_grows_no_faster_than_the_line",
        ),
        other(
            "SHELL_VIEW_BYTES",
            limits::SHELL_VIEW_BYTES,
            "shell/tests/members.rs",
            "a_view_is_too_large_whoever_reads_it",
        ),
        other("EFFECTS", limits::EFFECTS, "shell/tests/effects.rs", "limits_of_effects"),
        other("EFFECT_BYTES", limits::EFFECT_BYTES, "shell/tests/effects.rs", "limits_of_effects"),
        Row(
            "vm",
            "EFFECT_BYTES",
            EFFECT_BYTES,
            Test::Elsewhere("vm/tests/load.rs", "predicates_about_effects"),
        ),
    ]
}
