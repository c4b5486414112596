//! What a shell puts into words: values of variables, and names of files.

use super::commands::{PATHS, Parsed, Reader};
use super::line::{RedirectKind, Word};
use super::model::{Deeds, Kind, Scheme};
use super::place::resolve;
use super::text::{Hole, Symbol, Text};

/// Variables that a shell sets itself.
const SHELL_VARIABLES: &[&str] = &[
    "PWD",
    "OLDPWD",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "PPID",
    "UID",
    "EUID",
    "GID",
    "HOSTNAME",
    "IFS",
    "COLUMNS",
    "LINES",
    "SHLVL",
    "OPTARG",
    "OPTIND",
    "BASH",
    "BASHPID",
    "BASH_VERSION",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "HOSTTYPE",
    "MACHTYPE",
    "OSTYPE",
    "SRANDOM",
    "ZSH_VERSION",
];

impl Reader<'_> {
    /// Variables of the environment in words, and wildcards of the shell.
    pub(super) fn words(&self, parsed: &Parsed<'_>, deeds: &mut Deeds) {
        if !self.command.words.is_empty()
            && (self.command.is_traced || !parsed.arguments.row.as_ref().is_some_and(|row| row.is("silent")))
        {
            self.variables(parsed, deeds);
        }
        // The `?` of an address is no pattern of files that anybody means.
        let words = self.command.words.iter().skip(1).filter(|word| !word.source.contains("://"));
        for word in words.filter(|word| word.text.0.iter().any(is_wildcard)) {
            let paths =
                parsed.directories.iter().filter_map(|directory| globbed(&resolve(directory, &word.text)));
            let lists = paths.map(|path| self.effect(Kind::List, Scheme::File, path));
            deeds.effects.extend(lists);
        }
    }

    /// Variables of the environment in words.
    fn variables(&self, parsed: &Parsed<'_>, deeds: &mut Deeds) {
        let has_role = |at: usize, is: &dyn Fn(&str) -> bool| {
            let mut roles = parsed.arguments.roles.iter().filter(|argument| argument.at == at);
            roles.any(|argument| is(&argument.role))
        };
        let is_sent = |role: &str| matches!(role, "DATA" | "FORM");
        // `@F` names a file.
        let is_file = |at: usize, word: &Word| {
            let is_name = is_variable(word) && has_role(at, &is_reported);
            has_role(at, &is_object) && !is_name || word.source.contains(['@', '<']) && has_role(at, &is_sent)
        };
        let words = self.command.words.iter().enumerate().filter(|(at, word)| !is_file(*at, word));
        // What is sent is not shown.
        let (sent, shown): (Vec<_>, Vec<_>) =
            words.partition(|(at, _)| !self.command.is_traced && has_role(*at, &is_sent));
        let bodies = self
            .command
            .redirects
            .iter()
            .filter(|redirect| redirect.kind == RedirectKind::Here && !redirect.is_inherited);
        let shown = shown.into_iter().map(|(_, word)| word).chain(bodies.map(|redirect| &redirect.word));
        let values = self.command.env.iter().map(|(_, value)| value);
        let used = values.chain(sent.into_iter().map(|(_, word)| word));
        let read = self.with_flows(shown.flat_map(|word| &word.variables));
        let used = self.with_flows(used.flat_map(|word| &word.variables));
        let kinds = [(Kind::Read, read), (Kind::Use, used)];
        for (kind, name) in
            kinds.into_iter().flat_map(|(kind, names)| names.into_iter().map(move |name| (kind, name)))
        {
            if let Some(object) = self.variable(name) {
                deeds.effects.push(self.effect(kind, Scheme::Variable, object));
            }
        }
    }

    /// Variables with those whose values they have.
    fn with_flows<'n>(&'n self, names: impl Iterator<Item = &'n String>) -> Vec<&'n String> {
        let mut all: Vec<&String> = names.collect();
        let mut next = 0;
        while let Some(name) = all.get(next).copied() {
            next += 1;
            let is_number = name.starts_with(|c: char| c.is_ascii_digit());
            let name = if is_number { "@" } else { name.as_str() };
            for (_, source) in self.line.flows.iter().filter(|(listed, _)| listed == name) {
                if !all.contains(&source) {
                    all.push(source);
                }
            }
        }
        all
    }

    /// A variable that the shell gets from outside.
    fn variable(&self, name: &str) -> Option<Text> {
        if name == "*" {
            // `${!X}`
            return Some(Text::unknown("*"));
        }
        let is_set = self.line.variables.iter().any(|(listed, _)| listed == name);
        let is_number = name.starts_with(|c: char| c.is_ascii_digit());
        (!is_set && !is_number && !SHELL_VARIABLES.contains(&name)).then(|| Text::from(name))
    }
}

/// A word that has only the value of a variable.
fn is_variable(word: &Word) -> bool {
    matches!(word.text.0.as_slice(), [Symbol::Hole(..)]) && word.source.starts_with('$')
}

/// Roles of files whose names a program prints, if only because there are no such files.
fn is_reported(role: &str) -> bool {
    matches!(role.split(':').next(), Some("READ" | "LIST"))
}

/// Roles of words that name an object.
fn is_object(role: &str) -> bool {
    let named = ["URL", "HOST", "REMOTENAME", "REF", "SETREF", "DELREF", "REFSPEC", "PACKAGE", "DECLARED"];
    let role = role.split(':').next().unwrap_or_default();
    PATHS.contains(&role) || named.contains(&role) || matches!(role, "DIR" | "SCRIPT" | "LOAD")
}

/// A part of a pattern of files.
fn is_wildcard(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Hole(Hole::Name | Hole::Char, _))
}

/// The directory in which a shell looks for the names of a path.
fn globbed(path: &Text) -> Option<Text> {
    let names = path.split('/');
    let at = names.iter().position(|name| name.0.iter().any(is_wildcard))?;
    let before: Vec<Vec<Symbol>> = names.into_iter().take(at).map(|name| name.0).collect();
    let is_root = at == 1 && before.first().is_some_and(Vec::is_empty);
    Some(if is_root { Text::from("/") } else { Text(before.join(&Symbol::Char('/'))) })
}
