//! `hookc explain`: of every hook of an event's type, why it did or did not match.

use std::fmt::Write;

use hookc_base::json::quoted;
use hookc_compiler::disasm::describe::{self, Names};
use hookc_compiler::explain::{self, Kind, Part};
use hookc_schema::terminal::escape;
use hookc_vm::trace::{Probe, Traced};
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};

use super::commands;
use crate::args::{Explain, Format, Global};
use crate::events;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::unknown::{self, Unknown};
use crate::{load, out};

pub(crate) fn run(global: &Global, args: &Explain) -> Outcome {
    let mut texts = Texts::default();
    let (policies, events) = events::of(&args.files, &args.given, &mut texts)?;
    let Some((module, types)) = load::with_types(&policies, &mut texts, &args.sources, global)? else {
        return Ok(Exit::Errors);
    };
    unknown::check(&types, args.given.event.as_deref())?;
    let mut all = events.read(&mut texts)?.into_iter();
    let Some(event) = all.next() else {
        return Err(Failure::input(
            "no event to explain: name a file, or describe the event with `--event`, `--tool`, `--input` \
             and `--set`",
        ));
    };
    if all.next().is_some() {
        return Err(Failure::usage("`explain` takes one event; use `eval` for several"));
    }
    let ask = DecideOptions::default().event(args.given.event.as_deref());
    let (mut scratch, mut probed) = (Scratch::new(), Scratch::new());
    let fail = |error: DecideError| Failure::input(error.to_string());
    let traced = module.trace(&mut scratch, &event.bytes, &ask).map_err(fail)?;
    let probe = module.probe(&mut probed, &event.bytes, &ask).map_err(fail)?;
    let styled = out::styled_stdout(global.color);
    let mut writer = Writer { module: &module, names: Names::new(module.tables()), probe, styled };
    if traced.hooks().is_empty() {
        let mut unknown = Unknown::new(&types);
        unknown.note(traced.event(), event.line);
        unknown.report(global);
    }
    let mut text = String::new();
    if traced.hooks().is_empty() && global.format != Format::Json {
        let _ = writeln!(text, "no hook handles the event `{}`", escape(traced.event()));
    }
    for hook in traced.hooks() {
        let json = global.format == Format::Json;
        text.push_str(&if json { writer.json(hook) } else { writer.person(hook) }.map_err(fail)?);
        text.push('\n');
    }
    if global.format == Format::Json { out::json(&text) } else { out::styled_text(&text) }?;
    Ok(Exit::Done)
}

fn name(hook: &Traced) -> String {
    hook.label.clone().unwrap_or_else(|| format!("rank {}", hook.rank))
}

struct Writer<'m> {
    module: &'m Module,
    names: Names<'m>,
    probe: Probe<'m>,
    styled: bool,
}

impl Writer<'_> {
    fn condition(&mut self, hook: &Traced) -> Result<Option<Part>, DecideError> {
        explain::condition(&self.module.tables(), &self.names, &mut self.probe, hook.rank)
    }

    fn person(&mut self, hook: &Traced) -> Result<String, DecideError> {
        let mut text = format!("{}: {}", escape(&name(hook)), hook.verdict.as_str());
        if let Some(by) = &hook.shadowed_by {
            let _ = write!(text, " by {}", escape(by));
        }
        match (self.condition(hook)?, &hook.deciding) {
            (Some(Part { kind: Kind::Const, outcome: Some(true) }), _) => {
                text.push_str("\n    it has no condition to test");
            }
            (Some(part), _) => self.tree(&part, 1, &mut Vec::new(), &mut text),
            (None, Some(deciding)) => {
                let _ = write!(
                    text,
                    "\n    {}\n    (the condition has too many tests to show)",
                    escape(&describe::deciding(&self.names, deciding))
                );
            }
            (None, None) => {}
        }
        if let Some((file, row, column)) = &hook.place {
            let _ = write!(text, "\n    at {}:{row}:{column}", escape(file));
        }
        Ok(text)
    }

    /// A part on its own line, its children indented below it.
    fn tree<'p>(&self, part: &'p Part, depth: usize, shown: &mut Vec<&'p str>, text: &mut String) {
        let _ = write!(text, "\n{:1$}{2} ", "", depth * 4, self.mark(part.outcome));
        let parts = match &part.kind {
            Kind::Const => {
                text.push_str(if part.outcome == Some(false) { "false" } else { "true" });
                &[][..]
            }
            Kind::Test { text: leaf, read, other, every, views } => {
                let read = read.as_ref().map(|read| explain::read(read, other.as_deref(), *every));
                let read = read.as_deref().unwrap_or("not evaluated");
                let _ = write!(text, "{}: {}", escape(leaf), escape(read));
                for view in views {
                    let lines = match shown.contains(&view.as_str()) {
                        true => vec!["the same command line".to_owned()],
                        false => commands::lines(view),
                    };
                    shown.push(view);
                    for line in lines {
                        let _ = write!(text, "\n{:1$}{2}", "", depth * 4 + 2, escape(&line));
                    }
                }
                &[]
            }
            Kind::All(parts) => {
                text.push_str("all of");
                parts
            }
            Kind::Any(parts) => {
                text.push_str("any of");
                parts
            }
        };
        parts.iter().for_each(|part| self.tree(part, depth + 1, shown, text));
    }

    fn mark(&self, outcome: Option<bool>) -> String {
        let (mark, colour) = match outcome {
            Some(true) => ("✓", 32),
            Some(false) => ("✗", 31),
            None => ("–", 2),
        };
        if self.styled { format!("\u{1b}[{colour}m{mark}\u{1b}[0m") } else { mark.to_owned() }
    }

    fn json(&mut self, hook: &Traced) -> Result<String, DecideError> {
        let mut line = format!("{{\"hook\":{},\"rank\":{}", quoted(&name(hook)), hook.rank);
        let _ = write!(line, ",\"verdict\":{}", quoted(hook.verdict.as_str()));
        if let Some(by) = &hook.shadowed_by {
            let _ = write!(line, ",\"by\":{}", quoted(by));
        }
        if let Some(deciding) = &hook.deciding {
            let leaf = quoted(&describe::predicate(&self.module.tables(), deciding.pred));
            let _ = write!(line, ",\"leaf\":{leaf},\"holds\":{}", deciding.holds);
            values(deciding, false, &mut line);
        }
        if let Some(part) = self.condition(hook)? {
            line.push_str(",\"condition\":");
            part_json(&part, &mut line);
        }
        if let Some((file, row, column)) = &hook.place {
            let _ = write!(line, ",\"source\":{}", quoted(&format!("{file}:{row}:{column}")));
        }
        line.push('}');
        Ok(line)
    }
}

/// The values that a test read, as members.
fn values(read: &hookc_vm::trace::Deciding, every: bool, line: &mut String) {
    if let Some(count) = read.nodes {
        let _ = write!(line, ",\"nodes\":{count}");
    }
    for (key, value) in [
        ("actual", &read.actual),
        ("other", &read.other),
        (if every { "counterexamples" } else { "matching" }, &read.matching),
    ] {
        if let Some(value) = value {
            let _ = write!(line, ",\"{key}\":{value}");
        }
    }
}

fn part_json(part: &Part, line: &mut String) {
    let outcome = part.outcome.map_or("null", |outcome| if outcome { "true" } else { "false" });
    let _ = write!(line, "{{\"outcome\":{outcome}");
    let group = match &part.kind {
        Kind::Const => None,
        Kind::Test { text, read, every, views, .. } => {
            let _ = write!(line, ",\"leaf\":{}", quoted(text));
            if let Some(read) = read {
                values(read, *every, line);
            }
            if !views.is_empty() {
                let _ = write!(line, ",\"views\":[{}]", views.join(","));
            }
            None
        }
        Kind::All(parts) => Some(("all", parts)),
        Kind::Any(parts) => Some(("any", parts)),
    };
    if let Some((word, parts)) = group {
        let _ = write!(line, ",\"{word}\":[");
        for (at, part) in parts.iter().enumerate() {
            line.push_str(if at > 0 { "," } else { "" });
            part_json(part, line);
        }
        line.push(']');
    }
    line.push('}');
}
