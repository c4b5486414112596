//! The names and words of decisions, in any spelling: those of agents, and of other systems.

use serde_json::Value;

/// Names under which other systems have a decision.
const DECISIONS: [&str; 16] = [
    "action",
    "answer",
    "decision",
    "effect",
    "judgement",
    "judgment",
    "outcome",
    "permission",
    "permissionDecision",
    "policyDecision",
    "kind",
    "response",
    "result",
    "status",
    "type",
    "verdict",
];

/// The names in [`DECISIONS`] that nothing but a decision has: they count at any depth.
const DECISIVE: [&str; 8] = [
    "behavior",
    "decision",
    "judgement",
    "judgment",
    "permission",
    "permissionDecision",
    "policyDecision",
    "verdict",
];

/// Words of a decision that deny.
const DENYING: [&str; 14] = [
    "abort",
    "block",
    "blocked",
    "denied",
    "deny",
    "disallow",
    "disallowed",
    "forbid",
    "forbidden",
    "prohibited",
    "refuse",
    "refused",
    "reject",
    "rejected",
];

/// Words of a permission, which denies if it is `false`.
const PERMITTING: [&str; 7] = ["allow", "allowed", "approve", "approved", "permit", "permitted", "proceed"];

/// Words of a decision that leaves it to the user.
const ASKING: [&str; 5] = ["ask", "ask_user", "confirm", "defer", "force_ask"];

/// Names that deny at the top of an object if they are true, and mean other things elsewhere.
const STOPPING: [&str; 5] = ["canceled", "cancelled", "halt", "stop", "veto"];

/// Words around that of a decision in the name of a member: `shouldBlock`, `is_allowed`, `block_tool`.
const AROUND: [&str; 12] =
    ["action", "be", "call", "command", "is", "must", "operation", "request", "should", "the", "tool", "was"];

/// Texts that say no.
const NO: [&str; 4] = ["", "0", "false", "no"];

/// How deep a decision is searched for under the names of others.
const DEPTH: usize = 2;

/// Whether a text is one of these words, in any case, and whatever joins its parts: `permission_decision`.
fn is_one_of(words: &[&str], text: &str) -> bool {
    let letters = |text: &str| -> String { text.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).collect() };
    let text = letters(text);
    words.iter().any(|word| letters(word).eq_ignore_ascii_case(&text))
}

/// Whether a name is one of these words, alone or with words that add nothing: `shouldBlock`.
fn is_about(words: &[&str], name: &str) -> bool {
    let is_any = |part: &str| words.iter().any(|word| word.eq_ignore_ascii_case(part));
    let mut parts = Vec::new();
    for part in name.split(['_', '-', ' ']) {
        let mut rest = part;
        let is_start = |(at, c): &(usize, char)| *at > 0 && c.is_ascii_uppercase();
        // `IS_BLOCKED` is no word a letter.
        while let Some((at, _)) =
            rest.char_indices().find(is_start).filter(|_| part.contains(char::is_lowercase))
        {
            let (before, after) = rest.split_at(at);
            parts.push(before);
            rest = after;
        }
        parts.push(rest);
    }
    parts.iter().filter(|part| is_any(part)).count() == 1
        && parts.iter().all(|part| is_any(part) || AROUND.iter().any(|word| word.eq_ignore_ascii_case(part)))
}

/// Whether a member denies or asks in the form of an agent, wherever it is in a value.
pub(super) fn is_denial_anywhere(name: &str, value: &Value) -> bool {
    match value {
        Value::Bool(true) => is_about(&DENYING, name) || name == "cancel",
        Value::Bool(false) => is_about(&PERMITTING, name) || name.eq_ignore_ascii_case("continue"),
        Value::String(word) => is_one_of(&DECISIVE, name) && is_restrictive(word),
        _ => false,
    }
}

/// Whether a member at the top of an object that nothing reads evidently denies: `verdict: deny`, `blocked: true`, `block: because`,
/// `allow: false`, or an object with such a member under the name of a decision.
pub(super) fn is_denial(name: &str, value: &Value) -> bool {
    denies_at(name, value, DEPTH)
}

fn denies_at(name: &str, value: &Value, depth: usize) -> bool {
    let is_no = |word: &str| NO.iter().any(|no| no.eq_ignore_ascii_case(word.trim()));
    let denies = || is_about(&DENYING, name) || name == "cancel" || is_one_of(&STOPPING, name);
    match value {
        Value::Bool(true) => denies(),
        Value::Bool(false) => is_about(&PERMITTING, name) || name.eq_ignore_ascii_case("continue"),
        Value::Number(number) if number.as_f64() == Some(0.0) => is_about(&PERMITTING, name),
        Value::Number(_) => is_about(&DENYING, name),
        Value::String(word) => {
            is_one_of(&DECISIONS, name) && is_restrictive(word)
                || is_about(&DENYING, name) && !is_no(word)
                || is_about(&PERMITTING, name) && (is_no(word) || is_restrictive(word))
        }
        Value::Object(members) if depth > 0 && is_one_of(&DECISIONS, name) => {
            members.iter().any(|(name, value)| denies_at(name, value, depth.saturating_sub(1)))
        }
        _ => false,
    }
}

/// Whether a word denies or asks.
fn is_restrictive(word: &str) -> bool {
    is_one_of(&DENYING, word.trim()) || is_one_of(&ASKING, word.trim())
}

/// The first line of a text that is a denial in a notation other than JSON: `deny`, `BLOCKED: because`, `decision: block`,
/// `<decision>deny</decision>`.
pub(super) fn denying_line(text: &str) -> Option<&str> {
    let is_word = |text: &str| DENYING.iter().any(|word| word.eq_ignore_ascii_case(text));
    text.lines().map(str::trim).find(|line| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let mut parts = line.split(|c| !is_part(c)).filter(|part| !part.trim_matches('-').is_empty());
        let (first, second) = (parts.next().unwrap_or_default(), parts.next());
        let is_end = parts.next().is_none_or(|third| third == first) && parts.next().is_none();
        match second {
            None => is_word(first),
            Some(second) if is_one_of(&DECISIVE, first) => is_end && is_word(second),
            Some(_) => is_word(first) && line.starts_with(&format!("{first}:")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{denying_line, is_denial, is_denial_anywhere};
    use serde_json::json;

    #[test]
    fn names_and_words_in_any_spelling() {
        for (name, value) in [
            ("permission decision", json!("deny")),
            ("PERMISSION_DECISION", json!("ask")),
            ("Decision", json!("force_ask")),
            ("shouldBlock", json!(true)),
            ("IS_BLOCKED", json!(true)),
            ("block_tool_call", json!(true)),
            ("isAllowed", json!(false)),
            ("cancel", json!(true)),
            ("Continue", json!(false)),
        ] {
            assert!(is_denial_anywhere(name, &value) && is_denial(name, &value), "{name}: {value}");
        }
        for (name, value) in [
            ("block", json!("because")),
            ("denied", json!(1)),
            ("allowed", json!("false")),
            ("allow", json!(0)),
            ("action", json!("block")),
            ("Effect", json!("Deny")),
            ("stop", json!(true)),
            ("result", json!({"verdict": "deny"})),
        ] {
            assert!(is_denial(name, &value) && !is_denial_anywhere(name, &value), "{name}: {value}");
        }
        for (name, value) in [
            ("block", json!("false")),
            ("blocks", json!(true)),
            ("block_size", json!(4096)),
            ("unblock", json!(true)),
            ("allowed", json!("yes")),
            ("denied", json!(0)),
            ("status", json!("ok")),
            ("valid", json!(false)),
            ("kind", json!("note")),
        ] {
            assert!(!is_denial(name, &value) && !is_denial_anywhere(name, &value), "{name}: {value}");
        }
    }

    #[test]
    fn lines_that_deny() {
        for text in [
            "deny",
            "ok\nBLOCKED: no rm",
            "decision: block\nreason: x",
            "---\npermissionDecision: \"deny\"",
            "decision = 'deny'",
            "<decision>deny</decision>",
        ] {
            assert!(denying_line(text).is_some(), "{text}");
        }
        for text in [
            "",
            "0 blocked",
            "blocked 3 requests",
            "decision: allow",
            "decision: deny by rule 4",
            "Denylist: 4",
            "--",
        ] {
            assert_eq!(denying_line(text), None, "{text}");
        }
    }
}
