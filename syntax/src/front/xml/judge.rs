//! `roxmltree` makes the final decision on well-formedness: what our scanner accepts and it rejects
//! (names, characters, namespaces, comments, the XML declaration) is reported here at its position.

use roxmltree::{Document, Error, ParsingOptions, TextPos};

use super::Problems;

/// Reports the error of `roxmltree`.
pub(super) fn judge(src: &str, problems: &mut Problems<'_>) {
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let Err(error) = Document::parse_with_options(src, options) else {
        return;
    };
    let at = offset(src, error.pos());
    let width = src.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let (message, help) = words(&error);
    let problem = problems.at(at..at + width, message).with_label("here");
    problems.report(match help {
        Some(help) => problem.help(help),
        None => problem,
    });
}

fn words(error: &Error) -> (String, Option<String>) {
    match error {
        Error::NonXmlChar(c, _) => {
            let message = format!("XML does not allow the character U+{:04X}", u32::from(*c));
            let help = r#"remove it; in a value with `type="json"` it can be written as an escape: `\u0001`"#;
            (message, Some(help.to_owned()))
        }
        Error::InvalidName(_) => {
            let help =
                "a name starts with a letter, `_` or `:`, followed by letters, digits, `.`, `-` and `_`";
            ("a name that XML does not allow".to_owned(), Some(help.to_owned()))
        }
        Error::InvalidComment(_) => (
            "`--` inside a comment".to_owned(),
            Some("a comment ends at `-->` and contains no other `--`".to_owned()),
        ),
        Error::UnknownNamespace(prefix, _) => (
            format!("the prefix `{prefix}` is not declared"),
            Some(format!("write the name without the prefix, or declare it: `xmlns:{prefix}=\"...\"`")),
        ),
        Error::UnexpectedDeclaration(_) => (
            "an XML declaration that is not at the start".to_owned(),
            Some("move `<?xml ...?>` to the start of the document".to_owned()),
        ),
        other => (other.to_string().replace(&format!(" at {}", other.pos()), ""), None),
    }
}

/// The byte offset of a row and column (in characters), both from 1.
fn offset(src: &str, place: TextPos) -> usize {
    let rows = usize::try_from(place.row).unwrap_or(1).saturating_sub(1);
    let line = match rows.checked_sub(1) {
        None => 0,
        Some(nth) => src.match_indices('\n').nth(nth).map_or(src.len(), |(at, _)| at + 1),
    };
    let columns = usize::try_from(place.col).unwrap_or(1).saturating_sub(1);
    let rest = src.get(line..).unwrap_or("");
    line + rest.char_indices().nth(columns).map_or(rest.len(), |(at, _)| at)
}
