//! Everything in a text besides its value: comments, trailing commas, invalid whitespace.

use std::ops::Range;

use jsonc_parser::tokens::{Token, TokenAndRange};

/// Positions of one kind.
#[derive(Debug, Default)]
pub(super) struct Occurrences {
    /// The first.
    pub(super) first: Option<Range<usize>>,
    /// Their number.
    pub(super) count: usize,
}

impl Occurrences {
    fn add(&mut self, range: Range<usize>) {
        self.first.get_or_insert(range);
        self.count += 1;
    }
}

/// The findings.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) comments: Occurrences,
    pub(super) commas: Occurrences,
    /// The first character between two tokens that is not whitespace in JSON.
    pub(super) strange: Option<usize>,
}

/// Scans the tokens of a text, in order.
pub(super) fn scan(text: &str, tokens: &[TokenAndRange<'_>]) -> Findings {
    let mut seen = Findings::default();
    let mut end = 0;
    let mut comma = None;
    for TokenAndRange { token, range } in tokens {
        seen.gap(text, end..range.start);
        end = range.end;
        match token {
            Token::CommentLine(_) | Token::CommentBlock(_) => seen.comments.add(range.start..range.end),
            Token::Comma => comma = Some(range.start..range.end),
            Token::CloseBrace | Token::CloseBracket => {
                if let Some(comma) = comma.take() {
                    seen.commas.add(comma);
                }
            }
            _ => comma = None,
        }
    }
    seen.gap(text, end..text.len());
    seen
}

impl Findings {
    fn gap(&mut self, text: &str, range: Range<usize>) {
        if self.strange.is_none() {
            let gap = text.get(range.clone()).unwrap_or("");
            self.strange = gap.find(|c| !matches!(c, ' ' | '\t' | '\n' | '\r')).map(|at| range.start + at);
        }
    }
}
