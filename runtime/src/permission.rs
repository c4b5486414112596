//! Permission rules for the calls of tools, in the notation of Claude Code: `Tool` or
//! `Tool(argument)`. A session has lists of them that allow, deny or ask.

use std::path::{Path, PathBuf};

pub use crate::gate::rule::{BaseDirs, RuleMatch};

use hookc_shell::programs::Programs;

use crate::event::Event;
use crate::gate::rule;

/// Whether a rule matches a call. Of a command line, one command is enough: for rules that deny or
/// ask, which should treat [`RuleMatch::Unknown`] as a match. A program that is written with a
/// directory also counts without it: `Bash(rm *)` matches `/bin/rm x`.
///
/// ```
/// use hookc_runtime::Event;
/// use hookc_runtime::permission::{BaseDirs, RuleMatch, covers, matches};
///
/// let event = Event::new(r#"{"tool_name": "Bash", "tool_input": {"command": "git log; rm x"}}"#);
/// let places = BaseDirs { cwd: "/p".into(), project: "/p".into(), home: None };
/// assert_eq!(matches("Bash(rm *)", &event, &places, Default::default()), RuleMatch::Matches);
/// let path = Event::new(r#"{"tool_name": "Bash", "tool_input": {"command": "/bin/rm x"}}"#);
/// assert_eq!(matches("Bash(rm *)", &path, &places, Default::default()), RuleMatch::Matches);
/// assert!(!covers(&["Bash(rm *)"], &path, &places, Default::default()));
/// assert!(!covers(&["Bash(git *)"], &event, &places, Default::default()));
/// assert!(covers(&["Bash(git *)", "Bash(rm *)"], &event, &places, Default::default()));
/// ```
#[must_use]
pub fn matches(rule: &str, event: &Event, places: &BaseDirs, programs: &Programs) -> RuleMatch {
    rule::judge_strictly(rule, event, places, programs)
}

/// Whether rules allow a call. Of a command line, each command must match one of them; an
/// expansion, an assignment before a command, and a redirection that writes a file are not covered.
/// Of a file, each name must match: the path as written, and with its links followed.
#[must_use]
pub fn covers(rules: &[&str], event: &Event, places: &BaseDirs, programs: &Programs) -> bool {
    rule::covers(rules, event, places, programs)
}

/// Whether a text is a rule.
#[must_use]
pub fn is_rule(text: &str) -> bool {
    rule::is_rule(text)
}

/// A path without `.`, `..` and symbolic links, as far as it exists: what rules about files compare.
/// `path` is absolute.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    rule::real_path(path)
}
