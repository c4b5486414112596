//! Rule 3 of rows: what a plain program does in the root is what its row says.
//!
//! Each plain program of the machine runs there, with its operands and with each option, under `strace`. A file, a program or a
//! connection of the trace that the effects of the line do not have is a fault of the row, and so is an option in `--help` that
//! the row does not list.

mod calls;
mod lines;

use std::path::PathBuf;

use hookc_shell::effects::{Actions, Event, Input, Kind, Project, Scheme, ToolRoles, Tools, Value, gather};
use hookc_shell::programs::{Options, Row, rows};
use serde_json::json;

use crate::base::Base;
use crate::inside::HOME;
use calls::Call;

/// The program that writes down what another one does.
const TRACER: &str = "strace";

/// Programs whose lines say more than what they do: scripts that start the program after the colon.
const SCRIPTS: [&str; 4] = ["egrep:grep", "fgrep:grep", "zcat:gzip", "which:sh"];

/// Files of their own that programs open: settings, and other names of a file while it is deleted.
const OWN_FILES: [(&str, &str); 2] = [("file", "/.magic"), ("shred", "/0")];

/// Words in descriptions of `--help` that look like options.
const DESCRIBED: [&str; 2] = ["cut:-M", "numfmt:-M"];

/// Prints a JSON object for each plain program, or for that of a name: whether it was traced, and what its row does not say.
///
/// # Errors
/// There is no root, or no tracer.
pub(crate) fn trace(only: &str) -> Result<(), String> {
    let tracer = find(TRACER).ok_or("no safe root: there is no strace")?;
    for row in rows().filter(|row| row.is_plain()) {
        for name in row.names().filter(|name| only.is_empty() || *name == only) {
            let Some(program) = find(name) else {
                println!("{}", json!({"program": name, "traced": false}));
                continue;
            };
            let base = Base::with_programs(&[(name, &program), (TRACER, &tracer)])?;
            let (unlisted, beyond) = traced(&base, name, row)?;
            println!("{}", json!({"program": name, "traced": true, "unlisted": unlisted, "beyond": beyond}));
        }
    }
    Ok(())
}

fn find(name: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin"].iter().map(|folder| PathBuf::from(folder).join(name)).find(|path| path.is_file())
}

/// Options of `--help` that the row does not list, and what the program did beyond its row.
fn traced(base: &Base, name: &str, row: &Row) -> Result<(Vec<String>, Vec<String>), String> {
    let lines = lines::of_row(name, row);
    let mut script = format!("{name} --help >/tmp/help 2>&1\n");
    let mut wanted = vec!["/tmp/help".to_owned()];
    for (number, line) in lines.iter().enumerate() {
        script.push_str(&format!(
            "/.hookc/real/timeout 0.5 /.hookc/real/{TRACER} -f -y -qq -s 400 -e trace=%file,%network,%process -o /tmp/{number} {line}\n"
        ));
        wanted.push(format!("/tmp/{number}"));
    }
    let answer = base.ask(&json!({"line": script, "names": [], "wanted": wanted, "seconds": 60}))?;
    let text = |at: usize| answer["read"][at].as_str().unwrap_or_default();
    let options = Options::from_row(row);
    let is_described = |option: &str| DESCRIBED.contains(&format!("{name}:{option}").as_str());
    let mut unlisted = lines::options_of_help(text(0));
    let is_general = |option: &str| matches!(option, "--help" | "--version");
    unlisted.retain(|option| !options.lists(option) && !is_general(option) && !is_described(option));
    let mut beyond = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let found = judge(name, line, text(number.saturating_add(1)));
        beyond.extend(found.into_iter().map(|call| format!("{line}: {call}")));
    }
    Ok((unlisted, beyond))
}

struct Line<'l>(&'l str);

impl Input for Line<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        if path == "command" {
            see(Value::Text(self.0));
        }
    }
}

/// What a trace has that the effects of its line do not have; nothing for a line that is not plain.
fn judge(name: &str, line: &str, trace: &str) -> Vec<String> {
    let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
    let cwd = format!("{HOME}/repo");
    let event = Event {
        tool: "Bash",
        host_tool: None,
        cwd: Some(&cwd),
        project: Project::Absent,
        tools: &tools,
        programs: Default::default(),
    };
    let mut actions = Actions::default();
    gather(&event, &Line(line), &mut actions);
    if !actions.commands().all(|act| act.is_plain()) || actions.unknown().is_some() {
        return Vec::new();
    }
    let mut beyond: Vec<String> = trace
        .lines()
        .flat_map(|line| calls::of_line(line, &cwd))
        .filter(|call| !is_said(name, call, &actions))
        .map(|call| call.to_string())
        .collect();
    beyond.sort_unstable();
    beyond.dedup();
    beyond
}

/// Whether the effects of a line have what a call does.
fn is_said(name: &str, call: &Call, actions: &Actions) -> bool {
    match call {
        Call::Start(program) => {
            actions.commands().any(|act| act.name() == Some(program))
                || SCRIPTS.contains(&format!("{name}:{program}").as_str())
        }
        Call::Contact => actions.effects().any(|effect| effect.kind == Kind::Contact),
        Call::Read(path) | Call::Change(path)
            if OWN_FILES.iter().any(|(program, file)| *program == name && path.contains(file)) =>
        {
            true
        }
        Call::Read(path) | Call::Change(path) => actions.effects().any(|effect| {
            let is_change = matches!(effect.kind, Kind::Write | Kind::Delete);
            let object = effect.object.text;
            let is_below = |outer: &str, inner: &str| {
                inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let is_here = path == object
                || effect.is_tree && is_below(object, path)
                || effect.object.is_hole()
                || matches!(call, Call::Read(_)) && is_below(path, object);
            effect.scheme == Scheme::File && is_here && (is_change || matches!(call, Call::Read(_)))
        }),
    }
}
