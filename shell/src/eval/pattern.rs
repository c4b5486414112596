//! Patterns in `${name#pattern}` and the like.

use super::super::arena::Arena;
use super::super::token::{Special, Token, long};

/// The longest text in which a pattern is replaced: each position is a start.
const LONGEST: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Char(char),
    /// `?`
    One,
    /// `*`
    Any,
}

/// A pattern of literal characters, `*` and `?`.
pub(super) struct Pattern(Vec<Item>);

impl Pattern {
    /// The pattern of the first `end` bytes of a word; `None` if it has brackets or unknown parts.
    pub(super) fn from_word(arena: &Arena, word: Token, end: usize) -> Option<Self> {
        if !arena.is_known(word) {
            return None;
        }
        let mut globs = arena.marks(word).iter().filter(|mark| mark.kind == Special::Glob).peekable();
        let mut items = Vec::new();
        for (at, char) in arena.text(word).get(..end)?.char_indices() {
            let is_glob = globs.next_if(|mark| long(mark.at) <= at).is_some();
            items.push(match (is_glob, char) {
                (true, '*') => Item::Any,
                (true, '?') => Item::One,
                (true, _) => return None,
                (false, char) => Item::Char(char),
            });
        }
        Some(Self(items))
    }

    pub(super) fn is_literal(&self) -> bool {
        self.0.iter().all(|item| matches!(item, Item::Char(_)))
    }

    fn reversed(&self) -> Self {
        Self(self.0.iter().rev().copied().collect())
    }

    /// The numbers of characters, from the first on, that match: the fewest, and the most.
    fn prefix(&self, text: &[char]) -> Option<(usize, usize)> {
        let end = self.0.len();
        let mut states = vec![false; end + 1];
        let mut found = None;
        let enter = |states: &mut [bool], mut at: usize| {
            loop {
                if let Some(state) = states.get_mut(at) {
                    *state = true;
                }
                if self.0.get(at) != Some(&Item::Any) {
                    return;
                }
                at += 1;
            }
        };
        enter(&mut states, 0);
        for read in 0..=text.len() {
            if states.last() == Some(&true) {
                found = Some((found.map_or(read, |(fewest, _)| fewest), read));
            }
            let Some(char) = text.get(read) else { break };
            let mut next = vec![false; end + 1];
            for (at, item) in self.0.iter().enumerate() {
                if states.get(at) != Some(&true) {
                    continue;
                }
                match item {
                    Item::Any => enter(&mut next, at),
                    Item::One => enter(&mut next, at + 1),
                    Item::Char(own) if own == char => enter(&mut next, at + 1),
                    Item::Char(_) => {}
                }
            }
            states = next;
        }
        found
    }

    /// `${text#pattern}`
    pub(super) fn without_prefix(&self, text: &str, longest: bool) -> String {
        let chars: Vec<char> = text.chars().collect();
        let count = self.prefix(&chars).map_or(0, |(fewest, most)| if longest { most } else { fewest });
        chars.into_iter().skip(count).collect()
    }

    /// `${text%pattern}`
    pub(super) fn without_suffix(&self, text: &str, longest: bool) -> String {
        let chars: Vec<char> = text.chars().rev().collect();
        let found = self.reversed().prefix(&chars);
        let count = found.map_or(0, |(fewest, most)| if longest { most } else { fewest });
        chars.into_iter().skip(count).rev().collect()
    }

    /// `${text/pattern/to}`; `None` if the text is too long.
    pub(super) fn replaced(&self, text: &str, to: &str, all: bool) -> Option<String> {
        let chars: Vec<char> = text.chars().collect();
        if chars.len().max(self.0.len()) > LONGEST {
            return None;
        }
        let (mut out, mut at, mut continues) = (String::new(), 0, true);
        while let Some(char) = chars.get(at) {
            let rest = chars.get(at..).unwrap_or_default();
            let most = self.prefix(rest).map_or(0, |(_, most)| most);
            if continues && most > 0 {
                out.push_str(to);
                at += most;
                continues = all;
            } else {
                out.push(*char);
                at += 1;
            }
        }
        Some(out)
    }
}
