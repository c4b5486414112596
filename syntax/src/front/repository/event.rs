//! The events of repository hooks: who receives their results, and their names in other editions of
//! the format.

use hookc_schema::suggest::nearest;
use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use crate::front::undeclared;

/// Who receives the results of an event's hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The model: it receives the signals of blocking hooks.
    Model,
    /// No one: the signals of hooks reach no turn.
    Nobody,
    /// Unknown for this event.
    Unknown,
}

/// Who receives the results at an event.
pub(crate) fn audience(name: &str) -> Audience {
    match name {
        "PromptSubmit" | "PreAbilityCreate" | "PreAbilityCall" => Audience::Model,
        "PostAbilityCall" | "SessionStop" | "ModelOutput" => Audience::Nobody,
        _ => Audience::Unknown,
    }
}

/// Names in other editions, with the current names.
const EDITIONS: &[(&str, &str)] = &[("UserPromptSubmit", "PromptSubmit")];

/// Event names of coding agents, with the equivalent event of repository hooks.
const AGENTS: &[(&str, &str)] = &[
    ("PreToolUse", "PreAbilityCall"),
    ("PostToolUse", "PostAbilityCall"),
    ("Stop", "SessionStop"),
    ("SessionEnd", "SessionStop"),
];

/// The event for a name. The checker reports a name that is not declared anywhere; a name that only
/// other vocabularies have is reported here.
pub(super) fn event(
    name: Spanned<String>,
    vocabulary: &Vocabulary,
    out: &mut Diagnostics,
) -> Spanned<String> {
    if let Some((old, new)) = EDITIONS.iter().find(|(old, _)| *old == name.node) {
        let what = format!("`{old}` is the legacy name of `{new}`");
        let reported = Diagnostic::new(Code::N0250, name.span, what).with_label(format!("read as `{new}`"));
        out.push(reported.help(format!("write `{new}`")));
        return Spanned::new((*new).to_owned(), name.span);
    }
    if let Some(found) = vocabulary.event(Family::Repository, &name.node)
        && found.family != Family::Repository
    {
        out.push(foreign(&name, found.family, vocabulary));
    }
    name
}

/// Reports an undeclared name in a hook that the checker does not see.
pub(super) fn undeclared(name: &Spanned<String>, vocabulary: &Vocabulary, out: &mut Diagnostics) {
    if vocabulary.event(Family::Repository, &name.node).is_none() {
        let near = nearest(&name.node, names(vocabulary));
        let mut new = undeclared::undeclared(name, Family::Repository, near);
        // The notes describe how the hook is compiled, but it is omitted.
        new.notes.clear();
        out.push(new);
    }
}

fn foreign(name: &Spanned<String>, family: Family, vocabulary: &Vocabulary) -> Diagnostic {
    let whose = match family {
        Family::Agent => "coding agents",
        Family::Skill => "skills",
        Family::Workflow => "workflows",
        Family::Thread | Family::Repository => "threads",
    };
    let what = format!("`{}` is an event of {whose}, not of repositories", name.node);
    let new = Diagnostic::new(Code::W0251, name.span, what).with_label("no repository sends it");
    let known = AGENTS.iter().find(|(theirs, _)| *theirs == name.node).map(|(_, ours)| *ours);
    match known.or_else(|| nearest(&name.node, names(vocabulary))) {
        Some(near) => new.did_you_mean(Some(near), name.span),
        None => new.help(format!("its events are `{}`", names(vocabulary).collect::<Vec<_>>().join("`, `"))),
    }
}

/// The names of all repository events.
fn names(vocabulary: &Vocabulary) -> impl Iterator<Item = &str> {
    let events = vocabulary.events.keys().filter(|(family, _)| *family == Family::Repository);
    events.map(|(_, name)| name.as_str())
}

/// Whether an event has a field; an undeclared event can have any field.
pub(crate) fn has_field(vocabulary: &Vocabulary, event: &str, field: &str) -> bool {
    let declared = vocabulary.event(Family::Repository, event);
    declared.is_none_or(|event| event.schema.property(field).is_some())
}

/// The field of an event with the name of its ability.
pub(crate) fn ability(vocabulary: &Vocabulary, event: &str) -> Option<&'static str> {
    if has_field(vocabulary, event, "ability_id") {
        return Some("ability_id");
    }
    has_field(vocabulary, event, "ability_ref").then_some("ability_ref.value")
}

/// The repository events that have a field.
pub(super) fn with_field<'v>(
    vocabulary: &'v Vocabulary,
    field: &'static str,
) -> impl Iterator<Item = &'v str> {
    let events = vocabulary.events.iter().filter(|((family, _), _)| *family == Family::Repository);
    let has = move |(_, event): &(_, &hookc_schema::vocab::EventType)| event.schema.property(field).is_some();
    events.filter(has).map(|((_, name), _)| name.as_str())
}
