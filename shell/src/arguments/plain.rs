//! Whether the words of a command tell all that it does.

use super::Reading;
use crate::programs::{Attribute, Attributes, Options, Role};
use crate::{HoleKind, Word};

impl<'w> Reading<'w> {
    /// Whether its words tell all that it does.
    pub(super) fn tells_all(&self) -> bool {
        let Some(row) = self.options.map(|options| options.row) else { return false };
        let is_plain = self.given("plain").map_or(row.is_plain(), |plain| plain == "true");
        // Another case or version can be another program.
        let name = self.command.name().zip(self.program);
        let is_named = name.is_some_and(|(name, program)| program.row.is_exactly(name));
        let takes_back = self.ifs.iter().any(|condition| condition.text("plain") == Some("false"));
        let is_sub_known = self.command.sub_word().is_none() || self.command.sub().is_some();
        is_plain
            && is_named
            && !takes_back
            && is_sub_known
            && !self.has_unlisted
            && (!self.has_option(Attribute::Code) || self.is("follows"))
            && !self.flags.iter().any(|flag| flag.is_code)
            && !self.can_be_option()
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
