//! Writes a file.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Tool, input, save, spec};
use crate::message::ToolSpec;

#[derive(Debug)]
pub(super) struct Write;

#[derive(Deserialize)]
struct Input {
    file_path: String,
    content: String,
}

impl Tool for Write {
    fn spec(&self) -> ToolSpec {
        let properties = json!({
            "file_path": {"type": "string", "description": "The file"},
            "content": {"type": "string", "description": "Its new content"},
        });
        spec("Write", "Writes a file, and replaces an old one.", properties, &["file_path", "content"])
    }

    fn is_edit(&self) -> bool {
        true
    }

    fn call(&self, call: &Value, place: &Place) -> Result<String, String> {
        let Input { file_path, content } = input(call)?;
        save(&place.resolve(&file_path), &content)?;
        Ok(format!("wrote {} bytes to {file_path}", content.len()))
    }
}
