//! Reads a file.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Tool, file_text, input, shortened, spec};
use crate::message::ToolSpec;

/// Lines without a `limit`.
const LINES: usize = 2000;

#[derive(Debug)]
pub(super) struct Read;

#[derive(Deserialize)]
struct Input {
    file_path: String,
    offset: Option<usize>,
    limit: Option<usize>,
}

impl Tool for Read {
    fn spec(&self) -> ToolSpec {
        let properties = json!({
            "file_path": {"type": "string", "description": "The file"},
            "offset": {"type": "integer", "description": "The first line, from 1"},
            "limit": {"type": "integer", "description": "How many lines"},
        });
        spec("Read", "Reads a text file. Each line has its number.", properties, &["file_path"])
    }

    fn is_read_only(&self) -> bool {
        true
    }

    fn call(&self, call: &Value, place: &Place) -> Result<String, String> {
        let Input { file_path, offset, limit } = input(call)?;
        let text = file_text(&place.resolve(&file_path))?;
        let (from, most) = (offset.unwrap_or(1).max(1), limit.unwrap_or(LINES));
        let lines = text.lines().enumerate().skip(from - 1).take(most);
        let lines: Vec<String> = lines.map(|(n, line)| format!("{:>6}\t{line}", n + 1)).collect();
        let rest = text.lines().count().saturating_sub(from - 1 + lines.len());
        let mut shown = lines.join("\n");
        if rest > 0 {
            shown.push_str(&format!("\n[{rest} more lines]"));
        }
        Ok(shortened(shown))
    }
}
