//! What is different for a command with some words, and whether its words tell all that it does.

use super::{Reading, expressions, is_code, matches};
use crate::programs::{Attribute, Attributes, If, Opt, Options, Role};
use crate::{HoleKind, Word};

impl Reading<'_> {
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
        let is_word = |globs: &str| {
            let texts = self.command.words().skip(1).filter_map(Word::literal);
            texts.into_iter().any(|text| globs.split(['|', ' ']).any(|glob| matches(glob, text)))
        };
        (!has("flag") || self.has_any(condition.flags("flag")))
            && !self.has_any(condition.flags("unless"))
            && condition.text("words").is_none_or(is_word)
            && (!condition.is("nothing") || self.flags.is_empty() && count == 0)
            && (!has("two") || count == 2)
            && condition.text("expr").is_none_or(|regex| self.expressions(regex) == Some(true))
            && condition.text("expr_not").is_none_or(|regex| self.expressions(regex) == Some(false))
    }

    /// Whether every expression matches a regex, or none does; `None` if some do, or if one is unknown.
    fn expressions(&self, regex: &str) -> Option<bool> {
        let mut found = None;
        for argument in self.arguments.iter().filter(|argument| argument.role == Some(Role::Expr)) {
            let is = expressions::is_match(regex, argument.word.literal()?)?;
            if found.replace(is).is_some_and(|other| other != is) {
                return None;
            }
        }
        found
    }

    /// Whether its words tell all that it does.
    pub(super) fn tells_all(&self) -> bool {
        let Some(row) = self.options.map(|options| options.row) else { return false };
        let is_plain = self.given("plain").map_or(row.is_plain(), |plain| plain == "true");
        let takes_back = self.ifs.iter().any(|condition| condition.text("plain") == Some("false"));
        let is_sub_known = self.command.sub_word().is_none() || self.command.sub().is_some();
        is_plain
            && !takes_back
            && is_sub_known
            && !self.has_unlisted
            && (!self.has_option(Attribute::Code) || self.is("follows"))
            && !self.used.iter().any(|option| self.runs_code(option))
            && !self.can_be_option()
    }

    /// Whether an option runs code that is judged nowhere else: expressions are by the row, and commands are of their own.
    fn runs_code(&self, option: &Opt<'_>) -> bool {
        let is_judged = |role: &Role| matches!(role, Role::Expr | Role::Command);
        let roles = || option.roles.into_iter().flatten();
        is_code(*option)
            && !self.is("follows")
            && !(roles().next().is_some() && roles().all(|role| is_judged(&role)))
    }

    /// Whether an unknown word can be an option that does more than print differently.
    fn can_be_option(&self) -> bool {
        let ends = |word: &Word<'_>| word.text() == "--" && word.literal().is_some();
        let mut words = self.command.words().skip(1).take_while(|word| !ends(word));
        let is_open = |word: Word<'_>| {
            word.holes().next().is_some_and(|hole| hole.range.start == 0 && hole.kind == HoleKind::Text)
        };
        let is_harmful = |options: &Options<'_>| {
            let is_text = |role: Role| matches!(role, Role::Text | Role::Read | Role::List | Role::Use);
            options.listed().iter().any(|option| {
                option.attributes != Attributes::default() || !option.roles.into_iter().flatten().all(is_text)
            })
        };
        words.any(is_open)
            && (self.options.is_some_and(is_harmful)
                || self.program.is_some_and(|program| is_harmful(program.options())))
    }
}
