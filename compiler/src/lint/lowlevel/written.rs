//! The text of a guard in the notation of the condition that it replaces.

use std::fmt::Write;

use hookc_schema::{Sources, Span};

use super::meaning::{Guard, Meaning};

/// How a condition is written.
enum Notation {
    /// In an expression, whose texts are in these quotes.
    Expression(&'static str),
    /// A mapping of YAML or JSON.
    Mapping,
    /// An element of XML.
    Element,
}

/// How far in front of a condition its quotes are looked for.
const BEFORE: usize = 4096;

/// The text that replaces a condition; `None` if it is not certain how to write it.
pub(super) fn replacement(sources: &Sources, span: Span, meaning: &Meaning, is_part: bool) -> Option<String> {
    let old = sources.slice(span);
    let is_whole = !old.is_empty() && is_balanced(old) && !old.contains(" #") && !old.contains("<!--");
    let texts = meaning.guards.iter().flat_map(|guard| guard.of.iter().chain(&guard.except));
    let is_plain =
        |text: &String| !text.contains(['\'', '"', '\\', '&', '<', '>', '\n']) && !text.contains(": ");
    // A matcher and an expression are two values.
    let is_one = !["when\":", "when:", "when="].iter().any(|key| old.contains(key));
    if !is_whole || !is_one || !texts.clone().all(is_plain) {
        return None;
    }
    match notation(sources, span) {
        Notation::Expression(quote) => Some(meaning.text(is_part).replace('\'', quote)),
        Notation::Mapping => Some(mapping(meaning)),
        Notation::Element => Some(element(meaning)),
    }
}

/// Whether a text has as many opening as closing parentheses, and never more closing ones.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for next in text.chars() {
        depth += i32::from(next == '(') - i32::from(next == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

fn notation(sources: &Sources, span: Span) -> Notation {
    let old = sources.slice(span);
    if old.starts_with('<') {
        return Notation::Element;
    }
    let key: String =
        old.trim_start_matches(['{', '"', '\'', ' ']).chars().take_while(char::is_ascii_alphabetic).collect();
    let rest = old.trim_start_matches(['{', '"', '\'', ' ']).get(key.len()..).unwrap_or_default();
    if old.starts_with('{') || !key.is_empty() && rest.trim_start_matches(['"', '\'']).starts_with(':') {
        return Notation::Mapping;
    }
    Notation::Expression(quote(sources, span))
}

/// The quote of texts in an expression, as it is written in the scalar or attribute around it.
fn quote(sources: &Sources, span: Span) -> &'static str {
    let text = sources.text(span.source);
    let start = span.range().start;
    let mut from = start.saturating_sub(BEFORE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..start).unwrap_or_default();
    let Some(key) = before.rfind("when") else { return "'" };
    let scalar = before.get(key + "when".len()..).unwrap_or_default();
    let scalar = scalar.trim_start_matches(['"', '\'']).trim_start_matches([' ', ':', '=']);
    // An attribute in single quotes: `when='...'`.
    let is_attribute = before.get(key + "when".len()..).unwrap_or_default().starts_with('=');
    match (scalar.starts_with('\''), is_attribute) {
        (true, true) => "&apos;",
        (true, false) => "''",
        (false, _) => "'",
    }
}

fn patterns(of: &[String]) -> String {
    let quoted: Vec<String> = of.iter().map(|text| format!("\"{text}\"")).collect();
    format!("[{}]", quoted.join(", "))
}

fn mapping(meaning: &Meaning) -> String {
    let one = |guard: &Guard| match guard.except.is_empty() {
        true => format!("{{\"{}\": {}}}", guard.name(), patterns(&guard.of)),
        false => format!("{{\"{}\": {{\"except\": {}}}}}", guard.name(), patterns(&guard.except)),
    };
    match meaning.guards.as_slice() {
        [guard] => one(guard),
        guards => format!("{{\"any\": [{}]}}", guards.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

fn element(meaning: &Meaning) -> String {
    let one = |guard: &Guard| {
        let mut text = format!("<{}>", guard.name());
        for (name, list) in [("of", &guard.of), ("except", &guard.except)] {
            list.iter().for_each(|pattern| _ = write!(text, "<{name}>{pattern}</{name}>"));
        }
        format!("{text}</{}>", guard.name())
    };
    let guards: String = meaning.guards.iter().map(one).collect();
    if meaning.guards.len() == 1 { guards } else { format!("<any>{guards}</any>") }
}
