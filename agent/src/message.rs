//! Messages between the user, the model and the tools.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    User,
    Assistant,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block {
    Text {
        text: String,
    },
    /// The model calls a tool.
    ToolUse {
        id: String,
        name: String,
        input: Value,
        /// Why the input that the model wrote cannot be read; `input` is then empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invalid: Option<String>,
    },
    ToolResult {
        tool_use_id: String,
        content: String,
        #[serde(default, skip_serializing_if = "is_false")]
        is_error: bool,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Block {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) content: Vec<Block>,
}

impl Message {
    /// A message of the user.
    pub(crate) fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, content: vec![Block::text(text)] }
    }

    /// Its texts, joined.
    pub(crate) fn text(&self) -> String {
        texts(&self.content)
    }
}

/// The texts of blocks, joined by line breaks.
pub(crate) fn texts(content: &[Block]) -> String {
    let text = |block: &Block| match block {
        Block::Text { text } => Some(text.clone()),
        Block::ToolUse { .. } | Block::ToolResult { .. } => None,
    };
    content.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) input: Value,
    /// Why the input cannot be read.
    pub(crate) invalid: Option<String>,
}

/// The calls of tools in a message, in order.
pub(crate) fn calls(content: &[Block]) -> Vec<ToolCall> {
    let call = |block: &Block| match block {
        Block::ToolUse { id, name, input, invalid } => Some(ToolCall {
            id: id.clone(),
            name: name.clone(),
            input: input.clone(),
            invalid: invalid.clone(),
        }),
        Block::Text { .. } | Block::ToolResult { .. } => None,
    };
    content.iter().filter_map(call).collect()
}

/// Tokens that a model has read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    #[serde(default)]
    pub(crate) input_tokens: u64,
    #[serde(default)]
    pub(crate) output_tokens: u64,
}

impl Usage {
    pub(crate) fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ToolSpec {
    pub(crate) name: String,
    pub(crate) description: String,
    /// A JSON Schema of an object.
    pub(crate) input_schema: Value,
}
