//! The verbs of the predicates about effects.

use crate::numbered_enums;

numbered_enums! {
    /// What a predicate asks about the effects of an event.
    Verb {
        0 Run "run" "A program is started.";
        1 Read "read" "The content of a file is shown, copied or sent.";
        2 Write "write" "A file is created, changed or replaced.";
        3 Delete "delete" "A file is deleted or moved away.";
        4 Change "change" "A file is written or deleted.";
        5 Contact "contact" "A host is contacted.";
        6 Send "send" "Content is given to another machine.";
        7 Install "install" "A package is installed.";
        8 Push "push" "A branch of a remote is moved.";
    }
}

impl Verb {
    /// The word after `may_`: `run`.
    #[must_use]
    pub const fn singular(self) -> &'static str {
        self.name()
    }

    /// The name of its certain predicate: `runs`.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Run => "runs",
            Self::Read => "reads",
            Self::Write => "writes",
            Self::Delete => "deletes",
            Self::Change => "changes",
            Self::Contact => "contacts",
            Self::Send => "sends",
            Self::Install => "installs",
            Self::Push => "pushes",
        }
    }

    /// The name of its possible predicate: `may_run`.
    #[must_use]
    pub const fn possible(self) -> &'static str {
        match self {
            Self::Run => "may_run",
            Self::Read => "may_read",
            Self::Write => "may_write",
            Self::Delete => "may_delete",
            Self::Change => "may_change",
            Self::Contact => "may_contact",
            Self::Send => "may_send",
            Self::Install => "may_install",
            Self::Push => "may_push",
        }
    }
}
