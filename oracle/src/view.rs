//! Views of command lines. What a line runs is another judge's task: a function gives the view of a
//! text. Which text, and what paths read of the view, is decided here.

use hookc_schema::tree::Step;

use crate::json::Json;
use crate::path::Places;
use crate::programs::Programs;

/// The view of a command line as JSON, by its text, its working directory and the programs that policies add.
pub type ViewOf = fn(&str, Option<&str>, &Programs) -> String;

/// The shells of other languages, by the names of tools.
const FOREIGN: [(&str, &str); 5] = [
    ("powershell", "powershell"),
    ("pwsh", "powershell"),
    ("cmd", "cmd"),
    ("cmd.exe", "cmd"),
    ("batch", "cmd"),
];

/// The view of a value of an event; nothing for null.
pub(crate) fn view(source: &Json, event: &Json, (view_of, programs): (ViewOf, &Programs)) -> Option<Json> {
    let text = |name| match setting(name).find(event) {
        Some(Json::Str(text)) => Some(text.as_str()),
        _ => None,
    };
    if matches!(source, Json::Null) {
        return None;
    }
    if let Some(tool) = text("tool_name")
        && let Some((_, reason)) = FOREIGN.iter().find(|(name, _)| name.eq_ignore_ascii_case(tool))
    {
        return Some(unread(reason));
    }
    let view = |line: &str| Json::parse(view_of(line, text("cwd"), programs).as_bytes()).ok();
    match source {
        Json::Str(line) => view(line),
        Json::Arr(words) => {
            let quoted = |word: &Json| match word {
                Json::Str(word) => Some(format!("'{}'", word.split('\'').collect::<Vec<_>>().join("'\\''"))),
                _ => None,
            };
            let words: Option<Vec<String>> = words.iter().map(quoted).collect();
            words.map_or_else(|| Some(unread("not_text")), |words| view(&words.join(" ")))
        }
        _ => Some(unread("not_text")),
    }
}

fn unread(reason: &str) -> Json {
    Json::Obj(vec![
        ("ok".to_owned(), Json::Bool(false)),
        ("reason".to_owned(), Json::Str(reason.to_owned())),
        ("opaque".to_owned(), Json::Arr(Vec::new())),
        ("commands".to_owned(), Json::Arr(Vec::new())),
    ])
}

/// A field that says how command lines are read: at the root or in `event`.
fn setting(name: &str) -> Places {
    let step = |name: &str| Step::Name(name.to_owned());
    Places { root: vec![step(name)], nested: Some(vec![step("event"), step(name)]) }
}

/// Whether one of such fields is a duplicate.
pub(crate) fn settings_twice(event: &Json, names: &[&str]) -> bool {
    names.iter().any(|name| setting(name).has_duplicates(event, false))
}

/// The project of an event; none if it does not have the member.
pub(crate) fn project(event: &Json) -> Option<Json> {
    setting("project_dir").find(event).cloned()
}

/// The working directory of an event.
pub(crate) fn cwd(event: &Json) -> Option<String> {
    match setting("cwd").find(event) {
        Some(Json::Str(text)) => Some(text.clone()),
        _ => None,
    }
}
