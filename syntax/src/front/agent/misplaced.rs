//! Hooks in a place of the file where the agent does not look: events at the root, `hooks` misspelt or inside
//! another key.

use hookc_schema::agents;
use hookc_schema::decode::short;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic};

use super::Cx;

/// Reports misplaced hooks, and a hooks file without any.
pub(super) fn check(root: &Value, name: &str, cx: &mut Cx<'_>) {
    let (has_hooks, before) = (root.get("hooks").is_some(), cx.out.reported());
    for member in root.members().iter().filter(|member| !cx.form.beside.contains(&member.key.node)) {
        if let Some(new) = misplaced(member, has_hooks, cx) {
            cx.emit(new);
        }
    }
    if has_hooks || cx.out.reported() > before || cx.is_toml || !is_hooks_file(name, cx) {
        return;
    }
    // A settings file may have no hooks.
    let message = format!("`hooks` is missing in a hooks file of {}", cx.agent.label);
    let new = Diagnostic::new(Code::W0246, short(root), message).with_label("no hooks here");
    let help = under_events(cx);
    cx.emit(new.help(help));
}

fn under_events(cx: &Cx<'_>) -> String {
    let event = cx.agent.events.first().map_or("event", |event| event.name.as_str());
    format!("write the handlers under their events: `{{\"hooks\": {{\"{event}\": [...]}}}}`")
}

/// Whether a file has nothing but hooks, by its path.
fn is_hooks_file(name: &str, cx: &Cx<'_>) -> bool {
    let suffix = |path: &String| path.strip_suffix("*.json").map(str::to_owned);
    let hooks = |path: &String| match suffix(path) {
        Some(folder) => folder.ends_with("hooks/") && name.contains(&folder),
        None => path.ends_with("hooks.json") && name.ends_with(path),
    };
    cx.form.paths.iter().any(hooks)
}

fn misplaced(member: &Member, has_hooks: bool, cx: &mut Cx<'_>) -> Option<Diagnostic> {
    let (name, span) = (member.key.node.as_str(), member.key.span);
    if name == "hooks" || !matches!(member.value.kind, Kind::Map(_) | Kind::Seq(_)) {
        return None;
    }
    let label = &cx.agent.label;
    if is_event(name, &member.value, cx) {
        let new = match has_hooks {
            true => Diagnostic::new(Code::W0232, span, format!("the event `{name}` is next to `hooks`")),
            false => {
                Diagnostic::new(Code::W0246, span, format!("{label} reads no events at the root of a file"))
            }
        };
        let new = new.with_label("not read here");
        return Some(match has_hooks {
            true => new.help("move it into `hooks`"),
            false => new.help(format!("put the events in an object: `{{\"hooks\": {{\"{name}\": [...]}}}}`")),
        });
    }
    if has_events(&member.value, cx) && cx.near(name, ["hooks"].into_iter()).is_some() {
        let code = if has_hooks { Code::W0232 } else { Code::W0246 };
        let new = Diagnostic::new(code, span, format!("{label} does not read the key `{name}`"));
        let new = new.with_label("not read");
        return Some(match has_hooks {
            true => new.help("move its content into `hooks`"),
            false => new.did_you_mean(Some("hooks"), span),
        });
    }
    let inner = member.value.members().iter().find(|inner| inner.key.node == "hooks");
    let hooks = inner.filter(|inner| has_events(&inner.value, cx))?;
    let code = if has_hooks { Code::W0232 } else { Code::W0246 };
    let new = Diagnostic::new(code, hooks.key.span, format!("`hooks` is inside `{name}`"));
    Some(new.with_label("not read here").help("move it to the root of the file"))
}

/// Whether a member is an event of the agent, or of another one, with a list of entries.
fn is_event(name: &str, value: &Value, cx: &Cx<'_>) -> bool {
    let Kind::Seq(items) = &value.kind else { return false };
    let like = || cx.agent.events.iter().any(|event| agents::event_like(name) == Some(event.event.as_str()));
    let entry = |item: &Value| {
        item.get("hooks").is_some() || cx.agent.command_keys().any(|key| item.get(key).is_some())
    };
    cx.agent.event(name).is_some()
        || like()
        || agents::all().any(|other| other.event(name).is_some()) && items.iter().any(entry)
}

fn has_events(value: &Value, cx: &Cx<'_>) -> bool {
    value.members().iter().any(|member| is_event(&member.key.node, &member.value, cx))
}
