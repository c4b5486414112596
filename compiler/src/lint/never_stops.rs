//! A hook that never lets the agent stop (W0645): a denial at its end, or a check whose failure denies it, without a
//! condition that the work changes.

use hookc_base::action::Kind;
use hookc_schema::tree::{Cond, CondKind, Family, Hook, Step};
use hookc_schema::value::{self, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};
use hookc_shell::programs::find;

use super::unread_output;

/// The events at which a denial continues the agent's work.
const ENDS: [&str; 2] = ["Stop", "SubagentStop"];

/// Fields that stay as they are while the agent continues.
const FIXED: [&str; 7] = [
    "agent_type",
    "cwd",
    "hook_event_name",
    "permission_mode",
    "project_dir",
    "session_id",
    "transcript_path",
];

/// Checks a hook.
pub(super) fn check(hook: &Hook, vocabulary: &Vocabulary, out: &mut Diagnostics) {
    let always = hook.condition.as_ref().is_none_or(|cond| matches!(cond.kind, CondKind::Const(true)));
    let stays = always || hook.condition.as_ref().is_some_and(is_fixed);
    let denies = hook.action.known() == Some(Kind::Deny);
    let is_checker = || hook.action.known() == Some(Kind::Run) && is_checker(hook);
    if !stays || !hook.decides() || !(denies || is_checker()) {
        return;
    }
    let of_agent =
        |name: &str| vocabulary.event(hook.family, name).is_some_and(|event| event.family == Family::Agent);
    let ends = |event: &&Spanned<String>| ENDS.contains(&event.node.as_str()) && of_agent(&event.node);
    let Some(event) = hook.events.iter().find(ends) else { return };
    let what = match always {
        _ if !denies => format!("while this command fails, each `{}` is denied", event.node),
        true => format!("this denies every `{}`", event.node),
        false => {
            format!("this denies `{}` again and again: the work changes nothing in its condition", event.node)
        }
    };
    let new = Diagnostic::new(Code::W0645, hook.action.kind.span, what).with_label("the agent never stops");
    let new = new.note("a denial at this event continues the work, at whose end the event comes again");
    out.push(new.help("add a condition that becomes false, such as `stop_hook_active == false`"));
}

/// Whether a hook runs a check of the work, and its failure denies.
fn is_checker(hook: &Hook) -> bool {
    let in_background = hook.param("async").is_some_and(|value| value.kind == value::Kind::Bool(true));
    let result = hook.param("result").and_then(Value::as_str);
    if in_background || result.is_some_and(|result| result != "status") {
        return false;
    }
    let commands = unread_output::commands(hook).map(|(_, commands)| commands).unwrap_or_default();
    commands.last().and_then(|words| words.split_first()).is_some_and(|(program, arguments)| {
        let row = find(program.rsplit('/').next().unwrap_or(program));
        let listed = row.and_then(|row| row.text("checks")).unwrap_or_default();
        listed.split(' ').any(|word| word == "*" || arguments.iter().any(|argument| argument == word))
    })
}

/// Whether a condition is about such fields only.
fn is_fixed(cond: &Cond) -> bool {
    let is_field = |step: &Step| matches!(step, Step::Name(name) if FIXED.contains(&name.as_str()));
    let mut paths = cond.walk().filter_map(|part| part.path().map(|path| path.source().singular()));
    // What has happened changes with the work, too.
    let has_predicate =
        cond.walk().any(|part| part.predicate().is_some() || matches!(part.cond.kind, CondKind::Formerly(_)));
    !has_predicate && paths.all(|steps| steps.as_deref().and_then(<[Step]>::first).is_some_and(is_field))
}
