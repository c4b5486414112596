//! How the own program of an agent is asked whether it runs its hooks (`hookc probe --live`).

use serde::Deserialize;

use super::load;

/// A session of the agent's own program without a person.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Live {
    /// The program and its arguments. It may run the command of the session at most. `$prompt` is the request to the
    /// model, and `$command` the command that it is asked to run with the tool `Bash` of the vocabulary.
    pub command: Vec<String>,
    /// Variables, in which `$command` is filled in as in the arguments.
    #[serde(default, deserialize_with = "load::pairs")]
    pub env: Vec<(String, String)>,
    /// Its events that every such session sends, if the call of the tool is denied.
    pub events: Vec<String>,
    /// The values of `type` that an object in its output has if it shows a call of a tool.
    pub calls: Vec<String>,
}

impl Live {
    /// The program and its arguments, for a request and its command.
    #[must_use]
    pub fn arguments(&self, prompt: &str, command: &str) -> Vec<String> {
        let filled = |word: &String| match word.as_str() {
            "$prompt" => prompt.to_owned(),
            word => word.replace("$command", command),
        };
        self.command.iter().map(filled).collect()
    }

    /// The variables, for a command.
    #[must_use]
    pub fn variables(&self, command: &str) -> Vec<(String, String)> {
        self.env.iter().map(|(name, value)| (name.clone(), value.replace("$command", command))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Agent, all};

    /// Agents with a session, with it.
    fn sessions() -> impl Iterator<Item = (&'static Agent, &'static super::Live)> {
        all().filter_map(|agent| Some((agent, agent.live.as_ref()?)))
    }

    #[test]
    fn a_session_calls_a_tool_that_a_guard_gets() {
        assert!(sessions().count() >= 7);
        for (agent, live) in sessions() {
            let events: Vec<_> = live.events.iter().map(|event| agent.event(event)).collect();
            assert!(events.iter().all(Option::is_some), "{}: {:?}", agent.name, live.events);
            let has_tool = events.iter().flatten().any(|event| event.event == "PreToolUse");
            assert!(has_tool && !live.calls.is_empty(), "{}", agent.name);
            assert!(
                agent.sources.iter().any(|source| source.contains("`live`")),
                "{}: no source",
                agent.name
            );
        }
    }

    #[test]
    fn each_agent_with_settings_has_a_session_or_a_reason() {
        for agent in all() {
            let reasons = usize::from(agent.live.is_some()) + usize::from(agent.no_live.is_some());
            assert_eq!(reasons, usize::from(agent.settings.is_some()), "{}", agent.name);
        }
    }

    /// The model can run the command of the request, and the agent approves nothing else.
    #[test]
    fn a_session_has_the_least_permissions() {
        for (agent, live) in sessions() {
            let words = live.arguments("the request", "echo it");
            assert_eq!(words.iter().filter(|word| *word == "the request").count(), 1, "{}", agent.name);
            let variables = live.variables("echo it").into_iter().flat_map(|(name, value)| [name, value]);
            for word in words.into_iter().chain(variables) {
                let grants =
                    ["yolo", "bypass", "danger", "allow-all", "trust", "auto", "force", "*\": \"allow"];
                assert!(!grants.iter().any(|grant| word.contains(grant)), "{}: {word}", agent.name);
                assert!(!word.contains('$'), "{}: {word} is not filled in", agent.name);
            }
        }
    }
}
