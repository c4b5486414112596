//! Why a predicate about effects is true or false, as a sentence.
//!
//! Words of the event are cut and without characters that mislead a reader, since people and models read the sentence.

use std::fmt::Write as _;

use hookc_base::terminal::escape;

use super::{Act, Actions, Cause, Compiled, Effect, Kind, Text, Uncovered};

/// Effects that a sentence lists at most.
const LISTED: usize = 8;

/// Characters of a text of the event in a sentence.
const LONGEST: usize = 160;

impl Compiled {
    /// What of the event made it true or false: `cat reads ./.env, which is in @secrets`.
    #[must_use]
    pub fn sentence(&self, actions: &Actions) -> String {
        if let Some(because) = self.because(actions) {
            let cause = match because.cause {
                Cause::Unknown(cause) => cause.to_string(),
                Cause::Command(act) => format!("it runs `{}`", words(act)),
                Cause::Effect(effect) => does(effect, actions),
                Cause::Text(_) => "it has such a text".to_owned(),
            };
            let is_regex =
                |pattern: &str| matches!(because.cause, Cause::Text(_)) && pattern.starts_with('/');
            let (is_in, matches) = match because.is_certain {
                true => ("is in", "matches"),
                false => ("may be in", "may match"),
            };
            return match because.pattern {
                Some(set) if is_set(&set) => format!("{cause}, which {is_in} {set}"),
                Some(regex) if is_regex(&regex) => format!("{cause}, which {matches} {}", cut(&regex)),
                Some(pattern) => format!("{cause}, which {matches} `{}`", cut(&pattern)),
                None => cause,
            };
        }
        match self.uncovered(actions) {
            Some(uncovered) => not_covered(uncovered, actions),
            None if self.holds(actions) => format!("all of it is listed: {}", summary(actions)),
            None => summary(actions),
        }
    }
}

fn is_set(pattern: &str) -> bool {
    pattern.starts_with('@') && !pattern.contains([' ', '/'])
}

/// What no guard of `only` covers.
fn not_covered(uncovered: Uncovered<'_>, actions: &Actions) -> String {
    match uncovered {
        Uncovered::Unknown(cause) => cause.to_string(),
        Uncovered::Undeclared => "what the tool does is not declared".to_owned(),
        Uncovered::Nothing => "it does nothing".to_owned(),
        Uncovered::Variable(name) => format!("the variable `{}` is not listed", cut(name)),
        Uncovered::Command(act) => format!("`{}` is not listed", words(act)),
        Uncovered::Path(act) => format!("the path of the program of `{}` is not listed", words(act)),
        Uncovered::Setting(act, name) => {
            format!("the variable `{}` in front of `{}` is not listed", cut(name), words(act))
        }
        Uncovered::Words(act) => format!("not all words of `{}` are listed", words(act)),
        Uncovered::Place(act) => format!("`{}` may start outside the project", words(act)),
        Uncovered::Effect(effect) => format!("{}, which is not listed", does(effect, actions)),
    }
}

/// What the event does.
fn summary(actions: &Actions) -> String {
    let mut effects = actions.effects().filter(|effect| effect.kind != Kind::Run);
    let listed: Vec<String> = effects.by_ref().take(LISTED).map(|effect| does(effect, actions)).collect();
    let more = effects.count();
    let mut text = match listed.is_empty() {
        true => "it has no effects".to_owned(),
        false => listed.join(", "),
    };
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}

/// `cat reads ./.env`
fn does(effect: Effect<'_>, actions: &Actions) -> String {
    let command = effect.command.and_then(|number| actions.command(number));
    let name = command.map(|act| act.name().unwrap_or("an unknown program"));
    let who = name.map_or_else(|| "the tool".to_owned(), cut);
    let what = match effect.kind {
        Kind::Run => "runs",
        Kind::Read => "reads",
        Kind::Use => "uses",
        Kind::List => "lists",
        Kind::Write => "writes",
        Kind::Delete => "deletes",
        Kind::Send => "sends",
        Kind::Contact => "contacts",
        Kind::Install => "installs",
        Kind::Push => "pushes",
        Kind::Code => "runs the code",
    };
    let below = if effect.is_tree { "everything below " } else { "" };
    let object = format!("{}{}", effect.scheme.prefix(), object(effect.object, actions));
    // A program that looks around without an operand starts at the working directory, which the event does not say.
    let object = if object.is_empty() { "the working directory" } else { &object };
    format!("{who} {what} {below}{object}")
}

/// An object; a path in the project is shown from there.
fn object(object: Text<'_>, actions: &Actions) -> String {
    let shown = object.to_string();
    let project = actions.project().filter(|project| !project.is_empty());
    let below = project.and_then(|project| shown.strip_prefix(project));
    match below.and_then(|below| below.strip_prefix('/')) {
        Some(below) => cut(&format!("./{below}")),
        None => cut(&shown),
    }
}

fn words(act: Act<'_>) -> String {
    let mut line = String::new();
    for word in act.words() {
        if line.len() > LONGEST {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let _ = write!(line, "{word}");
    }
    cut(&line)
}

/// A text of at most [`LONGEST`] characters, on one line.
fn cut(text: &str) -> String {
    let shown = escape(text);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", shown.get(..end).unwrap_or_default()),
        None => shown.into_owned(),
    }
}
