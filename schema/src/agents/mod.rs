//! The coding agents, as data: one file of `schema/data/agents` for each.
//!
//! A file contains the facts about one agent: its events under its own names and the supported
//! answers, its names of tools and inputs, how an event reaches `hookc run`, the location of its
//! settings, and the format of its hooks files. The checker, the front ends, the adapters of the
//! runtime, `install`, `status` and `doctor` use these types; no other code names an agent's
//! events.
//!
//! `event.rs` has events and their answers, `answer.rs` the form of answers, `protocol.rs` how an event is read, `rpc.rs` messages around events, `settings.rs` the
//! location of settings, `form.rs` the format of a hooks file, `place.rs` where it has its events, `invalid.rs` the reaction to an invalid one, `live.rs` a session of its own program, `names.rs` the names of all agents
//! together, `variables.rs` the variables that none of them sets, `page.rs` the page in the documents. `load.rs` reads the files.

mod answer;
mod event;
mod form;
mod invalid;
mod live;
mod load;
mod names;
mod page;
mod place;
mod protocol;
mod rpc;
mod settings;
mod variables;

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;
use serde::de::IgnoredAny;

pub use answer::{AnswerPart, Content, Given};
pub use event::{
    Capability, DenialStyle, DenyingExit, Event, EventCapabilities, UnstartedDenial, before_answer,
    capabilities, command_timeout,
};
pub use form::{EventNames, Form, Handler, HandlerType, Key, Kind, Listed, Matching};
pub use invalid::{Fault, Reaction, Reactions, ZeroTimeout};
pub use live::Live;
pub use names::{
    event_like, events_called, fields_meant, input_names, inputs_meant, intended_event, matcher_values,
    member_names, misnamed, moved_members, never_runs, never_runs_as_list, own_names, patch_members,
    patch_tools, plain_name, tools_called,
};
pub use page::{markdown, overview, section};
pub use place::{entries, handlers};
pub use protocol::{Kinds, Mcp, Patch, Protocol, Several, Success, Unnamed, Variable, VariableKind};
pub use rpc::{Method, Rpc, RpcErrors};
pub use settings::{Cloud, Managed, Settings, Switch, Trust, Version};
pub use variables::instead_of_variable;

macro_rules! agents {
    ($($(#[$about:meta])* $id:ident = $name:literal,)*) => {
        /// A known agent. Its data is `schema/data/agents/NAME.json`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Id {
            $($(#[$about])* $id,)*
        }

        impl Id {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$id,)*];

            /// The name of its file, and its name on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$id => $name,)*
                }
            }

            /// Its data, loaded once.
            #[must_use]
            pub fn agent(self) -> &'static Agent {
                match self {
                    $(Self::$id => {
                        static DATA: OnceLock<Agent> = OnceLock::new();
                        DATA.get_or_init(|| load::builtin($name, self.text()))
                    })*
                }
            }

            /// The text of its file.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$id => include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/agents/", $name, ".json")),)*
                }
            }
        }
    };
}

/// What recognizes an agent and its events. It is known without reading the agent's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marks {
    /// [`Protocol::names`].
    pub names: &'static [&'static str],
    /// [`Protocol::signatures`].
    pub signatures: &'static [&'static [&'static str]],
    /// The names of its events, each with its type in the vocabulary.
    pub events: &'static [(&'static str, &'static str)],
    /// The names that it or the vocabulary has for its tools, in order.
    pub tools: &'static [&'static str],
    /// Whether it has [`Protocol::variables`].
    pub has_variables: bool,
}

impl Marks {
    /// The type of an event of this name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&'static str> {
        self.events.iter().find(|(listed, _)| *listed == name).map(|(_, event)| *event)
    }

    /// Whether it has a tool of this name, or the vocabulary has this name for one of its tools.
    #[must_use]
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.binary_search(&name).is_ok()
    }

    /// The type of an event of this name, if the vocabulary has another name for it.
    #[must_use]
    pub fn renamed(&self, name: &str) -> Option<&'static str> {
        self.event(name).filter(|event| *event != name)
    }
}

// One line for each file of `data/agents`.
include!(concat!(env!("OUT_DIR"), "/agents.rs"));

/// A coding agent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Its name on the command line.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// Whether `hookc run` supports it.
    pub answered: bool,
    /// Whether its events are those of the vocabulary. It is the first of all agents.
    #[serde(default)]
    pub vocabulary: bool,
    /// The agent whose hooks files it runs, if it has none.
    #[serde(default)]
    pub installed_as: Option<String>,
    /// The version of the agent's own program with which the facts were tried; without one, they are from its
    /// documentation and from what others published.
    #[serde(default)]
    pub proved: Option<String>,
    /// The sources of the facts, with a version or a date.
    pub sources: Vec<String>,
    /// Whether the events of its hooks file contain groups of handlers; otherwise they contain
    /// handlers.
    #[serde(default)]
    pub groups: bool,
    /// Whether an entry can be a group although its events contain handlers.
    #[serde(default)]
    pub groups_too: bool,
    /// Keys of its hooks files in Claude Code's format that are not events.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Its types of handlers, if it has Claude Code's format.
    #[serde(default, deserialize_with = "load::named")]
    pub handlers: Vec<HandlerType>,
    /// The events at which it evaluates the permission rule of a handler (`if`).
    #[serde(default)]
    pub rule_events: Vec<String>,
    /// Whether the action passes if a handler takes longer than its timeout.
    #[serde(default)]
    pub timeout_passes: bool,
    /// What it does with a timeout of 0, if that is known, it reads the file, and does not raise it (`least` of a handler).
    #[serde(default)]
    pub zero_timeout: Option<ZeroTimeout>,
    /// A program of the agent in which no exit status of a hook denies, whatever the events say: only an answer does.
    #[serde(default)]
    pub ignores_exit: Option<String>,
    /// How its events reach `hookc run`.
    #[serde(default)]
    pub protocol: Protocol,
    /// What its answers contain, in order. Without any, they are those of the agent that it extends, or code.
    #[serde(default)]
    pub answer: Vec<AnswerPart>,
    /// Its events. If several have one type of the vocabulary, the first one covers all cases.
    #[serde(deserialize_with = "load::named")]
    pub events: Vec<Event>,
    /// Its tool names in events, with those of the vocabulary.
    #[serde(default, deserialize_with = "load::pairs")]
    pub tools: Vec<(String, String)>,
    /// Like `tools` for undocumented names that public hooks and logs contain.
    #[serde(default, deserialize_with = "load::pairs")]
    pub undocumented_tools: Vec<(String, String)>,
    /// Tools that its events have under the vocabulary's names.
    #[serde(default)]
    pub own_tools: Vec<String>,
    /// The prefix of its names for tools of MCP servers, if it is not `mcp__SERVER__`.
    #[serde(default)]
    pub mcp_tools: Option<String>,
    /// Its names for tools of MCP servers, if they have the server: `SERVER-TOOL`.
    #[serde(default)]
    pub mcp_names: Option<String>,
    /// Whether its hooks files may name tools as Claude Code does.
    #[serde(default)]
    claude_tools: bool,
    /// Tool names that only its model uses, with those of the vocabulary.
    #[serde(default, deserialize_with = "load::pairs")]
    pub internal_tools: Vec<(String, String)>,
    /// Its names for inputs of tools that work on a file, with those of the vocabulary.
    #[serde(default, deserialize_with = "load::pairs")]
    pub inputs: Vec<(String, String)>,
    /// Its names for inputs of a tool of the vocabulary, besides those of [`inputs`](Self::inputs).
    #[serde(default)]
    pub inputs_of: BTreeMap<String, BTreeMap<String, String>>,
    /// Its names for inputs of a tool of the vocabulary that are lists. Hooks decide about each element.
    #[serde(default)]
    pub lists: BTreeMap<String, BTreeMap<String, ListInput>>,
    /// The roles of inputs of tools, under its own names for both: of tools that the vocabulary does not have, or that
    /// do something else than those of the vocabulary's name.
    #[serde(default)]
    pub roles: BTreeMap<String, BTreeMap<String, String>>,
    /// The settings that `hookc install` writes.
    pub settings: Option<Settings>,
    /// The format of its own hooks file, if it differs from Claude Code's.
    pub form: Option<Form>,
    /// What it does with an invalid hooks file, as far as that is known.
    #[serde(default)]
    pub invalid: Reactions,
    /// How its own program is asked whether it runs its hooks, if it has a mode without a person.
    #[serde(default)]
    pub live: Option<Live>,
    /// Why its own program cannot be asked, if it has settings and no `live`.
    #[serde(default)]
    pub no_live: Option<String>,
    /// What it sends in addition to the shared vocabulary, which reads this part of the file.
    #[serde(default)]
    sends: Sends,
}

/// An input that is a list of what the vocabulary has one of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ListInput {
    /// The vocabulary's name for an element.
    pub is: String,
    /// The members of an element, one of which has the text or a list of texts, if elements can be objects.
    #[serde(default)]
    pub of: Vec<String>,
}

/// What an agent sends in addition to the shared vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Sends {
    /// Its tools.
    tools: HashMap<String, IgnoredAny>,
}

/// The tools of the events into which a patch is split, one for each file.
const PATCHED: [&str; 2] = ["Write", "Edit"];

impl Agent {
    /// Its event with that name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| event.name == name)
    }

    /// Its events of a type of the vocabulary.
    pub fn events_of<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Event> {
        self.events.iter().filter(move |known| known.event == event)
    }

    /// The event to install for a type of the vocabulary.
    #[must_use]
    pub fn native(&self, event: &str) -> Option<&Event> {
        self.events.iter().find(|known| known.event == event)
    }

    /// The events to install for a type of the vocabulary: the first one, or all for some of the cases if none covers all.
    #[must_use]
    pub fn installed(&self, event: &str) -> Vec<&Event> {
        let mut installed: Vec<_> = self.events.iter().filter(|known| known.event == event).collect();
        match installed.first() {
            Some(first) if first.part => installed.retain(|known| known.part),
            _ => installed.truncate(1),
        }
        installed
    }

    /// The plugin that makes the calls of its settings: its place, seen from the directory of the settings, and its text.
    #[must_use]
    pub fn plugin(&self) -> Option<(&str, &'static str)> {
        let place = self.settings.as_ref()?.plugin.as_deref()?;
        let id = Id::ALL.iter().find(|id| id.name() == self.name)?;
        Some((place, id.plugin()?))
    }

    /// The vocabulary's name of an event; otherwise the agent's own.
    #[must_use]
    pub fn translated<'n>(&'n self, event: &'n str) -> &'n str {
        self.event(event).map_or(event, |known| known.event.as_str())
    }

    /// Its events that the vocabulary has under another name.
    pub fn renamed(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|event| event.event != event.name)
    }

    /// The vocabulary's name of a tool; otherwise the agent's own.
    #[must_use]
    pub fn tool<'t>(&'t self, name: &'t str) -> &'t str {
        self.all_tools().find(|(listed, _)| listed == name).map_or(name, |(_, tool)| tool.as_str())
    }

    /// Its names of tools in events, and those of the vocabulary.
    pub fn all_tools(&self) -> impl Iterator<Item = &(String, String)> {
        self.tools.iter().chain(&self.undocumented_tools)
    }

    /// Whether its hooks files may name tools as Claude Code does.
    #[must_use]
    pub fn has_claude_tools(&self) -> bool {
        self.claude_tools || !self.own_tools.is_empty()
    }

    /// The known MCP server of a tool by the agent's name, if that has the server in the form of
    /// [`mcp_names`](Self::mcp_names).
    #[must_use]
    pub fn mcp_server(&self, tool: &str) -> Option<&'static str> {
        let (start, rest) = self.mcp_names.as_deref()?.split_once("SERVER")?;
        let separator = rest.strip_suffix("TOOL")?;
        let name = tool.strip_prefix(start)?;
        let is_server = |server: &&&str| {
            let tool = name.strip_prefix(**server).and_then(|rest| rest.strip_prefix(separator));
            tool.is_some_and(|tool| !tool.is_empty())
        };
        MCP_SERVERS.iter().find(is_server).copied()
    }

    /// Its own name of a tool that a matcher of its hooks files names otherwise.
    #[must_use]
    pub fn alias<'t>(&'t self, name: &'t str) -> &'t str {
        let aliases = self.form.iter().flat_map(|form| &form.aliases);
        aliases.into_iter().find(|(alias, _)| alias == name).map_or(name, |(_, own)| own.as_str())
    }

    /// Whether a matcher of its hooks files may use this tool name.
    #[must_use]
    pub fn has_tool(&self, name: &str) -> bool {
        let name = self.alias(name);
        let claude = || Id::Claude.agent().own_tools.iter().any(|listed| listed == name);
        self.all_tools().any(|(listed, _)| listed == name) || (self.has_claude_tools() && claude())
    }

    /// Its names for the inputs of a tool of the vocabulary, with those of the vocabulary: those of tools that work on a
    /// file, if the tool does, and those of the tool alone.
    pub fn input_names<'a>(
        &'a self,
        tool: &str,
        is_file: bool,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let files = self
            .inputs
            .iter()
            .filter(move |_| is_file)
            .map(|(native, name)| (native.as_str(), name.as_str()));
        let of_tool = self.inputs_of.get(tool).into_iter().flatten();
        let names = files.chain(of_tool.map(|(native, name)| (native.as_str(), name.as_str())));
        names.filter(|(native, name)| native != name)
    }

    /// The directories of its settings and hooks files, relative to a project.
    pub fn directories(&self) -> impl Iterator<Item = &str> {
        let settings = self.settings.iter().flat_map(|settings| {
            let files = [&settings.project, &settings.user].into_iter().chain(&settings.local);
            files.chain(&settings.also)
        });
        let files = settings.chain(self.form.iter().flat_map(|form| &form.paths));
        files.filter_map(|file| Some(file.rsplit_once('/')?.0)).filter(|directory| directory.starts_with('.'))
    }

    /// Whether its events can be about a tool of the vocabulary.
    #[must_use]
    pub fn sends_tool(&self, tool: &str) -> bool {
        // Handlers with data in their environment can be about any tool.
        let is_open = self.protocol.variables.iter().any(|variable| variable.member == "tool_name");
        // The tools of the vocabulary are Claude Code's, except for those that another agent alone has.
        let is_claude =
            || !self.own_tools.is_empty() && !all().any(|other| other.sends.tools.contains_key(tool));
        let is_own = || self.sends.tools.contains_key(tool) || self.shared_tools().any(|own| own == tool);
        is_open || is_own() || is_claude()
    }

    /// The tools of the vocabulary that its events can be about, without those that it alone has.
    pub fn shared_tools(&self) -> impl Iterator<Item = &str> {
        let named = self.all_tools().chain(&self.internal_tools).map(|(_, tool)| tool.as_str());
        let several =
            self.protocol.several.iter().flat_map(|one| one.tools.iter().map(|(_, tool)| tool.as_str()));
        let events = self.events.iter().filter_map(|event| event.tool.as_deref()).chain(several);
        let patched = self.protocol.patch.iter().flat_map(|_| PATCHED);
        self.own_tools.iter().map(String::as_str).chain(named).chain(events).chain(patched)
    }

    /// The seconds after which it ends a command at an event, if its settings name no timeout.
    #[must_use]
    pub fn call_timeout(&self, event: &str) -> Option<f64> {
        let waits = |known: &Event| known.wait.or(known.timeout.map(f64::from));
        let of_event = self.events_of(event).find_map(waits);
        let of_command = self.command_handler().map(|handler| handler.timeout);
        let of_form = self.form.as_ref().map(|form| form.handler.timeout);
        of_event.or(of_command.or(of_form).map(f64::from))
    }

    /// The longest timeout in seconds that it allows at an event.
    #[must_use]
    pub fn longest_timeout(&self, event: &str) -> Option<u32> {
        self.events_of(event).find_map(|known| known.longest)
    }

    /// Its handlers that are commands, if its settings have types of handlers.
    pub(crate) fn command_handler(&self) -> Option<&HandlerType> {
        self.handlers.iter().find(|handler| handler.name == "command")
    }

    /// Whether `hookc run` writes an answer with this effect to an event.
    #[must_use]
    pub fn writes(&self, event: &str, capability: Capability) -> bool {
        self.event(event)
            .map_or_else(|| self.protocol.others.contains(&capability), |known| known.is_written(capability))
    }

    /// Whether an answer to an event can have this effect.
    #[must_use]
    pub fn can(&self, event: &str, capability: Capability) -> bool {
        self.event(event)
            .map_or_else(|| self.protocol.others.contains(&capability), |known| known.can(capability))
    }

    /// The keys of a handler that set a parameter of its action, in order of precedence.
    fn keys_of<'a>(&'a self, param: &'a str) -> impl Iterator<Item = &'a Key> {
        let keys = self.form.iter().flat_map(|form| &form.handler.keys);
        keys.filter(move |key| key.param.as_deref() == Some(param))
    }

    /// The keys of a handler with its command, in order of precedence.
    pub fn command_keys(&self) -> impl Iterator<Item = &str> {
        let keys = self.keys_of("command").map(|key| key.name.as_str());
        keys.chain(self.form.is_none().then_some("command"))
    }

    /// The key of a handler that denies the action if the handler fails, and its value.
    #[must_use]
    pub fn fail_closed_key(&self) -> Option<(&str, serde_json::Value)> {
        let key = self.keys_of("fail_closed").next()?;
        Some((key.name.as_str(), key.yes.as_deref().map_or(true.into(), Into::into)))
    }

    /// Whether its handlers can have a timeout.
    #[must_use]
    pub fn has_timeouts(&self) -> bool {
        let are_scripts = self.settings.as_ref().is_some_and(|settings| settings.scripts);
        !are_scripts && (self.form.is_none() || self.keys_of("timeout").next().is_some())
    }

    /// The key of a handler with its timeout, and the number of its units in a second.
    #[must_use]
    pub fn timeout_key(&self) -> (&str, u32) {
        self.keys_of("timeout").next().map_or(("timeout", 1), |key| (key.name.as_str(), key.divide))
    }

    /// The seconds after which it ends a handler with a timeout of its own; `None` for a timeout of 0 whose meaning is
    /// unknown.
    #[must_use]
    pub fn own_timeout(&self, handler: &crate::value::Value) -> Option<f64> {
        let of_key = |(key, unit): (&str, u32)| match &handler.get(key)?.kind {
            crate::value::Kind::Num(number) => Some(number.0.parse::<f64>().ok()? / f64::from(unit.max(1))),
            _ => None,
        };
        let keys = self.keys_of("timeout").map(|key| (key.name.as_str(), key.divide));
        let seconds = keys.chain(self.form.is_none().then_some(("timeout", 1))).find_map(of_key)?;
        let seconds = if seconds < 0.0 { return None } else { seconds.max(f64::from(self.least_timeout())) };
        (seconds > 0.0 || self.zero_timeout.is_some() || self.invalid.contains_key(&Fault::Timeout))
            .then_some(seconds)
    }

    /// Whether its matchers can look ahead and behind.
    #[must_use]
    pub fn has_lookaround(&self) -> bool {
        let matching = self.form.as_ref().map(|form| form.matching);
        !matches!(matching, Some(Matching::Linear | Matching::Exact))
    }

    /// The shortest timeout in seconds: it raises a shorter one.
    #[must_use]
    pub(crate) fn least_timeout(&self) -> u32 {
        self.form.as_ref().map_or(0, |form| form.handler.least)
    }
}

/// All known agents.
pub fn all() -> impl Iterator<Item = &'static Agent> {
    Id::ALL.iter().map(|id| id.agent())
}

/// The agents that `hookc run` supports.
pub fn answered() -> impl Iterator<Item = &'static Agent> {
    Id::ANSWERED.iter().map(|id| id.agent())
}

/// The agent with a name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Agent> {
    Id::ALL.iter().find(|id| id.name() == name).map(|id| id.agent())
}

/// The agent whose settings a file is, by its path with `/`.
#[must_use]
pub fn at(path: &str) -> Option<Id> {
    let is_at = |id: &Id| id.agent().settings.as_ref().is_some_and(|settings| settings.is_at(path));
    Id::ALL.iter().copied().find(is_at)
}

/// Whether the tools of an MCP server of this name are known.
#[must_use]
pub fn is_known_server(name: &str) -> bool {
    MCP_SERVERS.contains(&name)
}

/// The agents whose handlers have a key.
pub fn with_key(key: &str) -> impl Iterator<Item = &'static Agent> {
    all().filter(move |agent| agent.form.as_ref().is_some_and(|form| form.handler.key(key).is_some()))
}

/// The agents with an event of this name that the vocabulary does not have.
pub fn owners(event: &str) -> impl Iterator<Item = &'static Agent> {
    let is_own = move |agent: &&Agent| agent.event(event).is_some_and(|own| own.event == event);
    all().filter(is_own)
}
