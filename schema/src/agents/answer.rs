//! What an answer to an agent contains, if its form is data.

use serde::Deserialize;
use serde_json::Value;

use super::load;

/// A part of an answer: members of the object that a handler prints, or an exit status.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AnswerPart {
    /// What the verdict must have.
    #[serde(rename = "if")]
    pub given: Given,
    /// The agent's events that it is for; all of them if it is empty.
    #[serde(default)]
    pub at: Vec<String>,
    /// Members of the object, by their path (`a.b` is the member `b` of the object `a`). A text that starts with `$` is
    /// one of the values of [`Content`], and a member without such a value is left out.
    #[serde(default, deserialize_with = "load::pairs")]
    pub put: Vec<(String, Content)>,
    /// Plain text on standard output, in place of the object.
    pub print: Option<Content>,
    /// The exit status. The reason is then on standard error.
    pub exit: Option<u8>,
}

/// What a verdict must have for a part of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Given {
    /// It allows.
    Allow,
    /// It denies.
    Deny,
    /// It asks the user.
    Ask,
    /// It allows, denies or asks.
    Decision,
    /// It does none of these, and does not stop the agent.
    Neutral,
    /// It changes the tool's input.
    Modify,
    /// It has context for the model.
    Inject,
    /// It replaces the tool's output.
    Output,
    /// It replaces the user's message.
    Prompt,
    /// It stops the agent.
    Stop,
    /// It has messages for the user.
    Message,
}

/// The value of a member of an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Content {
    /// This value.
    Fixed(Value),
    /// `$event`: the agent's name of the event.
    Event,
    /// `$decision`: `allow`, `deny` or `ask`.
    Decision,
    /// `$reason`: why it is denied, allowed or asked about.
    Reason,
    /// `$notes`: the reason and the messages for the user.
    Notes,
    /// `$messages`: the messages for the user.
    Messages,
    /// `$context`: text for the model.
    Context,
    /// `$input`: the tool's whole new input.
    Input,
    /// `$output`: the tool's new output.
    Output,
    /// `$prompt`: the message in place of the user's.
    Prompt,
    /// `$stop`: why the agent is stopped.
    Stop,
}

impl TryFrom<Value> for Content {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let Some(name) = value.as_str().and_then(|text| text.strip_prefix('$')) else {
            return Ok(Self::Fixed(value));
        };
        Ok(match name {
            "event" => Self::Event,
            "decision" => Self::Decision,
            "reason" => Self::Reason,
            "notes" => Self::Notes,
            "messages" => Self::Messages,
            "context" => Self::Context,
            "input" => Self::Input,
            "output" => Self::Output,
            "prompt" => Self::Prompt,
            "stop" => Self::Stop,
            other => return Err(format!("unknown value `${other}`")),
        })
    }
}
