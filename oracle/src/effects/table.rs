//! The rows of all programs, by the names of programs.

use std::collections::HashMap;
use std::sync::Arc;

use super::rows::Row;

/// The rows of all programs.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    shipped: Arc<Vec<Row>>,
    numbers: Arc<HashMap<String, usize>>,
    added: Vec<Row>,
}

impl Rows {
    /// The shipped rows.
    #[must_use]
    pub fn new(shipped: Vec<Row>) -> Self {
        let mut numbers = HashMap::new();
        for (number, row) in shipped.iter().enumerate() {
            row.words().for_each(|name| _ = numbers.entry(name.to_owned()).or_insert(number));
        }
        Self { shipped: Arc::new(shipped), numbers: Arc::new(numbers), added: Vec::new() }
    }

    /// These rows, and those of programs that have no shipped one which says anything.
    #[must_use]
    pub fn with(&self, added: impl Iterator<Item = Row>) -> Self {
        let is_new = |row: &Row| row.words().any(|name| self.shipped(name).is_none_or(Row::says_nothing));
        Self { added: added.filter(is_new).collect(), ..self.clone() }
    }

    /// The shipped rows.
    #[must_use]
    pub fn all(&self) -> &[Row] {
        &self.shipped
    }

    /// The row of a program.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<&Row> {
        let is_new = |name: &str| self.shipped(name).is_none_or(Row::says_nothing);
        let added = |name: &str| {
            let has = |row: &&Row| row.words().any(|listed| listed == name) && is_new(name);
            self.added.iter().find(has)
        };
        added(name).or_else(|| self.shipped(name)).or_else(|| added(unversioned(&without_suffix(name))))
    }

    fn listed(&self, name: &str) -> Option<&Row> {
        self.numbers.get(name).and_then(|number| self.shipped.get(*number))
    }

    /// The shipped row of a program, also with a suffix of its system, its version or its request, with the `g` of GNU,
    /// and in another case.
    fn shipped(&self, name: &str) -> Option<&Row> {
        let near = |name: &str| {
            let bare = without_suffix(without_request(name));
            let gnu = || self.listed(name.strip_prefix('g')?).filter(|row| row.is("gnu"));
            self.listed(name).or_else(|| self.listed(unversioned(&bare))).or_else(gnu)
        };
        near(name).or_else(|| near(without_build(&without_suffix(&name.to_ascii_lowercase()))))
    }

    /// All names of the program with a name, for guards that ask for another name.
    #[must_use]
    pub fn names(&self, name: &str, asked: &str) -> Vec<String> {
        let mut names = vec![name.to_owned(), without_suffix(name), without_request(name).to_owned()];
        let Some(row) = self.program(asked) else { return names };
        names.push(unversioned(name).to_owned());
        names.extend(name.strip_prefix('g').filter(|_| row.is("gnu")).map(str::to_owned));
        let others: Vec<&String> = row.names.iter().take(1).chain(&row.also).flatten().collect();
        let has = |name: &str| others.iter().any(|other| other.eq_ignore_ascii_case(&without_suffix(name)));
        if has(name) && has(asked) {
            names.extend(others.into_iter().cloned());
        }
        names
    }

    /// Whether a name is exactly one of the row of its program: no other case, and a version only if it has versions.
    #[must_use]
    pub fn is_exact(&self, name: &str) -> bool {
        let Some(row) = self.program(name) else { return false };
        let has = |name: &str| row.words().any(|listed| listed == name);
        has(name)
            || row.is("versions") && has(unversioned(name))
            || row.is("gnu") && name.strip_prefix('g').is_some_and(has)
    }
}

/// `python` of `python3.12`.
pub(super) fn unversioned(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-')
}

/// The name of a program of Windows without its suffix, in lower case; another name as it is.
fn without_suffix(name: &str) -> String {
    let folded = name.to_ascii_lowercase();
    let suffixes = [".exe", ".cmd", ".bat", ".com", ".ps1"];
    let bare = suffixes.iter().find_map(|suffix| folded.strip_suffix(suffix)).filter(|bare| !bare.is_empty());
    bare.map_or_else(|| name.to_owned(), str::to_owned)
}

/// `prisma` of `prisma@5`.
fn without_request(name: &str) -> &str {
    name.rsplit_once('@').map_or(name, |(bare, _)| if bare.is_empty() { name } else { bare })
}

/// The name of a program without the suffix that a distribution gives one of its builds.
fn without_build(name: &str) -> &str {
    let builds = [".basic", ".tiny", ".nox", ".gtk", ".distrib"];
    builds.iter().find_map(|build| name.strip_suffix(build)).unwrap_or(name)
}
