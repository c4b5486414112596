//! A program whose arguments are walked: the meaning of options and operands by its row in the tables.

use hookc_shell::programs::{Operand, OptionArgument, Row};

use super::scan::{Folder, Word};

/// A program whose arguments are walked.
pub(super) struct Call<'r> {
    pub(super) name: &'r str,
    pub(super) row: &'static Row,
    pub(super) verb: Option<&'static Row>,
    /// Its subcommand is determined, or it has none in the row.
    pub(super) chosen: bool,
    pub(super) folder: Folder,
    /// Words are still options.
    pub(super) options: bool,
    /// An option brought the code.
    pub(super) coded: bool,
    pub(super) first_is_code: bool,
    pub(super) all_are_code: bool,
    /// After the last code or script: data.
    pub(super) done: bool,
    pub(super) operands: usize,
}

impl<'r> Call<'r> {
    /// A program before its first argument.
    pub(super) fn new(name: &'r str, row: &'static Row, folder: Folder) -> Self {
        Self {
            name,
            row,
            verb: None,
            chosen: false,
            folder,
            options: true,
            coded: false,
            first_is_code: false,
            all_are_code: false,
            done: false,
            operands: 0,
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &'static Row> + use<> {
        self.verb.into_iter().chain([self.row])
    }

    pub(super) fn rule(&self) -> &'static Row {
        self.verb.unwrap_or(self.row)
    }

    pub(super) fn long_dash(&self) -> bool {
        self.rule().has_long_dash()
    }

    pub(super) fn is_lenient(&self) -> bool {
        let rule = self.rule();
        rule.is_lenient() || self.row.is_lenient() && rule.has_data()
    }

    /// Whether the next operand chooses a subcommand.
    pub(super) fn is_to_choose(&self) -> bool {
        !self.chosen && !self.row.subs().is_empty()
    }

    pub(super) fn operand_kind(&self) -> Operand {
        if self.all_are_code || self.first_is_code && self.operands == 0 {
            return Operand::Code { unless_given: false };
        }
        match self.rule().operand(self.operands) {
            Operand::Code { unless_given: true } | Operand::Script { unless_given: true } if self.coded => {
                Operand::Data
            }
            kind => kind,
        }
    }

    pub(super) fn takes(&self, option: &str) -> Option<OptionArgument> {
        let long = option.strip_prefix("--").filter(|_| self.long_dash());
        let same = |own: &str| own == option || long.is_some() && own.strip_prefix('-') == long;
        self.rows()
            .find_map(|row| row.known().find(|(own, takes)| *takes != OptionArgument::Prefix && same(own)))
            .map(|(_, takes)| takes)
    }

    /// What an option takes only in its own word, if that is code or what is loaded: `--exec-path=DIR` of git.
    pub(super) fn joined(&self, name: &str) -> Option<OptionArgument> {
        let named =
            |row: &'static Row| row.options().find(|option| option.names().any(|known| known == name));
        let option = self.rows().find_map(named).filter(|option| option.takes == OptionArgument::Joined)?;
        match option.role()? {
            role if role.is_code() => Some(OptionArgument::Code),
            role if role.starts() => Some(OptionArgument::Program),
            _ => None,
        }
    }

    /// A long option can be abbreviated: the worst of its possible meanings applies.
    pub(super) fn abbreviated(&self, option: &str) -> Option<OptionArgument> {
        if !option.starts_with("--") || option.len() < 4 {
            return None;
        }
        let all = self.rows().flat_map(Row::known);
        let mut near = all.filter(|(own, _)| own.starts_with(option)).map(|(_, takes)| takes);
        let first = near.next()?;
        Some(near.fold(first, |worst, takes| if is_harmless(worst) { takes } else { worst }))
    }

    pub(super) fn has_prefix(&self, text: &str) -> bool {
        self.rows().any(|row| {
            row.known().any(|(own, takes)| takes == OptionArgument::Prefix && text.starts_with(own))
        })
    }

    pub(super) fn has_plus(&self) -> bool {
        self.rows().any(|row| row.known().any(|(own, _)| own.starts_with('+')))
    }

    /// Whether a word is an option, or can become one.
    pub(super) fn is_option(&self, word: &Word<'_>) -> bool {
        let first = word.text.chars().next();
        match first {
            None => word.open,
            Some('-') => word.text != "-" || word.open || self.takes("-") == Some(OptionArgument::Nothing),
            Some('+') => self.has_plus(),
            Some(first) => self.long_dash() && matches!(first, '(' | '!' | ','),
        }
    }
}

fn is_harmless(takes: OptionArgument) -> bool {
    matches!(
        takes,
        OptionArgument::Nothing | OptionArgument::Data(_) | OptionArgument::Joined | OptionArgument::Digits
    )
}
