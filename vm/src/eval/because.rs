//! Why a predicate about effects is true or false, as a sentence.

use std::fmt::Write as _;

use hookc_shell::effects::{Act, Actions, Cause, Compiled, Effect, Kind, Uncovered, UnknownCause};

/// Effects that a sentence lists at most.
const LISTED: usize = 8;

/// What of the event made a predicate true or false: `cat reads ./.env, which matches @secrets`.
pub(super) fn sentence(predicate: &Compiled, actions: &Actions) -> String {
    if let Some(because) = predicate.because(actions) {
        let cause = match because.cause {
            Cause::Unknown(cause) => unknown(cause),
            Cause::Command(act) => format!("it runs `{}`", words(act)),
            Cause::Effect(effect) => does(effect, actions),
            Cause::Text(_) => "it has such a text".to_owned(),
        };
        return match because.pattern {
            Some(pattern) => format!("{cause}, which matches {pattern}"),
            None => cause,
        };
    }
    match predicate.uncovered(actions) {
        Some(uncovered) => not_covered(uncovered, actions),
        None if predicate.holds(actions) => format!("all of it is listed: {}", summary(actions)),
        None => summary(actions),
    }
}

/// What no guard of `only` covers.
fn not_covered(uncovered: Uncovered<'_>, actions: &Actions) -> String {
    match uncovered {
        Uncovered::Unknown(cause) => unknown(cause),
        Uncovered::Undeclared => "what the tool does is not declared".to_owned(),
        Uncovered::Nothing => "it does nothing".to_owned(),
        Uncovered::Variable(name) => format!("the variable `{name}` is not listed"),
        Uncovered::Command(act) => format!("`{}` is not listed", words(act)),
        Uncovered::Path(act) => format!("the path of the program of `{}` is not listed", words(act)),
        Uncovered::Setting(act, name) => {
            format!("the variable `{name}` in front of `{}` is not listed", words(act))
        }
        Uncovered::Words(act) => format!("not all words of `{}` are listed", words(act)),
        Uncovered::Place(act) => format!("`{}` may start outside the project", words(act)),
        Uncovered::Effect(effect) => format!("{}, which is not listed", does(effect, actions)),
    }
}

fn unknown(cause: UnknownCause) -> String {
    match cause {
        UnknownCause::Line(cause) => format!("a command line cannot be read: {}", cause.as_str()),
        UnknownCause::Opaque(cause) => format!("part of a command line is unknown: {}", cause.as_str()),
        UnknownCause::Input => "an input of the tool is absent, or not a text".to_owned(),
        UnknownCause::Code => "the tool runs code, which is not read".to_owned(),
        UnknownCause::Patch => "the patch has no section".to_owned(),
        UnknownCause::Tool => "the tool is declared as `unknown`".to_owned(),
        UnknownCause::Limit => "it does more than the limit allows".to_owned(),
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
    let who = command.map_or("the tool", |act| act.name().unwrap_or("an unknown program"));
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
    format!("{who} {what} {below}{}{}", effect.scheme.prefix(), effect.object.text)
}

fn words(act: Act<'_>) -> String {
    act.words().map(|word| word.text).collect::<Vec<_>>().join(" ")
}
