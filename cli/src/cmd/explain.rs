//! `hookc explain`: of every hook of an event's type, why it did or did not match.

use std::fmt::Write;

use hookc_compiler::disasm::describe;
use hookc_schema::terminal::escape;
use hookc_vm::{Ask, Module, Scratch, Traced, Verdict};

use super::eval::quoted;
use crate::args::{Explain, Format, Global};
use crate::events;
use crate::exit::{Exit, Failure, Outcome};
use crate::{load, out};

pub(crate) fn run(global: &Global, args: &Explain) -> Outcome {
    let (policies, input) = events::part(&args.files)?;
    let Some(module) = load::module(&policies, &args.sources, global)? else {
        return Ok(Exit::Errors);
    };
    let mut all = events::read(&input)?.into_iter();
    let Some(event) = all.next() else {
        return Err(Failure::input("there is no event to explain"));
    };
    if all.next().is_some() {
        return Err(Failure::usage("`explain` takes one event: `eval` decides about several"));
    }
    let ask = Ask { event: args.event.as_deref(), ..Ask::default() };
    let mut scratch = Scratch::new();
    let traced =
        module.trace(&mut scratch, &event.bytes, &ask).map_err(|error| Failure::input(error.to_string()))?;
    let mut text = String::new();
    if traced.hooks().is_empty() && global.format != Format::Json {
        let _ = writeln!(text, "no hook is for the event `{}`", escape(traced.event()));
    }
    for hook in traced.hooks() {
        let line = if global.format == Format::Json { json(&module, hook) } else { person(&module, hook) };
        text.push_str(&line);
        text.push('\n');
    }
    if global.format == Format::Json { out::json(&text) } else { out::text(&text) }?;
    Ok(Exit::Done)
}

fn name(hook: &Traced) -> String {
    hook.label.clone().unwrap_or_else(|| format!("rank {}", hook.rank))
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Decides => "decides",
        Verdict::Reported => "reported",
        Verdict::Shadowed => "shadowed",
        Verdict::NoMatch => "no match",
    }
}

fn person(module: &Module, hook: &Traced) -> String {
    let mut line = format!("{}: {}", escape(&name(hook)), verdict(hook.verdict));
    if let Some(by) = &hook.shadowed_by {
        let _ = write!(line, " by {}", escape(by));
    }
    if let Some(deciding) = &hook.deciding {
        let names = describe::Names::new(module.tables());
        let _ = write!(line, "\n    {}", escape(&describe::deciding(&names, deciding)));
    } else {
        line.push_str("\n    it has no condition to test");
    }
    if let Some((file, row, column)) = &hook.place {
        let _ = write!(line, "\n    at {}:{row}:{column}", escape(file));
    }
    line
}

fn json(module: &Module, hook: &Traced) -> String {
    let mut line = format!("{{\"hook\":{},\"rank\":{}", quoted(&name(hook)), hook.rank);
    let _ = write!(line, ",\"verdict\":{}", quoted(verdict(hook.verdict)));
    if let Some(by) = &hook.shadowed_by {
        let _ = write!(line, ",\"by\":{}", quoted(by));
    }
    if let Some(deciding) = &hook.deciding {
        let leaf = quoted(&describe::predicate(&module.tables(), deciding.pred));
        let _ = write!(line, ",\"leaf\":{leaf},\"holds\":{}", deciding.holds);
        if let Some(count) = deciding.nodes {
            let _ = write!(line, ",\"nodes\":{count}");
        }
        for (key, value) in [("actual", &deciding.actual), ("other", &deciding.other)] {
            if let Some(value) = value {
                let _ = write!(line, ",\"{key}\":{value}");
            }
        }
    }
    if let Some((file, row, column)) = &hook.place {
        let _ = write!(line, ",\"source\":{}", quoted(&format!("{file}:{row}:{column}")));
    }
    line.push('}');
    line
}
