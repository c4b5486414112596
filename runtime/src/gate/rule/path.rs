//! Rules about files: patterns as in `.gitignore`, relative to one of four directories.

use std::path::{Component, Path, PathBuf};

use hookc_base::text::Case;
use hookc_vm::text::glob;

use super::{BaseDirs, RuleMatch};

/// Longer paths are not compared.
const LONGEST: usize = 1 << 16;

/// Whether a file matches a pattern: under one of its names, which is enough for a rule that denies.
pub(super) fn judge(pattern: &str, path: Option<&str>, places: &BaseDirs) -> RuleMatch {
    match names(pattern, path, places) {
        Ok(names) => RuleMatch::from_bool(names.contains(&true)),
        Err(why) => RuleMatch::unknown(why),
    }
}

/// Whether a file matches a pattern under all of its names, as a rule that allows requires it: a
/// link in an allowed directory allows nothing elsewhere.
pub(super) fn covers(pattern: &str, path: Option<&str>, places: &BaseDirs) -> bool {
    names(pattern, path, places).is_ok_and(|names| !names.contains(&false))
}

/// For each name that a path can have, whether the pattern matches it; or why this is unknown.
fn names(pattern: &str, path: Option<&str>, places: &BaseDirs) -> Result<Vec<bool>, &'static str> {
    let path = path.ok_or("the tool's input names no file")?;
    if pattern.starts_with('!') {
        return Err("it negates a pattern");
    }
    if path.len() > LONGEST {
        return Err("the path is too long");
    }
    let (base, rest, anchored) = anchored(pattern, places).ok_or("no home directory")?;
    let globs = globs(rest, anchored);
    if globs.iter().any(|glob| glob::check(glob).is_err()) {
        return Err("its pattern cannot be read");
    }
    let base = lexical(&base);
    let real_base = real(&base);
    let under = |base: &Path, file: &Path| {
        let rest = file.strip_prefix(base).ok().map(|rest| rest.to_string_lossy().into_owned());
        rest.is_some_and(|rest| globs.iter().any(|glob| glob::matches(glob, &rest, Case::Respected)))
    };
    // Some tools read `~/` as the home directory, others as a directory of that name.
    let home = path.strip_prefix("~/").map(|rest| places.home.clone().unwrap_or_default().join(rest));
    let files = [places.cwd.join(path)].into_iter().chain(home);
    let spellings = files.flat_map(|file| {
        let plain = lexical(&file);
        // Links are followed too: a link to a file is that file, and `link/..` is the directory
        // that contains the link's target.
        [under(&base, &plain), under(&real_base, &real(&plain)), under(&real_base, &real(&file))]
    });
    Ok(spellings.collect())
}

/// The base of a pattern, the rest of it, and whether it matches only there or anywhere below.
fn anchored<'p>(pattern: &'p str, places: &BaseDirs) -> Option<(PathBuf, &'p str, bool)> {
    if let Some(rest) = pattern.strip_prefix("//") {
        return Some((PathBuf::from("/"), rest, true));
    }
    if let Some(rest) = pattern.strip_prefix("~/") {
        return Some((places.home.clone()?, rest, true));
    }
    if let Some(rest) = pattern.strip_prefix('/') {
        return Some((places.project.clone(), rest, true));
    }
    let (mut base, mut rest) = (places.cwd.clone(), pattern);
    loop {
        if let Some(more) = rest.strip_prefix("./") {
            rest = more;
        } else if let Some(more) = rest.strip_prefix("../") {
            base.push("..");
            rest = more;
        } else {
            break;
        }
    }
    let inner = rest.strip_suffix('/').unwrap_or(rest);
    let anchored = rest.len() != pattern.len() || inner.contains('/');
    Some((base, rest, anchored))
}

/// The pattern as globs: of the file itself, and of all below it.
fn globs(rest: &str, anchored: bool) -> Vec<String> {
    let rest = rest.trim_end_matches('/');
    if rest.is_empty() {
        return vec!["**".to_owned()];
    }
    // There are no alternatives, and a class is negated by either sign.
    let text = rest.replace('{', "\\{").replace('}', "\\}").replace("[^", "[!");
    let text = if anchored { text } else { format!("**/{text}") };
    let below = format!("{text}/**");
    vec![text, below]
}

/// Without `.` and `..`, by the text only.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Without symbolic links, as far as it exists.
pub(super) fn real(path: &Path) -> PathBuf {
    // A `..` after what does not exist can lead to a link.
    followed(&lexical(&followed(path)))
}

fn followed(path: &Path) -> PathBuf {
    for there in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_from_their_directories() {
        let places = BaseDirs {
            cwd: PathBuf::from("/no/p/sub"),
            project: PathBuf::from("/no/p"),
            home: Some(PathBuf::from("/no/home")),
        };
        let table = [
            ("src/**", "/no/p/sub/src/a/b.rs", true),
            ("src/**", "src/a.rs", true),
            ("src/**", "/no/p/src/a.rs", false),
            ("src/**", "/no/p/sub/x/../src/a.rs", true),
            ("src/**", "/no/p/sub/src/../x.rs", false),
            ("src", "/no/p/sub/a/src/b.rs", true),
            ("src/", "/no/p/sub/a/src/b.rs", true),
            ("./src", "/no/p/sub/a/src/b.rs", false),
            ("./src", "/no/p/sub/src/b.rs", true),
            ("../x/*", "/no/p/x/a", true),
            (".env", "/no/p/sub/a/.env", true),
            (".env", "/no/p/.env", false),
            ("**/.env", "/no/p/sub/.env", true),
            ("*.ts", "/no/p/sub/a/b.ts", true),
            ("a/*.ts", "/no/p/sub/a/b/c.ts", false),
            ("/src/*.rs", "/no/p/src/a.rs", true),
            ("/src/*.rs", "/no/p/sub/src/a.rs", false),
            ("//etc/**", "/etc/passwd", true),
            ("/etc/**", "/etc/passwd", false),
            ("~/.ssh/**", "/no/home/.ssh/id", true),
            ("~/.ssh/**", "~/.ssh/id", true),
            ("~/.ssh", "/no/home/.ssh/a/b", true),
            ("~/.ssh/**", "/no/other/.ssh/id", false),
            ("[^a]x", "/no/p/sub/bx", true),
            ("{a,b}", "/no/p/sub/a", false),
            ("{a,b}", "/no/p/sub/{a,b}", true),
        ];
        for (pattern, path, holds) in table {
            let expected = if holds { RuleMatch::Matches } else { RuleMatch::Fails };
            assert_eq!(judge(pattern, Some(path), &places), expected, "{pattern} {path}");
        }
        for (pattern, path) in [("!x", Some("x")), ("x", None), ("[a", Some("x"))] {
            assert!(matches!(judge(pattern, path, &places), RuleMatch::Unknown(_)), "{pattern}");
        }
        let homeless = BaseDirs { home: None, ..places };
        assert!(matches!(judge("~/x", Some("x"), &homeless), RuleMatch::Unknown(_)));
    }

    #[test]
    fn a_link_to_a_file_is_that_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("secret")).unwrap();
        std::os::unix::fs::symlink("secret", folder.path().join("open")).unwrap();
        let cwd = folder.path().to_owned();
        let places = BaseDirs { project: cwd.clone(), home: None, cwd };
        assert_eq!(judge("secret/**", Some("open/new.txt"), &places), RuleMatch::Matches);
        assert_eq!(judge("open/**", Some("open/new.txt"), &places), RuleMatch::Matches);
    }

    #[test]
    fn parents_of_links_and_of_tildes() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("secret/in")).unwrap();
        std::fs::create_dir_all(folder.path().join("open")).unwrap();
        std::os::unix::fs::symlink("../secret/in", folder.path().join("open/link")).unwrap();
        let cwd = folder.path().to_owned();
        let places = BaseDirs { project: cwd.clone(), home: Some("/no/home".into()), cwd };
        for path in ["open/link/../f", "secret/f", "none/../secret/f", "none/../open/link/f", "~/../secret/f"]
        {
            assert_eq!(judge("secret/**", Some(path), &places), RuleMatch::Matches, "{path}");
        }
        for (path, expected) in [
            ("open/f", true),
            ("open/none/../f", true),
            ("open/link/f", false),
            ("open/link/../f", false),
            ("open/../secret/f", false),
        ] {
            assert_eq!(covers("open/**", Some(path), &places), expected, "{path}");
        }
        assert!(!covers("~/**", Some("~/x"), &places) && covers("~/**", Some("/no/home/x"), &places));
    }
}
