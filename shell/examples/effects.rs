//! Prints what command lines do: each effect with its command, its object and its marks. Unknown parts are in braces.
//!
//! ```sh
//! cargo run -p hookc-shell --example effects -- 'cd api && cp ../.env.example .env && git push -f origin HEAD:main'
//! ```
#![allow(clippy::disallowed_methods, reason = "an example reads its arguments")]

use std::io::{self, BufRead, Write};

use hookc_shell::effects::{Actions, Effect, Event, Input, Project, Text, ToolRoles, Tools, Value, gather};

/// The input of a tool for command lines.
struct Line(String);

impl Input for Line {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        if path == "command" {
            see(Value::Text(&self.0));
        }
    }
}

fn main() -> io::Result<()> {
    let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
    let event = Event {
        tool: "Bash",
        host_tool: None,
        cwd: Some("/home/me/project"),
        project: Project::Absent,
        tools: &tools,
        programs: Default::default(),
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let lines: Box<dyn Iterator<Item = io::Result<String>>> = match arguments.is_empty() {
        true => Box::new(io::stdin().lock().lines()),
        false => Box::new(arguments.into_iter().map(Ok)),
    };
    let (mut actions, mut out) = (Actions::default(), io::stdout().lock());
    for line in lines {
        let line = line?;
        writeln!(out, "{line}")?;
        gather(&event, &Line(line), &mut actions);
        for effect in actions.effects() {
            writeln!(out, "  {}", described(&actions, &effect))?;
        }
        if let Some(cause) = actions.unknown() {
            writeln!(out, "  unknown: {cause:?}")?;
        }
    }
    Ok(())
}

/// An effect: the command, the kind, the object, and the marks.
fn described(actions: &Actions, effect: &Effect<'_>) -> String {
    let command = effect.command.and_then(|number| actions.command(number));
    let name = command.and_then(|command| command.name()).unwrap_or("-");
    let verb = command.and_then(|command| command.verb()).map_or(String::new(), |verb| format!(" {verb}"));
    let marks = [(effect.is_tree, " tree"), (effect.is_implied, " implied"), (effect.is_assumed, " assumed")];
    let marks: String = marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect();
    let kind = effect.kind.as_str();
    format!("{name}{verb}: {kind} {}{}{marks}", effect.scheme.prefix(), braced(effect.object))
}

/// A text with its unknown parts in braces.
fn braced(text: Text<'_>) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for gap in text.holes {
        let from = usize::try_from(gap.from).unwrap_or_default();
        out.push_str(text.text.get(at..from).unwrap_or_default());
        out.push('{');
        out.push_str(text.source(gap));
        out.push('}');
        at = usize::try_from(gap.to).unwrap_or_default();
    }
    out.push_str(text.text.get(at..).unwrap_or_default());
    out
}
