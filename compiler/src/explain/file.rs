//! Where a path leads, as `explain` shows it.

use serde_json::Value;

/// The view of a path in one line: `/srv/app/src/x.rs, inside the project`.
pub(super) fn line(view: &str) -> String {
    let view: Value = serde_json::from_str(view).unwrap_or_default();
    let text = |name: &str| view.get(name).and_then(Value::as_str);
    let Some(path) = text("path") else {
        return format!("it is unknown where the path leads: {}", text("reason").unwrap_or_default());
    };
    let location = match view.get("inside").and_then(Value::as_bool) {
        Some(true) => "inside the project",
        Some(false) => "outside the project",
        None => "and it is unknown whether that is inside the project",
    };
    format!("{path}, {location}")
}
