//! The commands of a line, and a condition for one of them.

use hookc_schema::tree::Step;
use hookc_shell as shell;
use hookc_shell::programs;
use hookc_syntax::expr::print;
use serde_json::Value;

use super::sample::Sample;

/// The members of a command that two spellings have in common.
const COMPARED: [&str; 6] = ["name", "sub", "flags", "operands", "path", "runs"];

/// The commands that a line starts.
pub(super) struct Commands(Vec<Value>);

impl Commands {
    /// Those of a line that can be read, and whose first program is known.
    pub(super) fn of(line: &str) -> Option<Self> {
        let view: Value = serde_json::from_str(&shell::view(line, None, &[])).ok()?;
        let is_ok = view.get("ok") == Some(&Value::Bool(true));
        let commands = view.get("commands").filter(|_| is_ok)?.as_array()?;
        let named = commands.first()?.get("name").is_some_and(Value::is_string);
        named.then(|| Self(commands.clone()))
    }

    /// Whether another line starts them too, in their order.
    pub(super) fn are_in(&self, line: &str) -> bool {
        let Some(other) = Self::of(line) else { return false };
        let mut rest = other.0.iter();
        self.0.iter().all(|own| rest.any(|other| same(own, other)))
    }

    /// The only command, of a program in the tables.
    pub(super) fn only(&self) -> Option<&Value> {
        match self.0.as_slice() {
            [only] => Some(only).filter(|only| programs::has_program(name(only))),
            _ => None,
        }
    }

    /// A condition for the command of a sample; with its operands if it `is_whole`.
    pub(super) fn condition(&self, sample: &Sample, is_whole: bool) -> String {
        let mut runs = self.0.iter().filter_map(|command| command.get("runs")?.as_array()?.first()?.as_str());
        match runs.next() {
            Some("x") if sample.is_completed => return "exists(c.runs[0])".to_owned(),
            Some(program) => return format!("c.runs contains {}", print::literal(program)),
            None => {}
        }
        let command = self.0.iter().find(|command| !sample.is_completed || name(command) != "x");
        let Some(command) = command.or_else(|| self.0.first()) else { return String::new() };
        let name = if sample.is_completed && name(command) == "x" { "PROGRAM" } else { name(command) };
        let mut tests = vec![format!("c.name == {}", print::literal(name))];
        let sub = command.get("sub").and_then(Value::as_str);
        tests.extend(sub.map(|sub| format!("c.sub == {}", print::literal(sub))));
        let path = |flag: &str| print::steps(&["c", "flags", flag].map(|name| Step::Name(name.to_owned())));
        tests.extend(flags(command).map(|flag| format!("exists({})", path(flag))));
        let operands = command.get("operands").and_then(Value::as_array).filter(|_| is_whole);
        // A star of a test that compares text was to match any text.
        let operands = operands.into_iter().flatten().filter_map(Value::as_str);
        let operands = operands.filter(|operand| !operand.contains('*'));
        tests.extend(operands.map(|operand| format!("c.operands contains {}", print::literal(operand))));
        tests.join(" and ")
    }
}

/// Two commands that do the same; that of git can have another directory, as text.
fn same(one: &Value, other: &Value) -> bool {
    COMPARED.iter().all(|member| match (*member, one.get(member), other.get(member)) {
        ("flags", Some(Value::Object(one)), Some(Value::Object(other))) => {
            let mut other = other.clone();
            if !one.contains_key("C") && other.get("C").is_some_and(|path| path == ".") {
                other.remove("C");
            }
            *one == other
        }
        (_, one, other) => one == other,
    })
}

fn name(command: &Value) -> &str {
    command.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// The flags as they are written in the words of a command.
fn flags(command: &Value) -> impl Iterator<Item = &str> {
    let all = command.get("flags").and_then(Value::as_object);
    let words: Vec<&str> = command
        .get("args")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    all.into_iter().flatten().map(|(name, _)| name.as_str()).filter(move |name| is_written(name, &words))
}

/// Whether a flag is in one of the words: `r` in `-rf`, `force` in `--force`.
pub(super) fn is_written(flag: &str, words: &[&str]) -> bool {
    words.iter().any(|word| match word.strip_prefix("--") {
        Some(long) => long.split('=').next() == Some(flag),
        None => word.strip_prefix('-').is_some_and(|letters| letters == flag || is_letter(flag, letters)),
    })
}

fn is_letter(flag: &str, letters: &str) -> bool {
    flag.chars().count() == 1 && letters.contains(flag)
}
