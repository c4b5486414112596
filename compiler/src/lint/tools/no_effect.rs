//! Tools that never have the effect that a condition requires of them (W0646): `tool_name == 'Write' and reads('.env')`.

use hookc_base::Verb;
use hookc_base::input_role::{InputKind, InputRole};
use hookc_schema::tree::{Cond, CondKind, CondPart, Predicate};
use hookc_schema::vocab::roles_of;
use hookc_schema::{Code, Diagnostic};

use crate::names::listed_all;
use crate::tools::{Narrowed, Place, Table};

/// Reports guards that are false for every tool that the condition allows.
pub(super) fn check(
    cond: &Cond,
    narrowed: &Narrowed,
    table: &Table<'_>,
    is_declared: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !has_guard(cond.whole()) {
        return found;
    }
    walk(cond.whole(), narrowed.place(), &Tools { table, is_declared }, &mut found);
    found
}

/// Whether a condition has a guard. The recursion depth is the nesting of the condition.
fn has_guard(part: CondPart<'_>) -> bool {
    matches!(part.cond.kind, CondKind::Predicate(_)) || part.parts().any(has_guard)
}

/// The known tools.
struct Tools<'t> {
    table: &'t Table<'t>,
    /// Whether the policy replaces what is known about a tool.
    is_declared: &'t dyn Fn(&str) -> bool,
}

/// The recursion depth is the nesting of the condition.
fn walk(part: CondPart<'_>, place: Place<'_>, tools: &Tools<'_>, found: &mut Vec<Diagnostic>) {
    let parts: Vec<_> = part.parts().collect();
    let places = match &part.cond.kind {
        CondKind::Predicate(predicate) if !part.negated => {
            found.extend(useless(part, predicate, place, tools));
            return;
        }
        CondKind::All(_) => place.parts(true, parts.len()),
        CondKind::Any(_) => place.parts(false, parts.len()),
        CondKind::Not(_) => vec![place.inner(); parts.len()],
        _ => return,
    };
    for (part, place) in parts.into_iter().zip(places) {
        walk(part, place, tools, found);
    }
}

fn useless(
    part: CondPart<'_>,
    predicate: &Predicate,
    place: Place<'_>,
    known: &Tools<'_>,
) -> Option<Diagnostic> {
    let verb = match predicate {
        Predicate::Guard(guard) if !guard.is_possible => Some(guard.verb),
        Predicate::Mentions(_) => None,
        _ => return None,
    };
    let tools = known.table.only(place.tools()).filter(|tools| !tools.is_empty())?;
    if tools.iter().any(|tool| (known.is_declared)(tool)) {
        return None;
    }
    let mut others = Vec::new();
    for tool in &tools {
        let (verbs, has_text) = effects(tool)?;
        if verb.map_or(has_text, |verb| verbs.contains(&verb)) {
            return None;
        }
        others.extend(verbs.into_iter().filter(|verb| !others.contains(verb)).collect::<Vec<_>>());
    }
    let what = format!("this is never true for {}", listed_all(&tools));
    let new = Diagnostic::new(Code::W0646, part.cond.span, what).with_label("not what the tool does");
    let helps: Vec<_> = others.iter().map(|verb| format!("`{}(...)`", verb.plural())).collect();
    let remove = "remove the test of the tool: the predicate sees every tool";
    Some(new.help(match helps.is_empty() {
        true => remove.to_owned(),
        false => format!("{remove}; or write {}", helps.join(" or ")),
    }))
}

/// The effects that a tool can have, and whether it has texts for `mentions`; `None` if not all are known.
fn effects(tool: &str) -> Option<(Vec<Verb>, bool)> {
    let (mut found, mut has_text) = (Vec::new(), false);
    for (_, role) in roles_of(tool)?? {
        let kind = InputRole::parse(&role).ok()?.kind;
        has_text |= matches!(kind, InputKind::Text | InputKind::Patch);
        let verbs: &[Verb] = match kind {
            InputKind::Line | InputKind::Code => return None,
            InputKind::Read => &[Verb::Read],
            InputKind::Write | InputKind::Edit => &[Verb::Write, Verb::Change],
            InputKind::Delete | InputKind::Move => &[Verb::Delete, Verb::Change],
            InputKind::Patch => &[Verb::Write, Verb::Delete, Verb::Change],
            InputKind::Send => &[Verb::Read, Verb::Send, Verb::Contact],
            InputKind::Url => &[Verb::Contact, Verb::Send, Verb::Read],
            InputKind::Host => &[Verb::Contact],
            InputKind::Ref => &[Verb::Push, Verb::Contact],
            InputKind::Package => &[Verb::Install, Verb::Contact],
            InputKind::Data
            | InputKind::Dir
            | InputKind::Use
            | InputKind::List
            | InputKind::Below
            | InputKind::Text => &[],
        };
        found.extend(verbs.iter().filter(|verb| !found.contains(*verb)).collect::<Vec<_>>());
    }
    Some((found, has_text))
}
