//! What an event does, as `explain` shows it.

use serde_json::Value;

/// The effects of a view that are shown.
const SHOWN: usize = 16;

/// A line for each effect, `cat read /p/.env`, and one for what is unknown.
pub(super) fn lines(view: &str) -> Vec<String> {
    let view: Value = serde_json::from_str(view).unwrap_or_default();
    let effects = view.get("all").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_run = |effect: &&Value| text(effect, "kind") == Some("run");
    let mut shown = effects.iter().filter(|effect| !is_run(effect));
    let mut lines: Vec<String> = shown.by_ref().take(SHOWN).map(line).collect();
    let more = shown.count();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.extend(text(&view, "unknown").map(|cause| format!("unknown: {cause}")));
    if lines.is_empty() {
        lines.push("no effects".to_owned());
    }
    lines
}

fn line(effect: &Value) -> String {
    let part = |name| text(effect, name).unwrap_or_default();
    // The event does not say where a program starts that looks around there.
    let object = if part("object").is_empty() { "the working directory" } else { part("object") };
    format!("{} {} {object}", text(effect, "by").unwrap_or("the tool"), part("kind"))
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}
