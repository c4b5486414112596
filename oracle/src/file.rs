//! The view of the path of a file, from `docs/language.md` alone: lists of names, and nothing else.

use crate::ambiguous::{is_ambiguous, last_name};
use crate::json::Json;
use crate::view;

/// Bytes of a path.
const LONGEST: usize = 32_768;

/// Where a path is: from the root, or from the home directory, and the names from there.
#[derive(Clone, PartialEq)]
struct Location {
    home: bool,
    names: Vec<String>,
}

/// The view of a value of an event; nothing for null. `project` is what the policy states.
pub(crate) fn view(source: &Json, event: &Json, project: Option<&str>) -> Option<Json> {
    let text = match source {
        Json::Null => return None,
        Json::Str(text) => text,
        _ => return Some(unknown("not_text", None)),
    };
    if text.len() > LONGEST {
        return Some(unknown("too_long", None));
    }
    if text.chars().any(|c| c == '\0') {
        return Some(unknown("nul", None));
    }
    let directory = |path: Option<String>| {
        let path = path.filter(|path| path.len() <= LONGEST && !path.contains('\0'));
        path.and_then(|path| located(&path, None).ok())
    };
    let cwd = directory(view::cwd(event));
    let found = match located(text, cwd.as_ref()) {
        Ok(found) => found,
        Err(reason) => return Some(unknown(reason, last_name(text))),
    };
    let project = match (project, view::project(event)) {
        (Some(path), _) => directory(Some(path.to_owned())),
        (None, Some(Json::Str(path))) => directory(Some(path)),
        (None, None) => cwd,
        (None, Some(_)) => None,
    };
    let inside = match &project {
        None => None,
        Some(project) if project.home != found.home => None,
        Some(project) => Some(found.names.starts_with(&project.names)),
    };
    let relative = match (&project, inside) {
        (Some(project), Some(true)) => {
            let below: Vec<String> = found.names.iter().skip(project.names.len()).cloned().collect();
            Some(if below.is_empty() { ".".to_owned() } else { below.join("/") })
        }
        _ => None,
    };
    let start = if found.home { "~" } else { "" };
    let mut path = found.names.iter().fold(start.to_owned(), |path, name| format!("{path}/{name}"));
    if path.is_empty() {
        path = "/".to_owned();
    }
    Some(all(true, Some(path), inside, relative, found.names.last().cloned(), None))
}

/// Where a text leads from the working directory, or why that is unknown.
fn located(text: &str, cwd: Option<&Location>) -> Result<Location, &'static str> {
    if is_ambiguous(text) {
        return Err("ambiguous");
    }
    let (start, rest) = if let Some(rest) = text.strip_prefix('/') {
        (Location { home: false, names: Vec::new() }, rest)
    } else if text.starts_with('~') {
        let (home, rest) = text.split_once('/').unwrap_or((text, ""));
        if home != "~" {
            return Err("unknown_home");
        }
        (Location { home: true, names: Vec::new() }, rest)
    } else {
        (cwd.cloned().ok_or("unknown_cwd")?, text)
    };
    let Location { home, mut names } = start;
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." if names.is_empty() && home => return Err("unknown_home"),
            ".." => drop(names.pop()),
            part => names.push(part.to_owned()),
        }
        let written: Vec<&str> = names.iter().map(String::as_str).collect();
        // The link to the root that each process has.
        if let ["proc", process, "root"] = written.as_slice()
            && !home
            && (matches!(*process, "self" | "thread-self" | "$$") || process.parse::<u64>().is_ok())
        {
            names.clear();
        }
    }
    Ok(Location { home, names })
}

fn unknown(reason: &str, name: Option<String>) -> Json {
    all(false, None, None, None, name, Some(reason))
}

fn all(
    ok: bool,
    path: Option<String>,
    inside: Option<bool>,
    relative: Option<String>,
    name: Option<String>,
    reason: Option<&str>,
) -> Json {
    let text = |text: Option<String>| text.map_or(Json::Null, Json::Str);
    let extension = name.as_ref().and_then(|name| {
        let at = name.rfind('.').filter(|at| *at > 0)?;
        name.get(at + 1..).filter(|rest| !rest.is_empty()).map(str::to_owned)
    });
    let mut members = vec![
        ("extension".to_owned(), text(extension)),
        ("inside".to_owned(), inside.map_or(Json::Null, Json::Bool)),
        ("name".to_owned(), text(name)),
        ("ok".to_owned(), Json::Bool(ok)),
        ("path".to_owned(), text(path)),
    ];
    members.extend(reason.map(|reason| ("reason".to_owned(), Json::Str(reason.to_owned()))));
    members.push(("relative".to_owned(), text(relative)));
    Json::Obj(members)
}
