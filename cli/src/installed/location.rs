//! Resolves the paths of handlers.

use std::path::{Component, Path, PathBuf};

use super::target;

/// Whether a variable contains the project directory in handlers of an agent.
pub(crate) fn is_root(variable: &str) -> bool {
    target::all().any(|agent| agent.settings.root.as_deref() == Some(variable))
}

/// The path of a word in a project, for a handler that runs in a directory; `set` contains the
/// values of other variables. `None` if unknown here.
pub(crate) fn resolve(
    word: &str,
    root: Option<&Path>,
    folder: Option<&Path>,
    set: &dyn Fn(&str) -> Option<PathBuf>,
) -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let (folder, rest) = match variable(word) {
        Some(Variable { name: "HOME", rest, .. }) => (home()?, rest),
        Some(Variable { name: "PWD", rest, .. }) => (folder?.to_owned(), rest),
        Some(Variable { name, rest, .. }) if is_root(name) => (root?.to_owned(), rest),
        Some(Variable { name, rest, .. }) => (set(name)?, rest),
        None => match word.strip_prefix("~/") {
            Some(rest) => (home()?, rest),
            None if Path::new(word).is_absolute() => (PathBuf::from("/"), word),
            None => (folder?.to_owned(), word),
        },
    };
    // `{a,b}` and `{1..3}` are several words, and `{{X}}` is text.
    let is_several = rest.split_once('{').is_some_and(|(_, list)| list.contains(',') || list.contains(".."));
    if is_several || rest.contains(['$', '*', '?', '~', '`']) {
        return None;
    }
    Some(folder.join(rest.strip_prefix('/').unwrap_or(rest)))
}

/// Whether a word refers to a different file in each project.
pub(crate) fn by_project(word: &str) -> bool {
    match variable(word) {
        Some(Variable { name, .. }) => name == "PWD" || is_root(name),
        None => !word.starts_with('~') && !Path::new(word).is_absolute(),
    }
}

/// A variable at the start of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable<'w> {
    /// The text in the braces if its value is changed there, which is not a name: `X%/*`, `X:+y`.
    pub(crate) name: &'w str,
    /// Whether it has a value if it is not set: `${X:-/d}`, `${X=/d}`.
    pub(crate) has_default: bool,
    /// The rest of the word.
    pub(crate) rest: &'w str,
}

/// The variable at the start of a word.
pub(crate) fn variable(word: &str) -> Option<Variable<'_>> {
    let text = word.strip_prefix('$')?;
    let end = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let Some(braced) = text.strip_prefix('{') else {
        let (name, rest) = text.split_at_checked(end(text))?;
        return Some(Variable { name, has_default: false, rest });
    };
    let (inside, rest) = braced.split_at_checked(closing(braced)?)?;
    let (name, operator) = inside.split_at_checked(end(inside))?;
    let operator = operator.strip_prefix(':').unwrap_or(operator);
    let has_default = operator.starts_with(['-', '=']);
    let is_plain = inside == name || has_default || operator.starts_with('?');
    let name = if is_plain { name } else { inside };
    Some(Variable { name, has_default, rest: rest.strip_prefix('}')? })
}

/// The position of the `}` that ends the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth = depth.saturating_add(1),
            '}' if depth == 0 => return Some(at),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Whether a text can be the name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A path without symbolic links and `..`, as far as it exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for above in whole.ancestors() {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), whole.strip_prefix(above)) {
            // Joining an empty path would append a `/`.
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    whole
}

/// Whether a policy, or a directory of policies, is or contains a file.
pub(crate) fn contains(policy: &Path, file: &Path) -> bool {
    real(file).starts_with(real(policy))
}

/// A file under its own name, in a directory without symbolic links and `..`.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let name = path.components().next_back().filter(|last| matches!(last, Component::Normal(_)));
    let folder =
        path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    match (name, folder) {
        (Some(name), Some(folder)) => real(folder).join(name),
        _ => real(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_a_file_in_each_project() {
        for (word, expected) in [("a", true), ("$CLAUDE_PROJECT_DIR/a", true), ("/a", false), ("~/a", false)]
        {
            assert_eq!(by_project(word), expected, "{word}");
        }
    }

    #[test]
    fn variables_at_the_start_of_words() {
        for (word, name, has_default, rest) in [
            ("$X/a-b", "X", false, "/a-b"),
            ("${X}/a", "X", false, "/a"),
            ("${X:-/d}/a", "X", true, "/a"),
            ("${X-/d}/a", "X", true, "/a"),
            ("${X:=/d}/a", "X", true, "/a"),
            ("${X:-${Y}}/a", "X", true, "/a"),
            ("${X:?no}/a", "X", false, "/a"),
            ("${X%-*}/a", "X%-*", false, "/a"),
            ("${X:+-}/a", "X:+-", false, "/a"),
        ] {
            assert_eq!(variable(word), Some(Variable { name, has_default, rest }), "{word}");
        }
        assert_eq!((variable("a$X"), variable("${X")), (None, None));
    }

    #[test]
    fn links_and_detours() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("a")).unwrap();
        assert_eq!(real(&root.join("a/../b/c")), root.join("a/../b/c").parent().map(real).unwrap().join("c"));
        assert_eq!(real(&root.join("a/../a")), root.join("a"));
        assert_eq!(real(&root.join("a")).as_os_str(), root.join("a").as_os_str());
        assert_eq!(normalized(&root.join("a/../x.yaml")), root.join("x.yaml"));
        assert_eq!(normalized(&root.join("a/..")), root);
        assert!(
            contains(&root.join("a/.."), &root.join("b/c")) && !contains(&root.join("a"), &root.join("ab"))
        );
    }
}
