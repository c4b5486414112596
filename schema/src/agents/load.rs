//! Reads the agents' files. An unknown key, a duplicate key and a value of another type are errors,
//! which a test finds.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::{Agent, Event, HandlerType, Key, Kind};

/// Reads an agent from its file.
///
/// # Errors
/// The file has another structure, or another agent's name.
pub(super) fn parse(name: &str, text: &str) -> Result<Agent, String> {
    let mut agent: Agent = serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))?;
    if agent.name != name {
        return Err(format!("{name}: its `name` is `{}`", agent.name));
    }
    if agent.sources.is_empty() {
        return Err(format!("{name}: it names no source"));
    }
    for (tool, lists) in &agent.lists {
        let mut names = lists.values().map(|list| &list.is);
        // The events about the elements of a list have the first element of every other one.
        if names.next().is_some_and(|first| names.any(|other| other != first)) {
            return Err(format!(
                "{name}: `lists` of `{tool}` are of different inputs: hooks decide about each element of one"
            ));
        }
    }
    let mut listed = agent.form.iter().flat_map(|form| &form.own_names_at);
    if let Some(event) = listed.find(|event| agent.events.iter().all(|known| known.name != **event)) {
        return Err(format!("{name}: `own_names_at` has the unknown event `{event}`"));
    }
    for event in agent.events.iter_mut().filter(|event| event.event.is_empty()) {
        event.event = event.name.clone();
    }
    Ok(agent)
}

/// Reads an agent from a file that is part of the program.
#[allow(clippy::expect_used, reason = "a test reads every file that is part of the program")]
pub(super) fn builtin(name: &str, text: &str) -> Agent {
    parse(name, text).expect("the file of every agent is read by a test")
}

/// A value with the name of its key.
pub(super) trait Named {
    /// Sets the name.
    fn set_name(&mut self, name: String);
}

macro_rules! named {
    ($($of:ty),*) => {
        $(impl Named for $of {
            fn set_name(&mut self, name: String) {
                self.name = name;
            }
        })*
    };
}

named!(Event, HandlerType, Key, Kind);

/// The members of an object, in order, each with its name.
pub(super) fn named<'de, D: Deserializer<'de>, T: Named + Deserialize<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    let named: Vec<(String, T)> = pairs(from)?;
    let with_name = |(name, mut one): (String, T)| {
        one.set_name(name);
        one
    };
    Ok(named.into_iter().map(with_name).collect())
}

/// The members of an object, in order.
pub(super) fn pairs<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Vec<(String, T)>, D::Error> {
    from.deserialize_map(Pairs(PhantomData))
}

struct Pairs<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Pairs<T> {
    type Value = Vec<(String, T)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs: Self::Value = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, T>()? {
            if pairs.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
            pairs.push((key, value));
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::agents::{Capability, Id, capabilities};
    use crate::tree::Family;
    use crate::vocab::Vocabulary;

    fn texts(list: &[String]) -> Vec<&str> {
        list.iter().map(String::as_str).collect()
    }

    #[test]
    fn every_file_is_read_and_fits_the_vocabulary() {
        let vocabulary = Vocabulary::builtin();
        let known = |name: &str| vocabulary.events.contains_key(&(Family::Agent, name.to_owned()));
        for id in Id::ALL {
            let agent = parse(id.name(), id.text()).unwrap_or_else(|error| panic!("{error}"));
            let label = &agent.name;
            assert_eq!((label.as_str(), agent.answered), (id.name(), Id::ANSWERED.contains(id)));
            assert_eq!(agent.form.is_some(), Id::FORMED.contains(id), "{label}");
            let (marks, protocol) = (id.marks(), &agent.protocol);
            assert_eq!(
                (marks.names, marks.has_variables),
                (&*texts(&protocol.names), !protocol.variables.is_empty())
            );
            let sets: Vec<Vec<&str>> = protocol.signatures.iter().map(|set| texts(set)).collect();
            assert_eq!(marks.signatures.to_vec(), sets, "{label}");
            let patches = agent.protocol.patch.iter().flat_map(|patch| &patch.tools);
            let several = agent.protocol.several.iter().map(|several| &several.tool);
            let tools = agent.all_tools().flat_map(|(name, tool)| [name, tool]).chain(&agent.own_tools);
            let tools: BTreeSet<&String> = tools.chain(patches).chain(several).collect();
            assert!(marks.tools.iter().eq(tools.iter()), "{label}");
            let events: Vec<_> =
                agent.events.iter().map(|one| (one.name.as_str(), one.event.as_str())).collect();
            assert_eq!(marks.events, events, "{label}");
            for event in &agent.events {
                let is_own = event.event == event.name;
                assert!(is_own || known(&event.event), "{label}: {} is {}", event.name, event.event);
                assert!(
                    is_own || !known(&event.name),
                    "{label}: {} is an event of the vocabulary",
                    event.name
                );
                assert!(event.values.is_empty() || event.matcher.is_some(), "{label}: {}", event.name);
            }
            for unnamed in &agent.protocol.unnamed {
                assert!(agent.event(&unnamed.is).is_some(), "{label}: {}", unnamed.is);
            }
            for name in agent.answer.iter().flat_map(|part| &part.at) {
                assert!(agent.event(name).is_some(), "{label}: {name}");
            }
            if let Some(other) = &agent.protocol.extends {
                assert!(crate::agents::by_name(other).is_some(), "{label}: {other}");
            }
            let several = agent.protocol.several.iter().flat_map(|several| &several.tools);
            for (native, tool) in agent.all_tools().chain(&agent.internal_tools).chain(several) {
                assert!(vocabulary.tools.by_name.contains_key(tool), "{label}: {native} is {tool}");
            }
            for kind in agent.form.iter().flat_map(|form| &form.handler.types) {
                assert!(vocabulary.actions.contains_key(&kind.action), "{label}: {}", kind.action);
            }
            for handler in &agent.handlers {
                assert!(vocabulary.actions.contains_key(&handler.action), "{label}: {}", handler.action);
                let table = crate::dialect::settings::HANDLERS.iter().any(|(name, _)| *name == handler.name);
                assert!(table, "{label}: {} has no table", handler.name);
            }
            for name in &agent.rule_events {
                assert!(agent.event(name).is_some(), "{label}: {name}");
            }
            let shares = agent.installed_as.as_deref().map(crate::agents::by_name);
            assert!(
                shares.is_none_or(|other| other.is_some_and(|other| other.settings.is_some())),
                "{label}"
            );
            assert_eq!(
                agent.answered,
                agent.settings.is_some()
                    || shares.is_some()
                    || agent.protocol.rpc.is_some()
                    || label == "flat",
                "{label}"
            );
        }
    }

    #[test]
    fn claude_code_has_the_whole_vocabulary() {
        let claude = Id::Claude.agent();
        assert_eq!(Id::ALL.iter().filter(|id| id.agent().vocabulary).collect::<Vec<_>>(), [&Id::Claude]);
        assert_eq!(Id::ANSWERED.first(), Some(&Id::Claude));
        let vocabulary = Vocabulary::builtin();
        for (_, name) in vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent) {
            let event = claude.event(name).unwrap_or_else(|| panic!("{name} is missing"));
            assert_eq!(event.can(Capability::Deny), capabilities(name).can_deny(), "{name}");
        }
    }

    #[test]
    fn a_tool_has_lists_of_one_input() {
        let text = Id::Cline.text();
        let (old, new) = ("\"paths\": {\"is\": \"file_path\"", "\"paths\": {\"is\": \"pattern\"");
        assert!(text.contains(old) && parse("cline", text).is_ok());
        let error = parse("cline", &text.replacen(old, new, 1)).unwrap_err();
        assert!(error.contains("`lists` of `Read` are of different inputs"), "{error}");
    }

    #[test]
    fn what_nobody_reads_is_an_error() {
        let text = Id::Gemini.text();
        for (old, new) in [
            ("\"label\"", "\"lable\""),
            ("\"matcher\"", "\"macher\""),
            ("\"deny\"", "\"denied\""),
            ("\"members\"", "\"member\""),
            ("\"shared\"", "\"share\""),
            ("\"divide\"", "\"by\""),
            ("\"replace\"", "\"read_file\""),
            ("\"AfterTool\"", "\"BeforeTool\""),
            ("\"name\": \"gemini\"", "\"name\": \"codex\""),
        ] {
            assert!(text.contains(old), "{old}");
            assert!(parse("gemini", &text.replacen(old, new, 1)).is_err(), "{old}");
        }
    }
}
