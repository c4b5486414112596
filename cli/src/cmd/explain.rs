//! `hookc explain`: of every hook of an event's type, why it did or did not match.

use std::fmt::Write;

use hookc_compiler::disasm::describe;
use hookc_vm::{Ask, Fired, Mode, Module, Scratch, Traced};

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
    let mut scratch = Scratch::default();
    let traced =
        module.trace(&mut scratch, &event.bytes, &ask).map_err(|error| Failure::input(error.to_string()))?;
    let mut text = String::new();
    if traced.is_empty() && global.format != Format::Json {
        text.push_str("no hook is for this event\n");
    }
    for hook in &traced {
        let by = hook.decided_by.and_then(|rank| traced.iter().find(|other| other.hook.rank == rank));
        let by = by.map(|by| name(&by.hook));
        let line =
            if global.format == Format::Json { json(&module, hook, by) } else { person(&module, hook, by) };
        text.push_str(&line);
        text.push('\n');
    }
    out::stdout(text.as_bytes())?;
    Ok(Exit::Done)
}

fn name(hook: &Fired<'_>) -> String {
    hook.label.map_or_else(|| format!("rank {}", hook.rank), str::to_owned)
}

/// What became of a hook: it decided, was reported, matched too late, or not at all.
fn verdict(traced: &Traced<'_>) -> &'static str {
    match (traced.matched, traced.decided_by.is_some(), traced.hook.mode) {
        (false, _, _) => "no match",
        (true, true, _) => "shadowed",
        (true, false, Mode::Enforce) => "decides",
        (true, false, _) => "reported",
    }
}

fn person(module: &Module, traced: &Traced<'_>, by: Option<String>) -> String {
    let mut line = format!("{}: {}", name(&traced.hook), verdict(traced));
    if let Some(by) = by.filter(|_| traced.matched) {
        let _ = write!(line, " by {by}");
    }
    match &traced.tested {
        Some(tested) => {
            let leaf = describe::predicate(&module.tables(), tested.pred);
            let truth = if tested.truth { "holds" } else { "does not hold" };
            let actual = tested.actual.as_deref().map_or_else(|| "absent".to_owned(), short);
            let _ = write!(line, "\n    {leaf} {truth}: the value is {actual}");
            if let Some(other) = &tested.other {
                let _ = write!(line, ", the other {}", short(other));
            }
        }
        None => line.push_str("\n    it has no condition to test"),
    }
    if let Some((file, row, column)) = traced.hook.place {
        let _ = write!(line, "\n    at {file}:{row}:{column}");
    }
    line
}

/// A value cut to what a line can hold.
fn short(json: &str) -> String {
    const MOST: usize = 200;
    if json.chars().count() <= MOST {
        json.to_owned()
    } else {
        json.chars().take(MOST).chain(['…']).collect()
    }
}

fn json(module: &Module, traced: &Traced<'_>, by: Option<String>) -> String {
    let mut line = format!("{{\"hook\":{},\"rank\":{}", quoted(&name(&traced.hook)), traced.hook.rank);
    let _ = write!(line, ",\"verdict\":{}", quoted(verdict(traced)));
    if let Some(by) = by.filter(|_| traced.matched) {
        let _ = write!(line, ",\"by\":{}", quoted(&by));
    }
    if let Some(tested) = &traced.tested {
        let leaf = quoted(&describe::predicate(&module.tables(), tested.pred));
        let _ = write!(line, ",\"leaf\":{leaf},\"holds\":{}", tested.truth);
        for (key, value) in [("actual", &tested.actual), ("other", &tested.other)] {
            if let Some(value) = value {
                let _ = write!(line, ",\"{key}\":{value}");
            }
        }
    }
    if let Some((file, row, column)) = traced.hook.place {
        let _ = write!(line, ",\"source\":{}", quoted(&format!("{file}:{row}:{column}")));
    }
    line.push('}');
    line
}
