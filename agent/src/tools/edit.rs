//! Replaces a text in a file.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Tool, file_text, input, save, spec};
use crate::message::ToolSpec;

#[derive(Debug)]
pub(super) struct Edit;

#[derive(Deserialize)]
struct Input {
    file_path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

impl Tool for Edit {
    fn spec(&self) -> ToolSpec {
        let properties = json!({
            "file_path": {"type": "string", "description": "The file"},
            "old_string": {"type": "string", "description": "The text to replace, exactly"},
            "new_string": {"type": "string", "description": "The new text"},
            "replace_all": {"type": "boolean", "description": "Whether to replace every occurrence"},
        });
        let about = "Replaces a text in a file. The text must occur once, unless `replace_all` is true.";
        spec("Edit", about, properties, &["file_path", "old_string", "new_string"])
    }

    fn is_edit(&self) -> bool {
        true
    }

    fn call(&self, call: &Value, place: &Place) -> Result<String, String> {
        let Input { file_path, old_string, new_string, replace_all } = input(call)?;
        let path = place.resolve(&file_path);
        let text = file_text(&path)?;
        if old_string.is_empty() || old_string == new_string {
            return Err("`old_string` is empty, or equal to `new_string`".to_owned());
        }
        let count = text.matches(&old_string).count();
        match count {
            0 => return Err(format!("{file_path} does not contain `old_string`")),
            2.. if !replace_all => {
                return Err(format!(
                    "{file_path} contains `old_string` {count} times: make it longer, or set `replace_all`"
                ));
            }
            _ => {}
        }
        save(&path, &text.replace(&old_string, &new_string))?;
        Ok(format!("replaced {count} in {file_path}"))
    }
}
