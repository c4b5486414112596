//! The role of a tool's input: what the tool does with its value. The agents' data writes roles as text, and
//! so does the section `tools` of a policy: `write required`, `read tree .`.

use std::fmt;
use std::ops::Range;

use crate::numbered_enums;

numbered_enums! {
    /// What a tool does with an input.
    InputKind {
        0 Data "data" "Nothing.";
        1 Line "line" "Runs it as a command line: a text, or a list of words.";
        2 Dir "dir" "Starts its command there; relative paths begin there.";
        3 Read "read" "Reads this file.";
        4 Use "use" "Opens this file for itself.";
        5 List "list" "Looks at the names below this path.";
        6 Write "write" "Writes this file.";
        7 Delete "delete" "Deletes this file.";
        8 Send "send" "Sends this file to another machine.";
        9 Edit "edit" "Changes this file: uses it and writes it.";
        10 Move "move" "Moves this file away: uses it and deletes it.";
        11 Below "below" "Limits the tool to paths of this glob, below its path input.";
        12 Url "url" "Contacts the host of this address.";
        13 Host "host" "Contacts this host.";
        14 Ref "ref" "Moves this branch of a remote.";
        15 Package "package" "Installs this package.";
        16 Patch "patch" "Applies this patch.";
        17 Text "text" "A text that `mentions` searches.";
        18 Code "code" "Runs it as code that is not read.";
    }
}

impl InputKind {
    /// Whether the value is the path of a file or a directory.
    #[must_use]
    pub const fn is_path(self) -> bool {
        use InputKind::{Delete, Edit, List, Move, Read, Send, Use, Write};
        matches!(self, Read | Use | List | Write | Delete | Send | Edit | Move)
    }
}

/// When an input must be there. Without it, what the tool does is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It may be absent.
    #[default]
    Optional,
    /// `required`: it is always there.
    Required,
    /// `either`: one of the tool's inputs with this word is always there.
    Either,
}

/// A role: a kind, the words `tree`, `glob`, `required` and `either`, and a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRole<'t> {
    /// What the tool does with the value.
    pub kind: InputKind,
    /// `tree`: also with everything below the path.
    pub is_tree: bool,
    /// `glob`: the value is a glob of paths.
    pub is_glob: bool,
    /// Whether it must be there.
    pub presence: Presence,
    /// The value of an absent input.
    pub default: Option<&'t str>,
}

/// What is wrong with the text of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidRole {
    /// The word in the text; empty if the text is.
    pub range: Range<usize>,
    /// Whether the word should be a kind; otherwise it cannot be there.
    pub is_kind: bool,
}

/// The words that may follow a kind.
pub const INPUT_WORDS: [&str; 4] = ["tree", "glob", "required", "either"];

impl<'t> InputRole<'t> {
    /// Reads the text of a role.
    ///
    /// # Errors
    /// The first word is no kind, or another word cannot be there: `tree`, `glob` and defaults are for paths, and a
    /// required input has no default.
    pub fn parse(text: &'t str) -> Result<Self, InvalidRole> {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let at = |word: &str| {
            let start = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
            start..start.saturating_add(word.len())
        };
        let kind = InputKind::from_name(first);
        let kind = kind.ok_or_else(|| InvalidRole { range: at(first), is_kind: true })?;
        let mut role = Self::from(kind);
        for word in words {
            let is_new = match word {
                "tree" => kind.is_path() && !std::mem::replace(&mut role.is_tree, true),
                "glob" => kind.is_path() && !std::mem::replace(&mut role.is_glob, true),
                "required" => role.present(Presence::Required),
                "either" => role.present(Presence::Either),
                default => {
                    kind.is_path()
                        && role.presence == Presence::Optional
                        && role.default.replace(default).is_none()
                }
            };
            if !is_new {
                return Err(InvalidRole { range: at(word), is_kind: false });
            }
        }
        Ok(role)
    }

    /// Sets when it must be there, once.
    fn present(&mut self, presence: Presence) -> bool {
        let is_new = self.presence == Presence::Optional && self.default.is_none();
        self.presence = presence;
        is_new && self.kind != InputKind::Data
    }
}

impl From<InputKind> for InputRole<'_> {
    fn from(kind: InputKind) -> Self {
        Self { kind, is_tree: false, is_glob: false, presence: Presence::Optional, default: None }
    }
}

impl fmt::Display for InputRole<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let presence = [(Presence::Required, "required"), (Presence::Either, "either")];
        let words = [(self.is_tree, "tree"), (self.is_glob, "glob")];
        let presence = presence.map(|(presence, word)| (self.presence == presence, word));
        for (_, word) in words.into_iter().chain(presence).filter(|(is_there, _)| *is_there) {
            write!(f, " {word}")?;
        }
        self.default.map_or(Ok(()), |default| write!(f, " {default}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_read_and_written() {
        for text in ["data", "read tree .", "write required", "patch either", "read tree glob", "list ./docs"]
        {
            assert_eq!(InputRole::parse(text).map(|role| role.to_string()).as_deref(), Ok(text));
        }
        let role = InputRole::parse(" read   required tree ").unwrap();
        assert!(role.is_tree && role.presence == Presence::Required && role.default.is_none());
    }

    #[test]
    fn an_invalid_word_has_a_place() {
        let wrong = |text: &str| {
            let invalid = InputRole::parse(text).unwrap_err();
            (text.get(invalid.range).map(str::to_owned), invalid.is_kind)
        };
        let found = |word: &str, is_kind: bool| (Some(word.to_owned()), is_kind);
        assert_eq!(wrong("reads"), found("reads", true));
        assert_eq!(wrong(" "), found("", true));
        assert_eq!(wrong("read tree tree"), found("tree", false));
        assert_eq!(wrong("line tree"), found("tree", false));
        assert_eq!(wrong("url x.example"), found("x.example", false));
        assert_eq!(wrong("read . required"), found("required", false));
        assert_eq!(wrong("read required ."), found(".", false));
        assert_eq!(wrong("read . ./x"), found("./x", false));
        assert_eq!(wrong("data required"), found("required", false));
        assert_eq!(wrong("line required either"), found("either", false));
    }
}
