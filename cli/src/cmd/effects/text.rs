//! Effects for people: a line each, in the order in which they start.

use std::fmt::Write;

use hookc_schema::terminal::escape;
use hookc_shell::effects::{Actions, Effect, Kind};

pub(super) fn event(actions: &Actions) -> String {
    let mut out = String::new();
    for effect in actions.effects() {
        let line = match effect.kind {
            Kind::Run => started(actions, &effect),
            _ => object(actions, &effect),
        };
        let _ = writeln!(out, "{line}");
    }
    if actions.is_undeclared() {
        let _ =
            writeln!(out, "the inputs of this tool are not declared: effects are assumed from their names");
    }
    match actions.unknown() {
        Some(cause) => writeln!(out, "unknown  {cause}"),
        None if out.is_empty() => writeln!(out, "no effects"),
        None => Ok(()),
    }
    .ok();
    out
}

/// A program that starts, with its words.
fn started(actions: &Actions, effect: &Effect<'_>) -> String {
    let command = effect.command.and_then(|number| actions.command(number));
    let words =
        command.map(|command| command.words().map(|word| word.to_string()).collect::<Vec<_>>().join(" "));
    format!("{:<8} {}", effect.kind.as_str(), escape(&words.unwrap_or_else(|| effect.object.to_string())))
}

/// An effect on an object, with its marks.
fn object(actions: &Actions, effect: &Effect<'_>) -> String {
    let mut line = format!(
        "  {:<8} {}{}",
        effect.kind.as_str(),
        effect.scheme.prefix(),
        escape(&effect.object.to_string())
    );
    let marks = [
        (effect.is_tree, "and everything below"),
        (effect.is_implied, "by itself"),
        (effect.is_assumed, "assumed"),
    ];
    let marks: Vec<_> = marks.into_iter().filter(|(is_marked, _)| *is_marked).map(|(_, mark)| mark).collect();
    if !marks.is_empty() {
        let _ = write!(line, "  ({})", marks.join(", "));
    }
    let command = effect.command.and_then(|number| actions.command(number));
    if let Some(name) = command.and_then(|command| command.name()) {
        let _ = write!(line, "  by {}", escape(name));
    }
    line
}
