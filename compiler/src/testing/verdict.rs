//! `expect: deny`: the strictest action of the hooks that decide, as an agent takes it.

use hookc_schema::dialect::test::Verdict;
use hookc_schema::tree::Step;
use hookc_schema::value::Value;
use hookc_shell::Context;
use hookc_shell::programs::Programs;
use hookc_syntax::expr::print;

use super::observed::ObservedHook;
use super::result::Failure;
use super::suite::ExpectedVerdict;
use crate::disasm::describe::short;
use crate::link::LinkedEvent;
use crate::lookup;

/// The strictest verdict of hooks.
pub(super) fn strictest(hooks: &[ObservedHook]) -> Option<Verdict> {
    hooks.iter().filter_map(|hook| hook.verdict).max()
}

/// Compares the verdict of hooks; `None` if it is the expected one.
pub(super) fn judge(expected: &ExpectedVerdict, hooks: &[ObservedHook]) -> Option<Failure> {
    let wanted = expected.verdict.name();
    let Some(found) = strictest(hooks) else {
        return Some(Failure::new(format!("expected the verdict `{wanted}`, but no hook has one")));
    };
    let from = || hooks.iter().filter(|hook| hook.verdict == Some(found));
    if found != expected.verdict {
        let labels: Vec<String> = from().map(|hook| format!("`{}`", hook.label)).collect();
        let message =
            format!("expected the verdict `{wanted}`, but it is `{}` of {}", found.name(), labels.join(", "));
        return Some(Failure::new(message));
    }
    let text = expected.reason.as_ref()?;
    let reasons: Vec<String> = from().filter_map(ObservedHook::reason).collect();
    if reasons.iter().any(|reason| reason.contains(text)) {
        return None;
    }
    let found =
        if reasons.is_empty() { "missing".to_owned() } else { short(&format!("{:?}", reasons.join("\n"))) };
    Some(Failure::new(format!("expected a reason with {}, but it is {found}", short(&format!("{text:?}")))))
}

/// Compares the members of the input after the hooks; `None` if one of them changes it as expected.
pub(super) fn judge_input(
    expected: &[(String, Value)],
    hooks: &[ObservedHook],
    event: &str,
    programs: &Programs,
) -> Option<Failure> {
    let changes: Vec<&ObservedHook> = hooks.iter().filter(|hook| hook.changes_input).collect();
    let inputs = changes.iter().filter_map(|hook| input(hook.rendered(), event, programs));
    let inputs: Vec<String> = inputs.collect();
    let has = |input: &String| {
        expected.iter().all(|(name, value)| {
            let wanted = lookup::one(Vec::new(), &print::json(value));
            wanted.is_some() && raw(input, name) == wanted
        })
    };
    if inputs.iter().any(has) {
        return None;
    }
    let new = Failure::new("expected another input, but no hook makes this one".to_owned());
    Some(match (changes.first(), inputs.first()) {
        (Some(hook), Some(input)) => new.because([format!("`{}` makes {}", hook.label, short(input))]),
        _ => new.because(["no hook that decides changes the input".to_owned()]),
    })
}

/// The hooks of an event type whose action is a verdict.
pub(super) fn hooks_with(verdict: Verdict, event: Option<&LinkedEvent>) -> Vec<&str> {
    let hooks = event.map_or(&[][..], |event| &event.hooks);
    let is_it = |kind: &str| Verdict::of_action(kind) == Some(verdict);
    hooks.iter().filter(|hook| is_it(&hook.action.kind)).map(|hook| hook.label.as_str()).collect()
}

/// The new input of a rendered action, with the command line that `rewrite` makes.
fn input(action: &str, event: &str, programs: &Programs) -> Option<String> {
    let input = raw(action, "input");
    let Some(table) = raw(action, "rewrite") else { return input };
    let table: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&table).ok()?;
    let table: Vec<_> = table.iter().filter_map(|(from, to)| Some((from.as_str(), to.as_str()?))).collect();
    let (line, shell) =
        (member(&raw(event, "tool_input")?, "command")?, Context { programs, ..Context::default() });
    let line = hookc_shell::rewrite(&line, &shell, &table).ok()?;
    let mut input: serde_json::Map<_, _> = match input {
        Some(input) => serde_json::from_str(&input).ok()?,
        None => serde_json::Map::new(),
    };
    input.insert("command".to_owned(), line.into());
    Some(serde_json::Value::Object(input).to_string())
}

/// A string of a rendered action.
pub(super) fn member(action: &str, name: &str) -> Option<String> {
    serde_json::from_str(&raw(action, name)?).ok()
}

/// A member of an object, as canonical JSON.
fn raw(object: &str, name: &str) -> Option<String> {
    lookup::one(vec![Step::Name(name.to_owned())], object)
}
