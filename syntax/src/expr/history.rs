//! The words of conditions about earlier events, which all notations share.

use hookc_schema::suggest::nearest;
use hookc_schema::tree::{DurationUnit, Extent, OutcomeWord, Path};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::reader::excerpt;
use super::when::is_reserved;
use crate::limits;

/// The test of a selection.
pub(crate) const FORMERLY: &str = "formerly";
/// The values of a selection.
pub(crate) const RECALLS: [&str; 4] = ["count", "sum", "distinct", "last"];
/// The words after a pattern, in their order.
pub(crate) const SCOPE: [&str; 4] = ["within", "since", "per", "including"];
/// The current event, in a `where`.
const NOW: &str = "now";

const EXTENTS: &str = "write a number and `s`, `m`, `h` or `d`, such as `10m`; or `turn`, or `session`";

/// Whether a word has a meaning between the parentheses of a selection, so that a path that starts with it needs
/// brackets there.
pub(crate) fn is_word(name: &str) -> bool {
    matches!(name, "where" | "of") || SCOPE.contains(&name)
}

/// Whether the name of an event or a fact needs no quotes in a selection.
pub(crate) fn is_bare(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let rest = |c: char| first(c) || c.is_ascii_digit() || c == '-';
    let plain = name.starts_with(first) && name.chars().all(rest);
    plain && !is_reserved(name) && !is_word(name) && OutcomeWord::from_name(name).is_none()
}

/// Whether a word before a parenthesis starts a condition about earlier events, or a value of them.
pub(crate) fn is_operator(word: &str) -> bool {
    word == FORMERLY || RECALLS.contains(&word)
}

/// All of these words.
pub(crate) fn operators() -> impl Iterator<Item = &'static str> {
    std::iter::once(FORMERLY).chain(RECALLS.iter().copied())
}

/// The word of a selection that another one means.
pub(crate) fn meant(word: &str) -> Option<&'static str> {
    Some(match word {
        "after" | "from" => "since",
        "during" | "in" => "within",
        "if" | "when" | "with" => "where",
        "include" | "includes" | "inclusive" => "including now",
        "by" | "of" => "per",
        _ => return None,
    })
}

/// The function that another name means.
pub(crate) fn meant_function(word: &str) -> Option<&'static str> {
    Some(match word {
        "previously" | "once" | "ever" | "earlier" | "before" | "happened" | "past" | "history" | "had" => {
            FORMERLY
        }
        "number" | "times" => "count",
        "total" => "sum",
        "unique" => "distinct",
        "latest" | "previous" => "last",
        _ => return None,
    })
}

/// Whether a text starts with a value of the history.
pub(crate) fn is_recall(text: &str) -> bool {
    let open = |rest: &str| rest.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('(');
    RECALLS.iter().any(|word| text.strip_prefix(word).is_some_and(open))
}

/// How far back: `10m`, `turn`.
pub(crate) fn extent(text: &str, span: Span) -> Result<Extent, Box<Diagnostic>> {
    match text {
        "turn" => return Ok(Extent::Turn),
        "session" => return Ok(Extent::Session),
        _ => {}
    }
    let wrong = |what: String, label: &str| Diagnostic::new(Code::E0449, span, what).with_label(label);
    let shown = excerpt(text);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, unit) = text.split_at(digits);
    let Some(known) = DurationUnit::from_name(unit).filter(|_| !count.is_empty()) else {
        let wrong = wrong(format!("`{shown}` is not a duration"), "expected a duration");
        return Err(instead(wrong, (count, unit), span).into());
    };
    let help = |text: &str| {
        format!("write a whole number of one unit from `1s` to `{}d`, {text}", limits::HISTORY_DAYS)
    };
    // A number beyond 64 bits is too long as well.
    let count = count.parse().unwrap_or(u64::MAX);
    let milliseconds = known.milliseconds().saturating_mul(count);
    if milliseconds == 0 {
        let wrong = wrong(format!("a window of `{shown}` has no events"), "zero");
        return Err(wrong.help(help("or `turn`")).into());
    }
    if milliseconds > DurationUnit::Day.milliseconds().saturating_mul(limits::HISTORY_DAYS) {
        let wrong = wrong(format!("a window of `{shown}` is too long"), "exceeds the limit");
        return Err(wrong.help(help("or remove `within` for the whole session")).into());
    }
    Ok(Extent::Duration { count, unit: known })
}

/// What to write instead of a duration that has these digits and this rest.
fn instead(wrong: Diagnostic, (count, unit): (&str, &str), span: Span) -> Diagnostic {
    if count.is_empty() {
        return match nearest(unit, ["turn", "session"]) {
            Some(near) => wrong.did_you_mean(Some(near), span),
            None => wrong.help(EXTENTS),
        };
    }
    let known = match unit.trim_start().to_ascii_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" | "s" => "s",
        "min" | "mins" | "minute" | "minutes" | "m" => "m",
        "hr" | "hrs" | "hour" | "hours" | "h" => "h",
        "day" | "days" | "d" => "d",
        "" => {
            return wrong
                .help(format!("add a unit: `{count}m` for minutes; the units are `s`, `m`, `h` and `d`"));
        }
        rest if rest.starts_with(|c: char| c.is_ascii_alphabetic())
            && rest.contains(|c: char| c.is_ascii_digit()) =>
        {
            return wrong.help("write one number and one unit: `90m`, not `1h30m`");
        }
        _ => return wrong.help(EXTENTS),
    };
    wrong.did_you_mean(Some(&format!("{count}{known}")), span)
}

/// The diagnostic for a value of the history where `what` needs a path of the event.
pub(crate) fn no_value(path: &Path, what: &str) -> Option<Diagnostic> {
    let word = path.recall()?.operator.name();
    let wrong = Diagnostic::new(
        Code::E0301,
        path.span,
        format!("{what} takes a path of an event, not `{word}(...)`"),
    );
    Some(wrong.with_label("a value of the history").help("write a path such as `tool_input.file_path`"))
}

/// The diagnostic for an empty name, or for an outcome in front of one, where only a name is expected.
pub(crate) fn no_name(text: &str, span: Span) -> Option<Diagnostic> {
    if text.is_empty() {
        let wrong = Diagnostic::new(Code::E0203, span, "the name of an event is empty").with_label("no name");
        return Some(wrong.help("write the name of an event type or a fact"));
    }
    let (word, event) = text.split_once(' ')?;
    let word = OutcomeWord::from_name(word)?.name();
    let wrong =
        Diagnostic::new(Code::E0203, span, format!("`{}` is not the name of an event", excerpt(text)));
    let help = format!("write `{{event: {}, outcome: {word}}}`", excerpt(event));
    Some(wrong.with_label("an outcome and a name").help(help))
}

/// The diagnostic for the number of a `last` that is not 1 to 16.
pub(crate) fn no_nth(span: Span, shown: &str) -> Diagnostic {
    let most = limits::HISTORY_LAST;
    let wrong =
        Diagnostic::new(Code::E0449, span, format!("`last` cannot count back to `{}`", excerpt(shown)));
    wrong
        .with_label(format!("not a number from 1 to {most}"))
        .help("write `last(2, PreToolUse)` for the one before the last")
}

/// The diagnostic for a name that a fact cannot have.
pub(crate) fn unfit(name: &Spanned<String>) -> Option<Diagnostic> {
    let text = name.node.as_str();
    let is_name = is_bare(text) && !text.contains('-');
    let is_word = !is_name && is_plain(text) || text == NOW || is_operator(text);
    let (label, what) = match (is_word, is_name) {
        (true, _) => ("a word of the language", format!("`{text}` is a word of the language")),
        (false, true) => return None,
        (false, false) => ("not a name", format!("`{}` cannot be the name of a fact", excerpt(text))),
    };
    let new = Diagnostic::new(Code::E0451, name.span, what).with_label(label);
    Some(new.help("write a name of letters, digits and `_`, such as `tested`"))
}

fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
