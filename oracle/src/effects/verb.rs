//! Subcommands: which words of a command name one.

use super::rows::Row;

/// The subcommand of a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Verb<'r> {
    /// Which operands name it.
    pub(super) at: Vec<usize>,
    /// Its name with its groups; none if a hole is there.
    pub(super) path: Option<Vec<String>>,
    /// All its names, with their groups.
    pub(super) names: Vec<Vec<String>>,
    /// Its row, if there is one.
    pub(super) row: Option<&'r Row>,
    /// The rows of its groups, the nearest first.
    pub(super) parents: Vec<&'r Row>,
}

/// The rows from a program down to the subcommand of a name, without the program's own; empty if it has none.
fn rows<'r>(row: &'r Row, path: &[String]) -> Vec<&'r Row> {
    for sub in &row.subs {
        for name in sub.names.iter().chain(&sub.also) {
            let Some(rest) = path.strip_prefix(name.as_slice()) else { continue };
            let inner = if rest.is_empty() { Vec::new() } else { rows(sub, rest) };
            if rest.is_empty() || !inner.is_empty() {
                return std::iter::once(sub).chain(inner).collect();
            }
        }
    }
    Vec::new()
}

/// Whether the name of a subcommand starts with a path and has more words.
fn continues(row: &Row, path: &[String]) -> bool {
    row.subs.iter().any(|sub| {
        sub.names.iter().chain(&sub.also).any(|name| match path.strip_prefix(name.as_slice()) {
            Some([]) => !sub.subs.is_empty(),
            Some(rest) => continues(sub, rest),
            None => name.len() > path.len() && name.starts_with(path),
        })
    })
}

/// The subcommand among the operands of a program; only a word without holes can be one.
pub(super) fn find<'r>(row: &'r Row, operands: &[Option<String>]) -> Option<Verb<'r>> {
    let verbs = row.list("verbs");
    if row.subs.is_empty() && row.text("groups").is_none() && verbs.is_empty() {
        return None;
    }
    let is_verb = |word: &Option<String>| word.as_ref().is_some_and(|word| verbs.contains(word));
    if let Some(at) = operands.iter().position(is_verb) {
        let path: Vec<String> = operands.get(at).cloned().flatten().into_iter().collect();
        return Some(named(row, vec![at], path));
    }
    let groups = row.list("groups");
    let is_group = |path: &[String]| match path {
        [word] if groups == ["*"] => !word.is_empty(),
        [word] => groups.iter().any(|group| group.trim_end_matches('+') == word),
        _ => false,
    };
    let (mut at, mut path, mut next) = (Vec::new(), Vec::<String>::new(), 0);
    while let Some(word) = operands.get(next) {
        at.push(next);
        let Some(word) = word else {
            if path.is_empty() || is_group(&path) {
                // A hole in the place of the subcommand.
                return Some(Verb { at, ..Verb::default() });
            }
            at.pop();
            break;
        };
        path.push(word.clone());
        next += 1;
        if groups.iter().any(|group| path.len() == 1 && group.strip_suffix('+') == Some(word)) {
            next += 1;
        } else if !is_group(&path) && !continues(row, &path) {
            break;
        }
    }
    if path.is_empty() {
        return None;
    }
    // A word after a subcommand that could have continued it, but does not.
    while path.len() > 1
        && !path.get(..path.len() - 1).is_some_and(is_group)
        && rows(row, &path).is_empty()
        && !rows(row, path.get(..path.len() - 1).unwrap_or_default()).is_empty()
    {
        path.pop();
        at.pop();
    }
    Some(named(row, at, path))
}

fn named<'r>(row: &'r Row, at: Vec<usize>, mut path: Vec<String>) -> Verb<'r> {
    let same = row.list("same_group");
    let without_group = |path: &[String]| match path {
        [group, rest @ ..] if !rest.is_empty() && same.contains(group) => rest.to_vec(),
        path => path.to_vec(),
    };
    if rows(row, &path).is_empty() {
        path = without_group(&path);
    }
    let mut chain = rows(row, &path);
    if let ([_, rest @ ..], true) = (path.as_slice(), chain.is_empty() && row.text("groups") == Some("*")) {
        // A subcommand of any group.
        chain = rows(row, rest);
    }
    // All names of a subcommand, if its rows are about it alone.
    let is_one = !chain.is_empty() && chain.iter().all(|row| row.names.len() == 1);
    let mut names = vec![Vec::new()];
    for row in chain.iter().filter(|_| is_one) {
        let alternatives = row.names.iter().chain(&row.also);
        let join =
            |name: &Vec<String>| names.iter().map(|start| [start.clone(), name.clone()].concat()).collect();
        names = alternatives.flat_map::<Vec<Vec<String>>, _>(join).collect();
    }
    let names = if is_one {
        names.iter().map(|name| without_group(name)).collect()
    } else {
        vec![without_group(&path)]
    };
    let mut parents = chain.clone();
    let row = parents.pop();
    parents.reverse();
    Verb { at, path: Some(without_group(&path)), names, row, parents }
}
