//! A hook that never lets the agent stop (W0645): a denial at its end, without a condition that the work changes.

use hookc_base::action::Kind;
use hookc_schema::tree::{Cond, CondKind, Family, Hook, Step};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

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
    if hook.action.known() != Some(Kind::Deny) || !stays || !hook.decides() {
        return;
    }
    let of_agent =
        |name: &str| vocabulary.event(hook.family, name).is_some_and(|event| event.family == Family::Agent);
    let ends = |event: &&Spanned<String>| ENDS.contains(&event.node.as_str()) && of_agent(&event.node);
    let Some(event) = hook.events.iter().find(ends) else { return };
    let what = match always {
        true => format!("this denies every `{}`", event.node),
        false => {
            format!("this denies `{}` again and again: the work changes nothing in its condition", event.node)
        }
    };
    let new = Diagnostic::new(Code::W0645, hook.action.kind.span, what).with_label("the agent never stops");
    let new = new.note("a denial at this event continues the work, at whose end the event comes again");
    out.push(new.help("add a condition that becomes false, such as `stop_hook_active == false`"));
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
