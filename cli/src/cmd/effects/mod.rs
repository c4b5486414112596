//! `hookc effects`: what an event or a command line does, as policies see it.

mod text;

use std::path::Path;

use hookc_runtime::event::ToolInput;
use hookc_schema::vocab;
use hookc_shell::effects::{Actions, Event, Project, Tools, gather, write_view};
use serde_json::Value;

use crate::args::{Effects, Format, Global};
use crate::events::Events;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::{given, out};

/// The tool whose input is a command line.
const SHELL: &str = "Bash";

pub(crate) fn run(global: &Global, args: &Effects) -> Outcome {
    let mut texts = Texts::default();
    let tools = Tools { shipped: hookc_compiler::tool_roles(vocab::roles()), ..Tools::default() };
    let mut actions = Actions::default();
    let json = global.format == Format::Json;
    let mut printed = String::new();
    for (number, event) in asked(args, &mut texts)?.iter().enumerate() {
        collect(event, &tools, &mut actions);
        if json {
            write_view(&actions, &mut printed);
            printed.push('\n');
        } else {
            if number > 0 {
                printed.push('\n');
            }
            printed.push_str(&text::event(&actions));
        }
    }
    if json { out::json(&printed) } else { out::lines(&printed) }?;
    Ok(Exit::Done)
}

/// Whether a word is the name of a file of events rather than a command line.
fn is_named_as_events(what: &Path) -> bool {
    let has_ending = what
        .extension()
        .is_some_and(|ending| ["json", "jsonl", "ndjson"].iter().any(|known| ending == *known));
    has_ending && !what.to_string_lossy().contains(char::is_whitespace)
}

/// The events that the arguments name: a line, the events of a file, or one that flags describe.
fn asked(args: &Effects, texts: &mut Texts) -> Result<Vec<Value>, Failure> {
    let source = match (&args.what, args.given.any()) {
        (Some(_), true) => {
            return Err(Failure::usage(
                "what to examine comes either from an argument or from `--tool`, `--input` and `--set`: remove one",
            ));
        }
        (None, true) => Events::Flags(given::event(&args.given)?),
        (None, false) => Events::File("-".into()),
        (Some(what), false) if what.as_os_str() == "-" || what.is_file() || is_named_as_events(what) => {
            Events::File(what.clone())
        }
        (Some(line), false) => {
            let line = line.to_str().ok_or_else(|| Failure::usage("the command line is not UTF-8"))?;
            return Ok(vec![on_line(line, args.cwd.as_deref())]);
        }
    };
    let read = source.read(texts)?;
    if read.is_empty() {
        return Err(source.none("no event: give a command line, or name a file of events"));
    }
    let parsed = read.iter().map(|event| {
        serde_json::from_slice(&event.bytes)
            .map_err(|error| Failure::input(format!("{}:{}: {error}", source.name(), event.line)))
    });
    parsed.collect()
}

/// An event of a command line.
fn on_line(line: &str, cwd: Option<&str>) -> Value {
    let here = || std::env::current_dir().ok().map(|here| here.display().to_string());
    let cwd = cwd.map(str::to_owned).or_else(here);
    serde_json::json!({"tool_name": SHELL, "tool_input": {"command": line}, "cwd": cwd})
}

fn collect(event: &Value, tools: &Tools, actions: &mut Actions) {
    let text = |name: &str| event.get(name).and_then(Value::as_str);
    let project = match event.get("project_dir") {
        Some(Value::String(path)) => Project::At(path),
        Some(_) => Project::Nowhere,
        None => Project::Absent,
    };
    let asked = Event {
        tool: text("tool_name").unwrap_or_default(),
        host_tool: text("host_tool_name"),
        cwd: text("cwd"),
        project,
        tools,
        programs: Default::default(),
    };
    gather(&asked, &ToolInput(event.get("tool_input").unwrap_or(&Value::Null)), actions);
}
