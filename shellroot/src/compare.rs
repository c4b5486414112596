//! What bash started next to what the view reports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use hookc_shell as shell;
use serde_json::{Value, json};

use crate::base::Base;
use crate::inside::HOME;

/// How often each result came.
static COUNTS: Mutex<BTreeMap<&'static str, usize>> = Mutex::new(BTreeMap::new());

fn count(what: &'static str) {
    if let Ok(mut counts) = COUNTS.lock() {
        let count = counts.entry(what).or_default();
        *count = count.saturating_add(1);
    }
}

/// The lines of a file of JSON objects.
///
/// # Errors
/// A line is not an object, or has no `line`.
pub(crate) fn lines(text: &str) -> Result<Vec<String>, String> {
    let line = |(at, text): (usize, &str)| {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("line {}: {error}", at.saturating_add(1)))?;
        let line = value["line"].as_str().map(str::to_owned);
        line.ok_or_else(|| format!("line {}: no `line`", at.saturating_add(1)))
    };
    text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()).map(line).collect()
}

/// The programs in the view.
struct View {
    ok: bool,
    opaque: bool,
    /// Program and path of each command that has them.
    programs: Vec<(String, Option<String>)>,
}

impl View {
    fn read(line: &str) -> Self {
        let text = shell::view(line, Some(&format!("{HOME}/repo")), Default::default());
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let commands = value["commands"].as_array().cloned().unwrap_or_default();
        let program = |command: &Value| {
            let name = command["name"].as_str()?.to_owned();
            Some((name, command["path"].as_str().map(str::to_owned)))
        };
        let programs = commands.iter().filter_map(program).collect();
        let unnamed = commands.iter().any(|command| command["name"].is_null());
        let opaque = unnamed || value["opaque"].as_array().is_some_and(|all| !all.is_empty());
        Self { ok: value["ok"] == json!(true), opaque, programs }
    }

    fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.programs.iter().filter_map(|(_, path)| path.as_deref());
        paths.filter(|path| path.contains('/'))
    }
}

/// The names of all programs that the lines may start.
pub(crate) fn programs(lines: &[String]) -> BTreeSet<String> {
    lines.iter().flat_map(|line| View::read(line).programs).map(|(name, _)| name).collect()
}

/// The paths of programs that the line names.
pub(crate) fn paths(line: &str) -> BTreeSet<String> {
    View::read(line).paths().map(str::to_owned).collect()
}

fn answer(base: &Base, line: &str, view: &View) -> Result<Value, String> {
    base.ask(&json!({"line": line, "names": view.paths().collect::<BTreeSet<_>>()}))
}

pub(crate) fn print(base: &Base, line: &str) -> Result<(), String> {
    println!("{}", answer(base, line, &View::read(line))?);
    Ok(())
}

/// Compares the names of the programs.
pub(crate) fn compare(base: &Base, line: &str) -> Result<(), String> {
    count("lines");
    if line.contains('\0') {
        count("lines that no program can receive");
        return Ok(());
    }
    let view = View::read(line);
    let answer = answer(base, line, &view)?;
    let started = answer["started"].as_array().cloned().unwrap_or_default();
    let name = |one: &Value| one["name"].as_str().and_then(|name| name.rsplit('/').next()).map(str::to_owned);
    let started: BTreeSet<String> = started.iter().filter_map(name).collect();
    let known: BTreeSet<String> = view.programs.iter().map(|(name, _)| name.clone()).collect();
    let missed: Vec<&String> = started.difference(&known).collect();
    let unused: Vec<&String> = known.difference(&started).collect();
    if !unused.is_empty() {
        count("lines with commands that bash did not start (builtins, branches not taken)");
    }
    let what = match () {
        () if missed.is_empty() => {
            count("lines whose started programs are all in the view");
            return Ok(());
        }
        () if !view.ok => "unread lines that start programs",
        () if view.opaque => "misses that the view marks as unknown code",
        () => "misses",
    };
    count(what);
    println!("{}", json!({"what": what, "line": line, "missed": missed, "view": known}));
    Ok(())
}

/// Compares the syntax.
pub(crate) fn syntax(base: &Base, line: &str) -> Result<(), String> {
    count("lines");
    if line.contains('\0') {
        count("lines that no program can receive");
        return Ok(());
    }
    let answer = base.ask(&json!({"line": line, "names": [], "syntax": true}))?;
    if !answer["started"].as_array().is_some_and(Vec::is_empty) {
        return Err(format!("`bash -n` started {}", answer["started"]));
    }
    let (bash, view) = (answer["status"] == json!(0), View::read(line).ok);
    let what = match (bash, view) {
        (true, true) => "valid for both",
        (false, false) => "invalid for both",
        (true, false) => "valid for bash alone",
        (false, true) => "valid for hookc alone",
    };
    count(what);
    if bash != view {
        println!("{}", json!({"what": what, "line": line}));
    }
    Ok(())
}

pub(crate) fn summary(verb: &str) {
    let Ok(counts) = COUNTS.lock() else { return };
    if verb != "run" {
        println!("{}", json!({"summary": *counts}));
    }
}
