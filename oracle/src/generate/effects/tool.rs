//! Events of tools.

use serde_json::{Map, Value, json};

use super::line::value;
use super::{HOSTS, PATHS, line};
use crate::effects::{Knowledge, Project, ToolEvent};
use crate::generate::Rng;

/// An event of a tool that the tables have, or of another one.
pub fn event(rng: &mut Rng, knowledge: &Knowledge) -> ToolEvent {
    let cwd = if rng.chance(90) { Some(rng.pick(&["/p", "/p/sub", "/home/me"]).to_owned()) } else { None };
    let project = match rng.below(4) {
        0 => Project::At("/p".to_owned()),
        1 if rng.chance(30) => Project::Nowhere,
        _ => Project::Absent,
    };
    if rng.chance(60) || knowledge.shipped.is_empty() {
        let input = json!({"command": line(rng, &knowledge.rows)});
        return ToolEvent { tool: "Bash".to_owned(), host_tool: None, cwd, project, input };
    }
    let table = knowledge.shipped.get(rng.below(knowledge.shipped.len()));
    let (name, inputs) = table.cloned().unwrap_or_default();
    let name = if rng.chance(10) { "mcp__other__do".to_owned() } else { name.replace('*', "x") };
    let mut members = Map::new();
    for (path, role) in inputs.iter().flatten() {
        if rng.chance(85) {
            insert(rng, &mut members, path, &role.clone(), knowledge);
        }
    }
    if rng.chance(10) {
        members.insert("path".to_owned(), json!(rng.pick(PATHS)));
    }
    ToolEvent { tool: name, host_tool: None, cwd, project, input: Value::Object(members) }
}

fn insert(rng: &mut Rng, members: &mut Map<String, Value>, path: &str, role: &str, knowledge: &Knowledge) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let (name, is_list) = first.strip_suffix("[*]").map_or((first, false), |name| (name, true));
    let inner = |rng: &mut Rng| match rest {
        Some(rest) => {
            let mut members = Map::new();
            insert(rng, &mut members, rest, role, knowledge);
            Value::Object(members)
        }
        None => scalar(rng, role, knowledge),
    };
    let value =
        if is_list { Value::Array((0..rng.below(3)).map(|_| inner(rng)).collect()) } else { inner(rng) };
    match (members.get_mut(name), value) {
        (Some(Value::Object(old)), Value::Object(new)) => old.extend(new),
        (_, value) => drop(members.insert(name.to_owned(), value)),
    }
}

fn scalar(rng: &mut Rng, role: &str, knowledge: &Knowledge) -> Value {
    if rng.chance(4) {
        return rng.pick(&[0, 1, 2]).into();
    }
    match role.split_whitespace().next().unwrap_or_default() {
        "line" if rng.chance(15) => json!(["cat", rng.pick(PATHS)]),
        "line" => json!(line(rng, &knowledge.rows)),
        "url" => json!(format!("https://{}/x", rng.pick(HOSTS))),
        "host" => json!(rng.pick(HOSTS)),
        "below" => json!(rng.pick(&["*.rs", "**/*.rs", ".env*", "!x", "src/**", "{a,b}.pem"])),
        "patch" => json!(format!(
            "*** Begin Patch\n*** {} File: {}\n*** End Patch",
            rng.pick(&["Add", "Update", "Delete"]),
            rng.pick(PATHS)
        )),
        "text" | "code" | "data" => json!(value(rng, "TEXT")),
        _ if rng.chance(10) => json!([rng.pick(PATHS), rng.pick(PATHS)]),
        _ => json!(rng.pick(PATHS)),
    }
}
