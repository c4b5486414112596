//! The subcommand of a command: its group in front, and the rows below it that operands name.

use super::Reading;
use crate::programs::Role;

impl<'w> Reading<'w> {
    /// Goes to the rows below that operands name: `git stash drop`.
    pub(super) fn descend(&mut self) {
        if self.command.sub().is_none() {
            return;
        }
        let operands = self.command.operands();
        for word in operands {
            let Some(options) = self.options else { return };
            let Some(row) = word.literal().and_then(|name| options.row.sub(name)) else { return };
            self.parents.insert(0, options);
            self.options = Some(row.read_options());
            self.names += 1;
        }
    }

    /// Whether an option of the group in front of its subcommand can start something: `-f` of `docker compose`.
    pub(crate) fn group_starts(&self, name: &str) -> bool {
        let options = self.parents.iter().filter_map(|options| options.flag(name));
        options.flat_map(|option| option.roles).flatten().any(Role::starts)
    }

    /// The canonical name of its subcommand with its groups.
    pub(crate) fn verb(&self) -> Option<String> {
        self.program?;
        let sub = self.command.sub()?.text();
        let first = if self.names == 0 { self.options } else { self.parents.get(self.names - 1).copied() };
        let verb = first.map(|options| options.row).filter(|row| row.is_named(sub));
        let (group, name) = match verb {
            Some(row) => (row.group(), row.canonical(sub)),
            None => (self.group.unwrap_or_default(), sub),
        };
        let mut names = if group.is_empty() { name.to_owned() } else { format!("{group} {name}") };
        let below = self.parents.iter().take(self.names.saturating_sub(1)).rev().copied().chain(self.options);
        for (word, options) in self.command.operands().take(self.names).zip(below) {
            names.push(' ');
            names.push_str(options.row.canonical(word.text()));
        }
        Some(names)
    }
}
