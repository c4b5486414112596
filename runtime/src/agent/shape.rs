//! Whether output is an object or text, by its start.

use hookc_schema::terminal::is_hostile;

/// Keys of agents' answers, for all agents. If nothing reads a handler's output, one of these keys
/// in it is a lost decision.
const DECIDING: [&str; 7] = [
    "\"decision\"",
    "\"permissionDecision\"",
    "\"permission\"",
    "\"behavior\"",
    "\"continue\"",
    "\"hookSpecificOutput\"",
    "\"ok\"",
];

/// Whether a text starts as an object, even if truncated, in another encoding or after invisible
/// bytes. Where text has a meaning (`texts`), `{name} is busy` is text.
pub(super) fn begins_as_object(text: &str, texts: bool) -> bool {
    let text = visible(text);
    let Some(inside) = text.strip_prefix('{') else { return false };
    if !texts || text.trim_end().ends_with('}') {
        return true;
    }
    let inside = visible(inside);
    let key = inside.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
    inside.is_empty()
        || inside.starts_with(['"', '\'', '}', '/', '\\'])
        || key.len() < inside.len() && key.trim_start().starts_with(':')
}

/// Whether a text starts as an object and contains a key that agents read as a decision.
pub(super) fn may_decide(text: &str) -> bool {
    begins_as_object(text, false) && DECIDING.iter().any(|key| text.contains(key))
}

/// Whether a text has no visible character.
pub(super) fn is_invisible(text: &str) -> bool {
    visible(text).is_empty()
}

/// A text from its first visible character.
fn visible(mut text: &str) -> &str {
    loop {
        let mut chars = text.chars();
        match chars.next() {
            // A colour: ESC [ ... letter.
            Some('\u{1b}') if text.starts_with("\u{1b}[") => {
                let rest = text.get(2..).unwrap_or_default();
                let mut end = rest.trim_start_matches(|c: char| matches!(c, ' '..='?')).chars();
                end.next();
                text = end.as_str();
            }
            Some(c) if c.is_whitespace() || is_hostile(c) || c == char::REPLACEMENT_CHARACTER => {
                text = chars.as_str();
            }
            _ => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{begins_as_object, may_decide};

    #[test]
    fn objects_and_texts() {
        for text in [
            "{",
            "{ ",
            "{\"a",
            "{'decision': 'block'}",
            "{decision: block",
            "{}\nmore",
            "\u{0}{\u{0}\"",
            "\u{fffd}\u{fffd}{\u{0}\"\u{0}d",
            "\u{1b}[1;39m{\n  \u{1b}[0m\"decision\"",
            "\u{200b}{ // why\n",
            "{a}",
        ] {
            assert!(begins_as_object(text, true) && begins_as_object(text, false), "{text:?}");
        }
        for text in ["{a} note", "{project} is busy: wait", "{ name } x"] {
            assert!(!begins_as_object(text, true) && begins_as_object(text, false), "{text:?}");
        }
        for text in ["", "note {", "[{}]", "\"{\"", "\u{1b}[", "\u{1b}"] {
            assert!(!begins_as_object(text, true) && !begins_as_object(text, false), "{text:?}");
        }
        assert!(may_decide("{\"decision\": \"blo") && !may_decide("{\"done\": true}"));
        assert!(!may_decide("wrote \"decision\""));
    }
}
