//! Variables of the environment whose values programs start or read as code (the key `variables` of rows), and those that
//! control what programs run or load.

use super::globs;
use super::packed::{VARIABLE_GLOBS, VARIABLES};

/// What the value of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'n> {
    /// A command that other programs start: a line for a shell, or the name of a program.
    Line,
    /// Words that a program reads in front of its own.
    Words,
    /// Text that a shell expands.
    Text,
    /// Code in the notation of the program of this name, whose row finds command lines in it.
    Escaped(&'n str),
    /// A shell that other programs start.
    Shell,
    /// The path of a file that the program of this name runs.
    File(&'n str),
    /// Code in a notation of its own.
    Opaque,
    /// The key of a setting of git, whose value is in another variable with this number.
    GitKey(&'n str),
}

impl<'n> Content<'n> {
    /// Of a role in the row of a program.
    pub(crate) fn from_role(role: &str, program: &'n str) -> Self {
        match role {
            "LINE" => Self::Line,
            "WORDS" => Self::Words,
            "SHELL" => Self::Shell,
            "EXPR" => Self::Escaped(program),
            "SCRIPT" => Self::File(program),
            _ => Self::Opaque,
        }
    }
}

/// What the value of a variable is, if it is code.
#[must_use]
pub fn content(name: &str) -> Option<Content<'_>> {
    if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
        return Some(Content::GitKey(number));
    }
    // `BASH_FUNC_ls%%=() { CODE; }`
    match name {
        "PS0" | "PS4" => return Some(Content::Text),
        _ if name.starts_with("BASH_FUNC_") => return Some(Content::Opaque),
        _ => {}
    }
    let exact = VARIABLES.binary_search_by_key(&name, |(listed, ..)| listed).ok();
    let found = exact.and_then(|at| VARIABLES.get(at));
    let found = found.or_else(|| VARIABLE_GLOBS.iter().find(|(glob, ..)| globs::matches(glob, name)));
    found.map(|(_, role, program)| Content::from_role(role, program))
}

include!(concat!(env!("OUT_DIR"), "/variables.rs"));

/// Whether a variable controls what programs run or load.
#[must_use]
pub fn loads(name: &str) -> bool {
    let name = name.trim_end_matches('+');
    content(name).is_some()
        || LOADING.binary_search(&name).is_ok()
        || LOADING_STARTS.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_rows() {
        assert_eq!(content("EDITOR"), Some(Content::Line));
        assert_eq!(content("GH_PAGER"), Some(Content::Line));
        assert_eq!(content("GOFLAGS"), Some(Content::Words));
        assert_eq!(content("GIT_CONFIG_PARAMETERS"), Some(Content::Opaque));
        assert_eq!((content("_EDITO"), content("HOME"), content("")), (None, None, None));
        assert!(VARIABLES.is_sorted_by(|(one, ..), (two, ..)| one < two));
    }
}
