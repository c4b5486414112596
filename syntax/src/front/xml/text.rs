//! Decodes text and attribute values: references, line ends, attribute whitespace (XML 1.0 §2.11,
//! §3.3.3, §4.1, §4.6).

use std::ops::Range;

use hookc_schema::diag::Fix;
use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostic};

use super::Problems;
use crate::front::text_map::Builder;

/// The value of an attribute between its quotes.
pub(super) fn attribute(src: &str, range: Range<usize>, problems: &mut Problems<'_>) -> Text {
    let mut text = Builder::default();
    decode(src, range.clone(), true, &mut text, problems);
    text.finish(range.end, &problems.text.map)
}

/// Adds character data. `references` are replaced, except in CDATA, which has none.
pub(super) fn append(
    src: &str,
    range: Range<usize>,
    references: bool,
    text: &mut Builder,
    problems: &mut Problems<'_>,
) {
    if references {
        decode(src, range, false, text, problems);
    } else {
        lines(src, range, false, text);
    }
}

/// Whether XML 1.0 allows the character.
pub(crate) fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn decode(src: &str, range: Range<usize>, spaces: bool, text: &mut Builder, problems: &mut Problems<'_>) {
    let mut at = range.start;
    while let Some(found) = src.get(at..range.end).and_then(|rest| rest.find('&')) {
        let reference = at + found;
        lines(src, at..reference, spaces, text);
        at = match read_reference(src, reference, range.end) {
            Ok((character, end)) => {
                text.put(character, reference);
                end
            }
            Err(bad) => {
                let end = bad.range.end;
                problems.report(bad.diagnostic(src, problems));
                end
            }
        };
        if problems.enough() {
            return;
        }
    }
    lines(src, at..range.end, spaces, text);
}

/// Copies text without references: a line end becomes `\n`; in an attribute (`spaces`), line ends
/// and tabs become spaces.
fn lines(src: &str, range: Range<usize>, spaces: bool, text: &mut Builder) {
    let mut at = range.start;
    let special = |c: char| c == '\r' || (spaces && matches!(c, '\n' | '\t'));
    while let Some(rest) = src.get(at..range.end) {
        let Some(found) = rest.find(special) else {
            text.copy(rest, at);
            return;
        };
        let (before, after) = rest.split_at_checked(found).unwrap_or((rest, ""));
        text.copy(before, at);
        text.copy(if spaces { " " } else { "\n" }, at + found);
        at += found + if after.starts_with("\r\n") { 2 } else { 1 };
    }
}

/// An invalid reference.
struct Bad {
    kind: BadKind,
    range: Range<usize>,
}

enum BadKind {
    /// An `&` that does not start a reference.
    Bare,
    /// `&name;` of a name that XML does not predefine.
    Entity,
    /// `&#...;` with a number that is not a character of XML.
    Character,
}

fn read_reference(src: &str, at: usize, limit: usize) -> Result<(char, usize), Bad> {
    let rest = src.get(at + 1..limit).unwrap_or("");
    let name = |c: char| c.is_alphanumeric() || matches!(c, '#' | '.' | '-' | '_' | ':');
    let length = rest.find(|c| !name(c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
    let whole = at..at + length + 2;
    if word.is_empty() || !after.starts_with(';') {
        // `&&` is one mistake, not two.
        let width = if rest.starts_with('&') { 2 } else { 1 };
        return Err(Bad { kind: BadKind::Bare, range: at..at + width });
    }
    let character = match word {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => match word.strip_prefix('#') {
            None => return Err(Bad { kind: BadKind::Entity, range: whole }),
            Some(number) => match numbered(number) {
                Some(character) => character,
                None => return Err(Bad { kind: BadKind::Character, range: whole }),
            },
        },
    };
    Ok((character, whole.end))
}

fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).filter(|&c| allowed(c))
}

impl Bad {
    fn diagnostic(&self, src: &str, problems: &Problems<'_>) -> Diagnostic {
        let written = src.get(self.range.clone()).unwrap_or("");
        let span = problems.span(self.range.clone());
        match self.kind {
            BadKind::Bare => {
                let escaped = written.replace('&', "&amp;");
                let word = if written == "&&" { ", or the word `and`" } else { "" };
                let mut bare = Diagnostic::new(Code::E0111, span, "an `&` that is not escaped")
                    .with_label("`&` starts a reference")
                    .help(format!("write `{escaped}`{word}"));
                bare.fix = Some(Fix::certain(span, escaped));
                bare
            }
            BadKind::Entity => {
                Diagnostic::new(Code::E0112, span, format!("the entity `{written}` is not predefined"))
                    .with_label("unknown entity")
                    .help(
                        "XML defines `&lt;` `&gt;` `&amp;` `&quot;` `&apos;`; write any other character \
                           directly or by number: `&#160;`",
                    )
            }
            BadKind::Character => {
                Diagnostic::new(Code::E0111, span, format!("`{written}` is not a character that XML allows"))
                    .with_label("invalid character")
                    .help("write the number of a character: `&#10;` or `&#xA;`")
            }
        }
    }
}
