//! Patterns that do not match themselves as a command line: `docker run -v /:/host`, `find -exec rm`.

use super::read::has_flag;
use super::tokens::{Token, tokens};
use crate::effects::pattern::regex::RegexPattern;
use crate::effects::sets::names;
use crate::effects::{
    Actions, Event, Guard, Input, Predicate, Project, ToolRoles, Tools, Value, check, gather,
};
use crate::is_keyword;
use crate::programs::Programs;

/// What a pattern may mean that does not match the command line which is spelled like it; `None` if it matches.
#[must_use]
pub fn as_meant(pattern: &str, programs: &Programs) -> Option<Meant> {
    let words = tokens(pattern);
    // A line without options is read in another way only by a program that starts what its words name.
    let starts =
        || words.first().and_then(|word| programs.find(word.text)).is_some_and(|one| one.row.starts());
    let can_differ = words.len() > 1 && (words.iter().any(|word| has_flag(word.text)) || starts());
    if !can_differ || !words.iter().skip(1).all(is_literal) {
        return None;
    }
    // Replaces each wildcard by a letter.
    let actions = actions(&pattern.replace(['*', '?'], "x"), programs);
    let matches = |pattern: &str| {
        let of = vec![pattern.to_owned()];
        let guard = Predicate::Guard(Guard { of, ..Guard::new(hookc_base::Verb::Run) });
        check(&guard, &[], programs).is_ok_and(|compiled| compiled.holds(&actions))
    };
    if matches(pattern) {
        return None;
    }
    let other = others(pattern, &words).into_iter().find(|other| matches(other));
    match other {
        Some(other) => Some(Meant::Pattern(other)),
        None => is_command_line(&words).then_some(Meant::Unknown),
    }
}

/// Whether a shell would run the program that the first word of a pattern names, with these flags: `cut -f=1` has a value as
/// only patterns do, and `time` is a word of the shell.
fn is_command_line(words: &[Token<'_>]) -> bool {
    let is_program =
        |word: &Token<'_>| is_literal(word) && !word.text.contains(['=', '*', '?']) && !is_keyword(word.text);
    words.first().is_some_and(is_program)
        && !words.iter().any(|word| has_flag(word.text) && word.text.contains('='))
}

/// What the author of a pattern may have meant that does not match itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// A pattern that matches the command line: with the value of a flag after `=`, or with a pipe in front of what a program
    /// starts for each name.
    Pattern(String),
    /// No pattern is known that does.
    Unknown,
}

/// Patterns that the author may have meant.
fn others(pattern: &str, words: &[Token<'_>]) -> Vec<String> {
    let with = |range: std::ops::Range<usize>, text: &str| {
        let mut other = pattern.to_owned();
        other.replace_range(range, text);
        other
    };
    let pairs = words.iter().zip(words.iter().skip(1)).filter(|(flag, next)| {
        has_flag(flag.text) && !flag.text.contains('=') && !next.text.starts_with('-')
    });
    let values = pairs.clone().map(|(flag, next)| with(flag.at + flag.text.len()..next.at, "="));
    let started = pairs.map(|(flag, next)| with(flag.at..next.at, "| "));
    values.chain(started).collect()
}

/// Whether a word, apart from wildcards, is literal: no set, regular expression, variable or negation.
fn is_literal(word: &Token<'_>) -> bool {
    let is_special = |c: char| !(c.is_alphanumeric() || "-_=/.,:+%~*?@".contains(c));
    let has_set = names(word.text).next().is_some();
    !word.text.contains(is_special) && !has_set && RegexPattern::new(word.text).is_none()
}

struct Line<'l>(&'l str);

impl Input for Line<'_> {
    fn each(&self, _: &str, see: &mut dyn FnMut(Value<'_>)) {
        see(Value::Text(self.0));
    }
}

/// What a command line does.
fn actions(line: &str, programs: &Programs) -> Actions {
    const TOOL: &str = "line";
    let inputs = Some(vec![("line".to_owned(), "line required".to_owned())]);
    let tools = Tools { shipped: vec![ToolRoles { name: TOOL.to_owned(), inputs }], ..Tools::default() };
    let event = Event {
        tool: TOOL,
        host_tool: None,
        cwd: Some("/"),
        project: Project::Absent,
        tools: &tools,
        programs,
    };
    let mut actions = Actions::default();
    gather(&event, &Line(line), &mut actions);
    actions
}
