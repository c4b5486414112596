//! How the events of an agent reach `hookc run`.

use serde::Deserialize;

use super::Capability;
use super::load;
use super::rpc::Rpc;

/// How events are read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Protocol {
    /// The agent that it extends: answers to unlisted events are those of that agent.
    pub extends: Option<String>,
    /// Whether events pass through byte for byte, because their names are the vocabulary's.
    pub verbatim: bool,
    /// The members of an event that can contain its name.
    pub names: Vec<String>,
    /// How to recognize events without a name; the first match applies.
    pub unnamed: Vec<Unnamed>,
    /// Sets of members that only this agent sends together: an event that has all of one is from this agent, whichever
    /// agent the call names. A member after `!` is absent, and one after `~` has a name that neither the agent of
    /// the call nor the vocabulary has for a tool.
    pub signatures: Vec<Vec<String>>,
    /// The agent's names of members, and those of the vocabulary. `a.b` is the member `b` of the object `a`.
    #[serde(deserialize_with = "load::pairs")]
    pub members: Vec<(String, String)>,
    /// Members with a list, and the member of the vocabulary for its first element.
    #[serde(deserialize_with = "load::pairs")]
    pub first: Vec<(String, String)>,
    /// The member with the root of the project, or with a list that begins with it.
    pub project: Option<String>,
    /// The member with the session that started this one, whose history this one continues.
    pub parent: Option<String>,
    /// What its `PostToolUse` says about the success of the tool.
    pub success: Success,
    /// Whether the input of a tool can be a JSON string.
    pub text_input: bool,
    /// Tools that do what one of their inputs says.
    pub several: Vec<Several>,
    /// Whether the agent merges a new input over the old one: a member that a change leaves out stays in effect.
    pub merges_input: bool,
    /// The tools that apply patches.
    pub patch: Option<Patch>,
    /// What its events say about the work of a tool, besides its name.
    pub kinds: Option<Kinds>,
    /// Messages that contain its events, one in a line of standard input.
    pub rpc: Option<Rpc>,
    /// Where events have the server of an MCP tool, if the tool's name is not `mcp__SERVER__TOOL`.
    pub mcp: Option<Mcp>,
    /// Environment variables with members of the event.
    pub variables: Vec<Variable>,
    /// The effects that an answer to an unlisted event can have.
    pub others: Vec<Capability>,
}

impl Default for Protocol {
    fn default() -> Self {
        Self {
            extends: None,
            verbatim: false,
            names: vec!["hook_event_name".to_owned()],
            unnamed: Vec::new(),
            signatures: Vec::new(),
            members: Vec::new(),
            first: Vec::new(),
            project: None,
            parent: None,
            success: Success::default(),
            text_input: false,
            several: Vec::new(),
            merges_input: false,
            patch: None,
            kinds: None,
            rpc: None,
            mcp: None,
            variables: Vec::new(),
            others: Vec::new(),
        }
    }
}

/// What an event after the use of a tool says about its success. Paths are `MEMBER` or `MEMBER.MEMBER`; a member that is
/// `null` or `false` is like none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Success {
    /// Members that only a tool that failed has.
    pub failed: Vec<String>,
    /// Members that a tool has whose end the event does not know.
    pub unknown: Vec<String>,
    /// The member with an exit status, or `true` for an error.
    pub status: Option<String>,
    /// Whether the agent sends another event if the tool fails.
    pub implied: bool,
    /// Whether the event after a command says that it passed, if that does not follow from the rest.
    pub of_commands: Option<bool>,
}

impl Success {
    /// Whether the event after a command can say that it passed.
    #[must_use]
    pub fn shows_passed(&self) -> bool {
        self.of_commands.unwrap_or(self.implied || self.status.is_some())
    }
}

/// An event that is recognized by its members.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Unnamed {
    /// The members, all of which must be present.
    pub has: Vec<String>,
    /// Its name.
    pub is: String,
}

/// A tool that does the work of several tools of the vocabulary.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Several {
    /// Its name.
    pub tool: String,
    /// The input that says what it does.
    pub input: String,
    /// The values of that input, and the tools of the vocabulary. With another value it keeps its own name.
    #[serde(deserialize_with = "load::pairs")]
    pub tools: Vec<(String, String)>,
}

/// What an agent says about the work of each tool.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Kinds {
    /// The member of the event with the kind of its tool.
    pub member: String,
    /// Kinds, and the tools of the vocabulary that do the work of tools with other names.
    #[serde(deserialize_with = "load::pairs")]
    pub tools: Vec<(String, String)>,
}

/// The tools that apply patches: each file of one becomes an event.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Patch {
    /// Their names.
    pub tools: Vec<String>,
    /// Members of their input, one of which contains the patch.
    pub members: Vec<String>,
}

/// An object with the names of the server and of its tool.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Mcp {
    /// The member of the event.
    pub member: String,
    /// Its member with the name of the server.
    pub server: String,
    /// Its member with the tool's name at the server.
    pub tool: String,
    /// The agent's tool that calls those of servers, if one tool calls them all.
    pub by: Option<String>,
    /// The member with the input of the server's tool, if that is not the input of the event: an object, or its JSON as
    /// a string.
    pub input: Option<String>,
}

/// An environment variable.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The member of the event.
    pub member: String,
    /// The type of its text.
    #[serde(rename = "as")]
    pub kind: VariableKind,
}

/// The type of a variable's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VariableKind {
    /// Text.
    Text,
    /// A name; empty text means no name.
    Name,
    /// Text that may be JSON; empty text means no value.
    Json,
    /// Bytes, which can be truncated within a character.
    Bytes,
    /// A boolean: `true` and `1` are true, other text is false.
    Flag,
}
