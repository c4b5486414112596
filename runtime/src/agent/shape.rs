//! Whether output is an object or text, by its start.

use hookc_schema::terminal::is_hostile;

/// Keys of agents' answers, for all agents. If nothing reads a handler's output, one of these keys
/// in it is a lost decision.
const DECIDING: [&str; 7] =
    ["decision", "permissionDecision", "permission", "behavior", "continue", "hookSpecificOutput", "ok"];

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
    begins_as_object(text, false) && last_key(&text.replace('\0', "")).is_some()
}

/// Where the last key is in a text that agents read as a decision.
pub(super) fn last_key(text: &str) -> Option<usize> {
    DECIDING
        .iter()
        .filter_map(|name| text.rmatch_indices(name).find(|(at, _)| is_key(text, *at, name.len())))
        .map(|(at, _)| at)
        .max()
}

/// Whether a name in a text is a key: in quotes of any kind, or with a colon after it.
fn is_key(text: &str, at: usize, length: usize) -> bool {
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    let after = rest.get(length..).unwrap_or_default();
    match before.chars().next_back() {
        Some(quote @ ('"' | '\'')) => after.starts_with(quote),
        Some(c) => !c.is_alphanumeric() && c != '_' && after.trim_start().starts_with(':'),
        None => false,
    }
}

/// Whether a text has no visible character.
pub(super) fn is_invisible(text: &str) -> bool {
    visible(text).is_empty()
}

/// Whether a text has no letter and no digit: what surrounds an object in a list, a fence or colours.
pub(super) fn is_plain(mut text: &str) -> bool {
    loop {
        text = visible(text).trim_start_matches(|c: char| !c.is_alphanumeric() && c != ESCAPE);
        match text.chars().next() {
            None => return true,
            Some(ESCAPE) => {}
            // The name of the language of a fence.
            Some(_) => return text.trim_end() == "json",
        }
    }
}

const ESCAPE: char = '\u{1b}';

/// A text from its first visible character.
fn visible(mut text: &str) -> &str {
    loop {
        let mut chars = text.chars();
        match chars.next() {
            Some(c) if c.is_whitespace() || is_hostile(c) || c == char::REPLACEMENT_CHARACTER => {
                text = after_sequence(text).unwrap_or(chars.as_str());
            }
            _ => return text,
        }
    }
}

/// The text after the control sequence at its start (ECMA-48): a colour, a title, a character set. One that controls a
/// terminal with text (OSC, DCS and others) ends with BEL or ST; without an end it is not one.
fn after_sequence(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let kind = match chars.next()? {
        ESCAPE => chars.next()?,
        // The escape as one C1 character.
        c @ '\u{80}'..='\u{9f}' => char::from_u32(u32::from(c).checked_sub(0x40)?)?,
        _ => return None,
    };
    let rest = chars.as_str();
    let after_one = |text: &str| text.chars().next().map_or(0, char::len_utf8);
    match kind {
        '[' => {
            let end = rest.trim_start_matches(|c: char| matches!(c, ' '..='?'));
            end.get(after_one(end)..)
        }
        ']' | 'P' | 'X' | '^' | '_' => {
            let ends = ["\u{7}", "\u{1b}\\", "\u{9c}"].into_iter();
            let end = ends.filter_map(|end| Some((rest.find(end)?, end.len()))).min();
            end.and_then(|(at, length)| rest.get(at.checked_add(length)?..))
        }
        ' '..='/' => {
            let end = rest.trim_start_matches(|c: char| matches!(c, ' '..='/'));
            end.get(after_one(end)..)
        }
        '0'..='~' => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{begins_as_object, is_plain, may_decide};

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
            "\u{1b}]0;title\u{7}{\"a",
            "\u{1b}]8;;x\u{1b}\\\u{1b}(B{\"a",
            "\u{1b}P1$r\u{1b}\\\u{9b}0m\u{9d}2;x\u{9c}\u{1b}7\u{1b}=\u{8}{\"a",
            "{a}",
        ] {
            assert!(begins_as_object(text, true) && begins_as_object(text, false), "{text:?}");
        }
        for text in ["{a} note", "{project} is busy: wait", "{ name } x"] {
            assert!(!begins_as_object(text, true) && begins_as_object(text, false), "{text:?}");
        }
        for text in ["", "note {", "[{}]", "\"{\"", "\u{1b}[", "\u{1b}", "\u{1b}]0;x{"] {
            assert!(!begins_as_object(text, true) && !begins_as_object(text, false), "{text:?}");
        }
        assert!(may_decide("{\"decision\": \"blo") && !may_decide("{\"done\": true}"));
        assert!(
            may_decide("{'decision': 'block'}")
                && may_decide("{ decision : block")
                && may_decide("{\0\"\0ok\0\"\0")
        );
        assert!(
            !may_decide("wrote \"decision\"") && !may_decide("{the decision}") && !may_decide("{look: ok}")
        );
        assert!(
            ["", "]\n", "```\n", "```json", "\u{1b}[0m > ", "\u{1b}]0;x\u{7}- "].into_iter().all(is_plain)
        );
        assert!(!["done", "] 1", "```sh"].into_iter().any(is_plain));
    }
}
