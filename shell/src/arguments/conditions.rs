//! What is different with some words: the conditions of a row.

use super::Reading;
use crate::Word;
use crate::programs::globs::{matches, matches_any};
use crate::programs::{If, Role};

impl<'w> Reading<'w> {
    /// Chooses what is different for this command: what depends on its expressions, once their roles are known, or else.
    pub(super) fn choose_ifs(&mut self, has_roles: bool) {
        let Some(row) = self.row() else { return };
        let depends = |condition: &If| ["expr", "expr_not"].iter().any(|key| condition.text(key).is_some());
        let ifs =
            row.ifs().iter().filter(|condition| depends(condition) == has_roles && self.is_true(condition));
        let ifs: Vec<&'static If> = ifs.collect();
        self.ifs.extend(ifs);
    }

    fn is_true(&self, condition: &If) -> bool {
        let count = self.operands.len();
        let has = |key: &str| condition.text(key).is_some();
        // `*` also matches a word with unknown text.
        let is_like = |word: Word<'_>, glob: &str| {
            glob == "*" || word.literal().is_some_and(|text| matches(glob, text))
        };
        let is_word = |globs: &str| {
            let mut words = self.command.words().skip(1);
            words.any(|word| globs.split(['|', ' ']).any(|glob| is_like(word, glob)))
        };
        (!has("flag") || self.has_any(condition.flags("flag")))
            && !self.has_any(condition.flags("unless"))
            && condition.text("words").is_none_or(is_word)
            && condition.text("first").is_none_or(|globs| self.is_first(globs))
            && (!condition.is("nothing") || self.flags.is_empty() && count == 0 && self.command.is_bare())
            && (!has("two") || count == 2)
            && (!has("expr") || self.expressions(condition, "expr") == Some(true))
            && (!has("expr_not") || self.expressions(condition, "expr_not") == Some(false))
    }

    /// Whether the first operand matches one of some globs, and none of those after `!`.
    fn is_first(&self, globs: &str) -> bool {
        self.operands
            .first()
            .and_then(|(_, word)| word.literal())
            .is_some_and(|text| matches_any(globs, text))
    }

    /// Whether a text is an address of a package in a form without `://`.
    pub(crate) fn is_address(&self, text: &str) -> bool {
        self.inherited("addresses").is_some_and(|globs| matches_any(globs, text))
    }

    /// Whether every expression matches the regex of a key, or none does; `None` if some do, or if one is unknown.
    fn expressions(&self, condition: &If, key: &str) -> Option<bool> {
        let mut found = None;
        for argument in self.arguments.iter().filter(|argument| argument.role == Some(Role::Expr)) {
            let is_match = condition.is_match(key, argument.word.literal()?)?;
            if found.replace(is_match).is_some_and(|other| other != is_match) {
                return None;
            }
        }
        found
    }
}
