//! Effects that no word names.

use super::collector::Marks;
use super::roles::{Roles, kinds, scheme};
use super::{Kind, Scheme};
use crate::HoleKind;
use crate::arguments::Argument;
use crate::programs::{Attribute, Role};

impl Roles<'_, '_, '_> {
    /// What the program does without operands.
    pub(super) fn implied(&mut self) {
        let is_object = |argument: &&Argument<'_>| {
            argument.flag.is_none()
                && argument.role.is_some_and(|role| {
                    role.starts() && !role.is_code() || !kinds(role).is_empty() || role == Role::Declared
                })
        };
        let Some(list) = self.reading.text("implied") else { return };
        if self.reading.arguments.iter().any(|argument| is_object(&argument)) || self.command.has_more() {
            return;
        }
        for (role, object) in list.split(", ").filter_map(|implied| implied.split_once(' ')) {
            let Some(role) = Role::from_name(role) else { continue };
            let marks = self.marks.implied();
            if let Some((scheme, name)) =
                object.split_once(':').and_then(|(name, rest)| Some((scheme(name)?, rest)))
            {
                for kind in kinds(role) {
                    self.implied_name(self.shown(*kind), scheme, name, marks);
                }
                continue;
            }
            // A search reads what is piped into it.
            if role == Role::Read
                && self.line.is_fed(self.command)
                && !self.reading.has_option(Attribute::Tree)
            {
                continue;
            }
            let object = self.out.out.store.literal(object);
            for number in 0..self.directories.len() {
                let directory = self.directories.get(number).copied().flatten();
                self.out.resolve(directory, object);
                self.built(kinds(role), self.is_tree, marks);
            }
        }
    }

    /// A read of what is no file, which is a use if a substitution takes the output.
    pub(super) fn shown(&self, kind: Kind) -> Kind {
        if kind == Kind::Read && !self.line.is_shown(self.command) { Kind::Use } else { kind }
    }

    fn implied_name(&mut self, kind: Kind, scheme: Scheme, name: &str, marks: Marks) {
        self.out.draft.clear();
        match name {
            "*" => self.out.draft.push_hole("*", HoleKind::Text),
            name => self.out.draft.push_str(name),
        }
        self.out.drafted(kind, scheme, marks);
    }

    /// The machines that the program contacts unless a word names another one.
    pub(super) fn hosts(&mut self) {
        if self.has_host {
            return;
        }
        for host in self.reading.inherited("hosts").unwrap_or_default().split_ascii_whitespace() {
            self.out.named(Kind::Contact, Scheme::Host, host, self.marks.implied());
        }
    }

    /// What options do that name nothing, and what is done with the input.
    pub(super) fn attributes(&mut self) {
        if self.reading.has(Attribute::Code) {
            self.out.named(Kind::Code, Scheme::Code, "", self.marks);
        }
        if self.reading.sends_input() && self.line.is_fed(self.command) && !self.is_dry {
            self.out.pipe(self.marks);
        }
    }
}
