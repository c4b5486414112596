//! Reads `hooks` of a skill: its own events with Python files, or events of coding agents with
//! groups of handlers as in agent settings.

use hookc_schema::decode::YAML;
use hookc_schema::dialect::skill::EVENTS;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Family, Hook};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use super::script;
use crate::front::settings;

/// Reads `hooks`; `path` is the skill's file. Hooks are in the order of the text, those of the
/// skill's own events first.
pub(super) fn hooks(value: &Value, name: &Spanned<String>, path: &str, out: &mut Diagnostics) -> Vec<Hook> {
    let members = match &value.kind {
        Kind::Null => return Vec::new(),
        Kind::Map(members) => members,
        _ => {
            let new = YAML.wrong(value, "`hooks`", "a mapping of events");
            out.push(new.help("write an event and its script, such as `pre_execute: hooks/pre_execute.py`"));
            return Vec::new();
        }
    };
    let mut hooks = Vec::new();
    let mut agents = Vec::new();
    let vocabulary = Vocabulary::builtin();
    for member in members {
        let key = member.key.node.as_str();
        if EVENTS.contains(&key) {
            script::scripts(member, name, path, &mut hooks, out);
        } else if of_agents(key, &vocabulary) {
            agents.push(member.clone());
        } else {
            out.push(unknown(member, &vocabulary));
        }
    }
    if !agents.is_empty() {
        let groups = Value::new(Kind::Map(agents), value.span);
        hooks.extend(settings::events(&groups, out));
    }
    hooks
}

/// Whether a name is an event of coding agents, possibly misspelled: its errors are then reported
/// as in agent settings.
fn of_agents(name: &str, vocabulary: &Vocabulary) -> bool {
    vocabulary.events.contains_key(&(Family::Agent, name.to_owned()))
        || name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn unknown(member: &Member, vocabulary: &Vocabulary) -> Diagnostic {
    let key = &member.key;
    let agents = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
    let names = EVENTS.iter().copied().chain(agents.map(|(_, name)| name.as_str()));
    let near = nearest(&key.node, names);
    let new = Diagnostic::new(Code::E0201, key.span, format!("a skill has no event `{}`", key.node));
    new.with_label("unknown")
        .help(format!("its events are `{}`, and those of coding agents", EVENTS.join("`, `")))
        .did_you_mean(near, key.span)
}
