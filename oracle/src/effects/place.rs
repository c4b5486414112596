//! Paths by their text, and where patterns of paths are anchored.

use super::glob::{Glob, Relation, Wildcards, relate};
use super::text::{Hole, Source, Symbol, Text};

/// The directories that patterns without a directory of their own start from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// The root of the project; none if nobody knows it.
    pub project: Option<String>,
    /// The directory of the event.
    pub cwd: Option<String>,
}

/// What is above a name that can be anywhere.
fn above(name: &[Symbol]) -> Vec<Symbol> {
    Text::unknown(&format!("{}/..", Text(name.to_vec()).written())).0
}

/// Whether a part of a name can be several names.
fn is_anywhere(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Hole(Hole::Any | Hole::Names, _))
}

/// A path in the home of somebody else, which is anywhere: `~me/x`.
fn other_home(path: &Text) -> Option<Text> {
    let (first, rest) =
        path.split_once('/').map_or((path.clone(), None), |(first, rest)| (first, Some(rest)));
    let is_other = first.0.first() == Some(&Symbol::Char('~')) && first.0.len() > 1;
    let below = |rest: Text| Text::from("/").followed_by(&rest);
    is_other.then(|| Text::unknown(&first.written()).followed_by(&rest.map(below).unwrap_or_default()))
}

/// Where a path leads from a directory, with `.` and `..` resolved by text.
pub(super) fn resolve(directory: &Text, path: &Text) -> Text {
    let start = match path.0.first() {
        Some(Symbol::Char('/' | '~') | Symbol::Hole(Hole::Any, _)) => None,
        _ => Some(directory),
    };
    if let Some(home) = other_home(path) {
        return resolve(directory, &home);
    }
    let mut names: Vec<Vec<Symbol>> = Vec::new();
    let names_of_path = start.into_iter().chain([path]).flat_map(|text| text.split('/'));
    let is_absolute = start.unwrap_or(path).0.first() == Some(&Symbol::Char('/'));
    for name in names_of_path.map(|name| name.0) {
        let literal = Text(name.clone()).literal();
        match literal.as_deref() {
            Some("" | ".") => {}
            Some("..") => match names.pop() {
                // What is above a home, or above an unknown directory.
                Some(last) if last == [Symbol::Char('~')] && names.is_empty() => names.push(above(&last)),
                Some(last) if last == [Symbol::Char('.'), Symbol::Char('.')] => names.extend([last, name]),
                Some(last) if last.iter().any(is_anywhere) => names.push(above(&last)),
                Some(_) => {}
                None if is_absolute => {}
                None => names.push(name),
            },
            _ => names.push(name),
        }
        if is_absolute && leads_to_root(&names) {
            names.clear();
        }
    }
    // Without a root it is in a home, anywhere, or below the unknown directory of the event.
    let root = if is_absolute { "/" } else { "" };
    Text::from(root).followed_by(&Text(names.join(&Symbol::Char('/'))))
}

/// Whether names are those of the link to the root that each process has.
fn leads_to_root(names: &[Vec<Symbol>]) -> bool {
    let [first, process, last] = names else { return false };
    let written = |name: &Vec<Symbol>| Text(name.clone()).written();
    let is_process =
        |name: &str| matches!(name, "self" | "thread-self" | "$$") || name.parse::<u64>().is_ok();
    written(last) == "root" && written(first) == "proc" && is_process(&written(process))
}

/// Names that match a glob, anywhere below a path.
pub(super) fn below(path: &Text, name: &Text) -> Text {
    let slash = if path.0.last() == Some(&Symbol::Char('/')) || path.0.is_empty() { "" } else { "/" };
    let names = Text(vec![Symbol::Hole(Hole::Names, Source::new("**")), Symbol::Char('/')]);
    path.followed_by(&Text::from(slash)).followed_by(&names).followed_by(name)
}

/// Everything below a path, and the path itself.
pub(super) fn tree(path: &Text) -> Text {
    let slash = if path.0.last() == Some(&Symbol::Char('/')) { "" } else { "/" };
    path.followed_by(&Text::from(slash)).followed_by(&Text::unknown("**"))
}

/// A path as permits see it: a hole that can contain `..` makes all of it unknown.
pub(super) fn narrowed(path: &Text) -> Text {
    let up = [Glob::new("..", Wildcards::Names)];
    let can_leave = |name: &Text| {
        let is_below = name.0 == [Symbol::NAMES];
        name.0.contains(&Symbol::ANY) || !is_below && name.has_hole() && relate(&up, name).possible
    };
    if path.split('/').iter().any(can_leave) { Text::unknown("**") } else { path.clone() }
}

/// The globs that a pattern of paths is, from the directories that it is about.
pub(super) fn anchored(pattern: &str, anchors: &Anchors, is_guard: bool) -> Vec<String> {
    if pattern.starts_with("**") || pattern.starts_with('/') {
        return vec![normal(pattern)];
    }
    if pattern == "~" || pattern.starts_with("~/") {
        let rest = pattern.strip_prefix('~').unwrap_or_default();
        let homes: &[&str] = if is_guard { &["~", "/home/*", "/Users/*", "/root"] } else { &["~"] };
        return homes.iter().map(|home| normal(&format!("{home}{rest}"))).collect();
    }
    if !pattern.contains('/') && pattern != "." && pattern != ".." {
        return vec![format!("**/{pattern}")];
    }
    let cwd = anchors.cwd.iter().filter(|_| is_guard);
    let mut globs: Vec<String> = anchors.project.iter().chain(cwd).map(|base| join(base, pattern)).collect();
    globs.dedup();
    globs
}

/// The unknown directory of an event in patterns and paths, which starts relative ones, with those above it.
const HERE: &str = "\u{b7}4/\u{b7}3/\u{b7}2/\u{b7}1";

/// The start of each of its names.
const HERE_MARK: char = '\u{b7}';

/// A path that starts at the unknown directory of the event, with names for that.
pub(super) fn marked(path: &Text) -> Text {
    let is_here =
        !matches!(path.0.first(), Some(Symbol::Char('/' | '~' | HERE_MARK) | Symbol::Hole(Hole::Any, _)));
    if path.0.is_empty() {
        return Text::from(HERE);
    }
    if !is_here {
        return path.clone();
    }
    let is_up = |name: &Text| name.literal().as_deref() == Some("..");
    let names = path.split('/');
    let up = names.iter().take_while(|name| is_up(name)).count();
    let known: Vec<&str> = HERE.split('/').collect();
    let Some(left) = known.len().checked_sub(up).filter(|left| *left > 0) else { return path.clone() };
    let known = known.into_iter().take(left).map(|name| Text::from(name).0);
    let names = known.chain(names.into_iter().skip(up).map(|name| name.0));
    Text(names.collect::<Vec<_>>().join(&Symbol::Char('/')))
}

fn join(base: &str, pattern: &str) -> String {
    let base = if base.is_empty() { HERE } else { base };
    let escape = |c: char| if "*?[]{}\\".contains(c) { vec!['\\', c] } else { vec![c] };
    let base: String = base.chars().flat_map(escape).collect();
    normal(&format!("{base}/{pattern}"))
}

/// Without `.`, `..` and empty names.
fn normal(pattern: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in pattern.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last() == Some(&"..") => names.push(".."),
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    let root = if pattern.starts_with('/') { "/" } else { "" };
    format!("{root}{}", names.join("/"))
}

/// The part of an anchored glob before its first wildcard.
pub(super) fn place(glob: &str) -> Option<String> {
    let known = glob.split('/').take_while(|name| !has_wildcard(name)).collect::<Vec<_>>().join("/");
    if known.is_empty() {
        // The root itself, or everything in it.
        return glob.starts_with('/').then(|| "/".to_owned());
    }
    (!glob.starts_with("**")).then(|| known.replace('\\', ""))
}

/// Whether a part of a glob is a wildcard.
pub(super) fn has_wildcard(glob: &str) -> bool {
    let mut is_escaped = false;
    glob.chars().any(|c| {
        let is_wildcard = !is_escaped && matches!(c, '*' | '?' | '[');
        is_escaped = c == '\\' && !is_escaped;
        is_wildcard
    })
}

/// Whether a path is a directory or below it.
pub(super) fn is_below(path: &str, directory: &str) -> bool {
    directory == "/" && path.starts_with('/')
        || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How a text relates to anchored globs of paths.
pub(super) fn relate_paths(globs: &[String], text: &Text) -> Relation {
    let text = marked(text);
    let relation = |globs: &mut dyn Iterator<Item = String>| {
        let globs: Vec<Glob> = globs.map(|glob| Glob::new(&glob, Wildcards::Names)).collect();
        relate(&globs, &text)
    };
    let found = relation(&mut globs.iter().cloned());
    if found.possible || text.0.first() != Some(&Symbol::ANY) {
        return found;
    }
    // The unknown directory of the event can be anywhere, too.
    let mut anywhere = globs.iter().filter(|glob| glob.starts_with(HERE_MARK)).map(|glob| {
        let known = glob.split('/').take_while(|name| name.starts_with(HERE_MARK)).count();
        let rest = glob.split('/').skip(known).map(|name| format!("/{name}"));
        format!("**{}", rest.collect::<String>())
    });
    Relation { possible: relation(&mut anywhere).possible, ..found }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        let symbols = text.chars().map(|c| if c == '#' { Symbol::ANY } else { Symbol::Char(c) });
        Text(symbols.collect())
    }

    #[test]
    fn paths_are_resolved_by_text() {
        let cases = [
            ("x/./y/../z", "/p/x/z"),
            ("../../../etc", "/etc"),
            ("~/a/../b", "~/b"),
            ("~/../b", "#/b"),
            ("/x//y/", "/x/y"),
            ("#/x", "#/x"),
            ("a#/../x", "/p/#/x"),
            ("", "/p"),
        ];
        for (path, wanted) in cases {
            assert_eq!(resolve(&text("/p"), &text(path)), text(wanted), "{path}");
        }
        assert_eq!(resolve(&text("#"), &text("../x")), text("#/x"));
    }

    #[test]
    fn patterns_start_where_they_say() {
        let anchors = Anchors { project: Some("/p".to_owned()), cwd: Some("/p/s".to_owned()) };
        let guard = |pattern| anchored(pattern, &anchors, true).join(" ");
        let permit = |pattern| anchored(pattern, &anchors, false).join(" ");
        assert_eq!(guard("./x/../*.rs"), "/p/*.rs /p/s/*.rs");
        assert_eq!(permit("src/**"), "/p/src/**");
        assert_eq!(guard("~/x"), "~/x /home/*/x /Users/*/x /root/x");
        assert_eq!(
            (guard(".env"), guard("."), permit(".")),
            ("**/.env".into(), "/p /p/s".into(), "/p".into())
        );
        assert_eq!(place("/p/*.rs").as_deref(), Some("/p"));
        assert_eq!((place("**/x"), place("/**").as_deref()), (None, Some("/")));
    }
}
