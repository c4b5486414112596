//! Text that is not YAML: the parser's error as a message with help.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};
use hookc_schema::diag::Label;
use hookc_schema::{Code, Diagnostic, SourceId, Span};

use crate::limits;

/// The message, the label and the help.
struct Words {
    message: String,
    label: String,
    help: String,
}

fn words(message: impl Into<String>, label: impl Into<String>, help: impl Into<String>) -> Words {
    Words { message: message.into(), label: label.into(), help: help.into() }
}

/// The text, and how far the parser came.
pub(super) struct Context<'a> {
    pub(super) text: &'a str,
    pub(super) source: SourceId,
    /// The end of the last token.
    pub(super) last: usize,
    /// The innermost open bracket or brace.
    pub(super) open: Option<usize>,
}

/// The diagnostic for the parser's error.
pub(super) fn diagnostic(error: &ScanError, context: &Context<'_>) -> Diagnostic {
    let found = error.marker().byte_offset().unwrap_or(context.last).min(context.text.len());
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return too_deep(context.span(found..found));
    }
    let at = context.error_offset(error.kind(), found);
    let words = context.words(error.kind(), at);
    let end = context.after(at).chars().next().filter(|c| !matches!(c, '\r' | '\n'));
    let span = context.span(at..at + end.map_or(0, char::len_utf8));
    let mut new = Diagnostic::new(Code::E0101, span, words.message).with_label(words.label);
    if !words.help.is_empty() {
        new = new.help(words.help);
    }
    if let Some(label) = context.opening(error.kind(), at) {
        new.labels.push(label);
    }
    new
}

/// Nesting beyond the limit.
pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E0103, span, format!("values are nested deeper than {}", limits::NESTING))
        .with_label("exceeds the limit")
        .help("write it with fewer levels")
}

impl Context<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range)
    }

    fn after(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or("")
    }

    /// The line that `at` is in, up to `at`.
    fn line_before(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or("");
        before.rsplit(['\n', '\r']).next().unwrap_or("")
    }

    /// The position to show: that of the parser, except for errors inside a scalar, where it only
    /// reports the start of the scalar.
    fn error_offset(&self, kind: &ErrorKind, at: usize) -> usize {
        use ErrorKind as K;
        match kind {
            K::UnknownQuotedScalarEscape => at + self.bad_escape(at).unwrap_or(0),
            K::TabAtBlockScalarStart | K::TabInPlainScalar => at + self.indenting_tab(at).unwrap_or(0),
            K::TabNotAllowed | K::TabInBlockIndentation | K::TabInIndentation => {
                let line = self.line_before(at);
                line.find('\t').map_or(at, |tab| at - line.len() + tab)
            }
            _ => at,
        }
    }

    /// The offset of the first unknown escape in the quotes at `at`.
    fn bad_escape(&self, at: usize) -> Option<usize> {
        let mut chars = self.after(at).char_indices();
        while let Some((offset, c)) = chars.next() {
            if c == '\\' && !chars.next().is_some_and(|(_, c)| "0abt\tnvfre \"/\\N_LPxuU\r\n".contains(c)) {
                return Some(offset);
            }
        }
        None
    }

    /// The offset of the first tab that indents a later line than that of `at`.
    fn indenting_tab(&self, at: usize) -> Option<usize> {
        let after = self.after(at);
        let indents = |tab: &usize| {
            let before = after.get(..*tab).unwrap_or("").trim_end_matches(' ');
            before.ends_with(['\n', '\r'])
        };
        let is_content = |tab: &usize| {
            let line = after.get(*tab..).unwrap_or("").split(['\n', '\r']).next();
            line.is_some_and(|line| !line.trim().is_empty())
        };
        let tabs = || after.match_indices('\t').map(|(tab, _)| tab).filter(indents);
        tabs().find(is_content).or_else(|| tabs().next())
    }

    /// The position of an unclosed quote or bracket.
    fn opening(&self, kind: &ErrorKind, at: usize) -> Option<Label> {
        use ErrorKind as K;
        let (place, text) = match kind {
            K::UnclosedQuotedScalar | K::InvalidQuotedScalarIndent | K::DocumentIndicatorInQuotedScalar => {
                let gap = self.text.get(self.last..at)?;
                (self.last + gap.find(['"', '\''])?, "this quote is still open")
            }
            K::MisplacedFlowCollectionEnd | K::UnclosedFlowCollection { .. } => return None,
            _ if bracket(kind) => (self.open?, "still open"),
            _ => return None,
        };
        let label = Label::new(self.span(place..place + 1), text);
        (place != at).then_some(label)
    }

    fn words(&self, kind: &ErrorKind, at: usize) -> Words {
        use ErrorKind as K;
        match kind {
            K::TabNotAllowed
            | K::TabInBlockIndentation
            | K::TabInIndentation
            | K::TabAtBlockScalarStart
            | K::TabInPlainScalar => words("a tab cannot indent YAML", "a tab", "indent with spaces"),
            K::UnexpectedCharacter { character } => self.unexpected(*character, at),
            K::MappingValueNotAllowed | K::InvalidSimpleKey | K::SimpleKeyExpected => self.colon(at),
            K::UnclosedQuotedScalar | K::InvalidQuotedScalarIndent | K::DocumentIndicatorInQuotedScalar => {
                let opened = matches!(kind, K::UnclosedQuotedScalar);
                let label = if opened { "opened here" } else { "the quoted text cannot continue here" };
                words(
                    "a quote is not closed",
                    label,
                    "close it; a quote inside the text is \\\" in double quotes and '' in single ones",
                )
            }
            K::UnknownQuotedScalarEscape => self.escape(at),
            K::InvalidQuotedScalarHexEscape | K::InvalidLowSurrogateHexEscape => words(
                "an escape without its hexadecimal digits",
                "in this text",
                "write \\x with 2, \\u with 4 or \\U with 8 hexadecimal digits, or use single quotes",
            ),
            K::InvalidLowSurrogate
            | K::MissingLowSurrogate
            | K::UnpairedLowSurrogate
            | K::InvalidUnicodeEscape => words(
                "an escape for an invalid character",
                "in this text",
                "write the character itself, or both halves of its surrogate pair",
            ),
            K::InvalidTrailingSingleQuotedScalar | K::InvalidTrailingDoubleQuotedScalar => words(
                "text after a closing quote",
                "the quoted text ends before this",
                "put the whole value in quotes; a quote inside is written \\\" in double quotes and '' in single ones",
            ),
            K::MissingAnchorOrAliasName => words(
                "`*` and `&` at the start of a value name an anchor",
                "missing name",
                "put text that starts so in quotes",
            ),
            _ if bracket(kind) => self.bracket(kind, at),
            _ => layout(kind),
        }
    }

    /// A character that no plain value can start with.
    fn unexpected(&self, character: char, at: usize) -> Words {
        if character.is_control() || !matches!(character, '!'..='~') {
            let code = u32::from(character);
            return words(
                format!("the character U+{code:04X} is not allowed in YAML"),
                "here",
                format!("write it as \"\\u{code:04X}\" in double quotes"),
            );
        }
        let line = self.after(at).split(['\n', '\r']).next().unwrap_or("").trim_end();
        // In brackets, a value ends with its item.
        let is_within = |open, close| line.matches(close).count() > line.matches(open).count();
        let line = match is_within('[', ']') || is_within('{', '}') {
            true => line.split([',', ']', '}']).next().unwrap_or(line).trim_end(),
            false => line,
        };
        let short: String = line.chars().take(40).collect();
        let quoted =
            if short == line && !line.contains('\'') { format!(": '{line}'") } else { String::new() };
        words(
            format!("a plain value cannot start with `{character}`"),
            "needs quotes",
            format!("put the whole value in quotes{quoted}"),
        )
    }

    /// A `:` where no key can be.
    fn colon(&self, at: usize) -> Words {
        if self.line_before(at).contains(": ") {
            return words(
                "a second `: ` in one line",
                "not a key here",
                "put a value that contains `: ` in quotes; start a mapping as value on the next line, \
                 indented",
            );
        }
        words(
            "this key is not aligned with the lines above",
            "no key is allowed here",
            "indent it like the other keys of the mapping; perhaps a line above lacks its `:`",
        )
    }

    fn escape(&self, at: usize) -> Words {
        let escape: String = self.after(at).chars().take(2).collect();
        words(
            format!("`{escape}` is not an escape in double quotes"),
            "",
            format!("use single quotes, which keep backslashes, or write `\\{escape}`"),
        )
    }

    fn bracket(&self, kind: &ErrorKind, at: usize) -> Words {
        use ErrorKind as K;
        match kind {
            K::UnclosedFlowCollection { open } => {
                let close = if *open == '[' { ']' } else { '}' };
                words(format!("`{open}` is not closed"), "opened here", format!("close it with `{close}`"))
            }
            K::MisplacedFlowCollectionEnd => words("an unmatched bracket", "", "remove it"),
            K::MismatchedFlowCollectionEnd { open, close } => {
                words(format!("`{open}` is closed by `{close}`"), "", "close every bracket with its own kind")
            }
            _ if self.after(at).trim_start().is_empty() => {
                words("a bracket or brace is not closed", "the text ends here", "close it")
            }
            _ => words(
                "not allowed inside brackets",
                "expected `,` or the closing bracket",
                "close the bracket above, or add the missing comma; put text with `:`, `,` or brackets in quotes",
            ),
        }
    }
}

fn bracket(kind: &ErrorKind) -> bool {
    use ErrorKind as K;
    matches!(
        kind,
        K::UnexpectedEofFlowSequence
            | K::UnexpectedEofFlowMapping
            | K::UnexpectedEofImplicitFlowMapping
            | K::ExpectedFlowMappingSeparator
            | K::ExpectedFlowSequenceSeparator
            | K::MisplacedFlowCollectionEnd
            | K::MismatchedFlowCollectionEnd { .. }
            | K::UnclosedFlowCollection { .. }
            | K::BlockEntryInFlowCollection
            | K::InvalidColonPlacement
            | K::FlowMappingValueAdjacentCollection
            | K::InvalidFlowScalarIndent
            | K::PlainScalarStartsWithDashFlowIndicator
    )
}

/// Errors of indentation and layout, and all others without a special message.
fn layout(kind: &ErrorKind) -> Words {
    use ErrorKind as K;
    match kind {
        K::BlockSequenceEntryNotAllowed | K::InvalidBlockEntryWhitespace => words(
            "a list item cannot start here",
            "this `-`",
            "put each `- item` on its own line; put text that starts with `-` in quotes",
        ),
        K::ExpectedBlockSequenceEntry => words(
            "expected a list item",
            "expected `- `",
            "indent it like the content of the item above, or start the line with `- `",
        ),
        K::ExpectedBlockMappingKey | K::MappingKeyNotAllowed | K::InvalidIndentation => words(
            "not aligned with the keys above",
            "expected a key at the indentation of the keys before it",
            "indent all keys of one mapping alike",
        ),
        K::InvalidBlockScalarIndent => words(
            "a line of a block scalar is indented less than its first line",
            "",
            "indent all lines at least as much as the first, or declare the indentation: `|2`",
        ),
        K::InvalidBlockScalarHeader | K::ZeroBlockScalarIndent => words(
            "text on the line of `|` or `>`",
            "expected the end of the line",
            "start the text on the next line; put text that starts with `|` or `>` in quotes",
        ),
        K::CommentNotSeparated => words("a `#` needs a space before it", "", "put a space before the `#`"),
        K::ExpectedDocumentStart | K::InvalidDocumentEnd => words(
            "more text after the end of the value",
            "expected the end",
            "remove it; a file contains one mapping",
        ),
        K::UndeclaredTagHandle | K::InvalidTagTerminator => words(
            "`!` at the start of a value names a tag",
            "unknown tag",
            "put text that starts so in quotes",
        ),
        K::UnsupportedYamlMajorVersion => words("a `%YAML` version other than 1.x", "", "remove the line"),
        other => words(
            format!("the YAML is not well-formed: {other}"),
            "",
            "put text with special characters in quotes, and indent with spaces",
        ),
    }
}
