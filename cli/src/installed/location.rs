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
        Some(("HOME", rest)) => (home()?, rest),
        Some(("PWD", rest)) => (folder?.to_owned(), rest),
        Some((name, rest)) if is_root(name) => (root?.to_owned(), rest),
        Some((name, rest)) => (set(name)?, rest),
        None => match word.strip_prefix("~/") {
            Some(rest) => (home()?, rest),
            None if Path::new(word).is_absolute() => (PathBuf::from("/"), word),
            None => (folder?.to_owned(), word),
        },
    };
    if rest.contains(['$', '*', '?', '{', '~', '`']) {
        return None;
    }
    Some(folder.join(rest.strip_prefix('/').unwrap_or(rest)))
}

/// Whether a word refers to a different file in each project.
pub(crate) fn by_project(word: &str) -> bool {
    match variable(word) {
        Some((name, _)) => name == "PWD" || is_root(name),
        None => !word.starts_with('~') && !Path::new(word).is_absolute(),
    }
}

/// The variable at the start of a word, and the rest.
pub(crate) fn variable(word: &str) -> Option<(&str, &str)> {
    let rest = word.strip_prefix('$')?;
    if let Some(braced) = rest.strip_prefix('{') {
        let (name, rest) = braced.split_once('}')?;
        return Some((name.split(':').next()?, rest));
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.split_at_checked(end)
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
