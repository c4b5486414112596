//! An `allow` about a part of a text (W0654): the name of a tool, a URL or a path, whose rest can be anything.
//! A denial with such an exception.

use std::ops::BitOr;

use hookc_schema::tree::{Leaf, Op, Path, Right, ViewKind};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_syntax::expr::print;

use super::relative::is_relative;
use super::{expansion, text};
use crate::fields::{PATHS, URL, of_host};

/// The member of the view of a path that is relative to the working directory.
const RELATIVE: &str = "relative";

/// What an open test is about.
#[derive(Clone, Copy)]
enum Open {
    /// The name of a tool.
    Tool,
    /// The host of a URL.
    Host,
    /// A `.` in a pattern of a URL.
    Dot,
    /// The last name of a prefix of a path.
    Name,
    /// The last name of a directory that the event has.
    Directory,
    /// `..` after a prefix of a path.
    Up,
}

/// A test that leaves a part of its text open.
#[derive(Clone, Copy)]
pub(super) struct Part<'h> {
    leaf: &'h Leaf,
    span: Span,
    text: &'h str,
    open: Open,
}

impl Part<'_> {
    /// Whether a denial requires such a text: what it excepts is then a part of that. The working directory does not
    /// end with a separator.
    pub(super) fn is_required(&self, required: Kinds) -> bool {
        Kinds::from_leaf(self.leaf).0 & required.0 != 0
            || self.leaf.path.last_name().as_deref() == Some("cwd")
    }

    /// Whether a test that excludes `..` closes it.
    pub(super) fn is_up(&self) -> bool {
        matches!(self.open, Open::Up)
    }
}

/// Whether a path is resolved, so that it has no `..`: of the view of a path.
fn is_resolved(path: &Path) -> bool {
    path.view(ViewKind::File).is_some()
}

/// Whether a field has a path.
fn is_path(path: &Path, field: &str) -> bool {
    PATHS.contains(&field) || (is_resolved(path) && field == RELATIVE)
}

/// Kinds of texts, one bit each: names of tools, URLs, paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    /// The kind of the field of a leaf that compares it with texts other than `..`.
    pub(super) fn from_leaf(leaf: &Leaf) -> Self {
        if excludes_up(leaf) {
            return Self::default();
        }
        match leaf.path.last_name().as_deref() {
            Some("tool_name") => Self(1),
            Some(URL) => Self(2),
            Some(field) if is_path(&leaf.path, field) => Self(4),
            _ => Self::default(),
        }
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a leaf leaves open: one that is not negated in an `allow`, and one that is in a denial.
pub(super) fn find(leaf: &Leaf) -> Option<Part<'_>> {
    let field = leaf.path.last_name()?;
    let judge: fn(Op, &str) -> Option<Open> = match &*field {
        "tool_name" => tool,
        URL => host,
        field if is_path(&leaf.path, field) => match is_resolved(&leaf.path) {
            true => resolved,
            false => path,
        },
        _ => return None,
    };
    let op = leaf.op.node;
    if let Right::Path(other) = &leaf.right {
        let of_path = |path: &Path| path.last_name().is_some_and(|field| is_path(path, &field));
        let directory = op == Op::StartsWith && of_path(&leaf.path) && of_path(other);
        let part = || Part { leaf, span: other.span, text: &other.text, open: Open::Directory };
        return directory.then(part);
    }
    let part = |open, span, text| Part { leaf, span, text, open };
    leaf.texts().find_map(|(value, text)| judge(op, text).map(|open| part(open, value.span, text)))
}

/// Whether a leaf is about `..`.
pub(super) fn excludes_up(leaf: &Leaf) -> bool {
    leaf.texts().any(|(_, text)| text.contains("..") || text.contains(r"\.\."))
}

fn tool(op: Op, text: &str) -> Option<Open> {
    let open = match op {
        Op::Contains | Op::EndsWith => true,
        Op::StartsWith => !text.ends_with("__"),
        Op::Regex => {
            let (start, end) = text::anchored(text)?;
            !start || !end && !text.contains("__")
        }
        _ => false,
    };
    open.then_some(Open::Tool)
}

fn host(op: Op, pattern: &str) -> Option<Open> {
    let rest = pattern.split_once("://").map(|(_, rest)| rest);
    match op {
        Op::Contains | Op::EndsWith => Some(Open::Host),
        Op::StartsWith => (!rest.is_some_and(|rest| rest.contains('/'))).then_some(Open::Host),
        Op::Glob => {
            let host = rest?.split('/').next().unwrap_or_default();
            let bare = host.strip_prefix('*').is_some_and(|rest| !rest.starts_with('.') && !rest.is_empty());
            (bare || host.contains("**")).then_some(Open::Host)
        }
        Op::Regex => {
            let (start, _) = text::anchored(pattern)?;
            let ends = rest.is_some_and(|rest| rest.contains(['/', '$']));
            if !start || !ends {
                return Some(Open::Host);
            }
            let is_bare = |(at, _)| text::is_between_letters(pattern, at);
            pattern.match_indices('.').any(is_bare).then_some(Open::Dot)
        }
        _ => None,
    }
}

fn path(op: Op, text: &str) -> Option<Open> {
    match op {
        Op::StartsWith if !text.ends_with(['/', '\\']) => Some(Open::Name),
        Op::StartsWith => Some(Open::Up),
        Op::Glob => text.contains("**").then_some(Open::Up),
        _ => None,
    }
}

/// Like [`path`], for a path without `..`.
fn resolved(op: Op, text: &str) -> Option<Open> {
    path(op, text).filter(|open| !matches!(open, Open::Up))
}

/// A test of a path itself, or of where it leads: of a path that starts at the event, or whose view is tested already.
fn leads(path: &Path, op: Op, text: &str) -> Option<String> {
    // A variable is text there too.
    if expansion::at_start(text, true).is_some() {
        return None;
    }
    let start = match is_resolved(path) {
        true => path.text.to_string(),
        false => {
            let source = &Some(path).filter(|path| path.is_in("tool_input"))?.text;
            let member = if is_relative(op, text) { RELATIVE } else { "path" };
            format!("file({source}).{member}")
        }
    };
    Some(format!("{start} {} {}", op.name(), print::literal(text)))
}

/// The test whether a path leads below the working directory, if it is compared with that.
fn is_inside(leaf: &Leaf) -> Option<String> {
    let Right::Path(other) = &leaf.right else { return None };
    let source = match leaf.path.view(ViewKind::File) {
        Some(view) => &view.source,
        None => Some(&leaf.path).filter(|path| path.is_in("tool_input"))?,
    };
    (other.last_name().as_deref() == Some("cwd")).then(|| format!("file({}).inside == true", source.text))
}

/// Reports an open test of an `allow`, or of a denial.
pub(super) fn report(part: Part<'_>, allows: bool) -> Diagnostic {
    let verb = if allows { "allows" } else { "does not deny" };
    let (note, help) = explain(part, allows);
    let new = Diagnostic::new(Code::W0654, part.span, format!("this {verb} {}", others(part.open)));
    new.with_label("about a part of the text").note(note).help(help)
}

/// What such a test leaves open.
fn others(open: Open) -> &'static str {
    match open {
        Open::Tool => "every tool whose name contains the text",
        Open::Host | Open::Dot => "URLs of other hosts",
        Open::Name => "other paths than the one that is meant",
        Open::Directory => "other paths than those in the directory",
        Open::Up => "paths elsewhere",
    }
}

/// Why, and what to write.
fn explain(part: Part<'_>, allows: bool) -> (String, String) {
    let Part { leaf, text, open, .. } = part;
    let path = &leaf.path.text;
    let quoted = print::literal;
    let up = || format!("{path} =~ {}", quoted(r"(^|[/\\])\.\.([/\\]|$)"));
    let rest = if allows { "exclude `..`" } else { "deny `..`" };
    match open {
        Open::Tool => (
            "tools of MCP servers have any name".to_owned(),
            format!(
                "write the whole names: `{path} in ['Read', 'Glob']`, or `{path} starts_with 'mcp__SERVER__'`"
            ),
        ),
        Open::Host => (
            "another host can have the text in its name, or a URL in its path".to_owned(),
            format!("write `{}`", of_host(path, &text.replace('\\', ""))),
        ),
        Open::Dot => (
            "`.` is any character in a pattern".to_owned(),
            format!("write `{}`", of_host(path, text.trim_start_matches('^'))),
        ),
        Open::Name => (
            format!("{} starts with it too", quoted(&format!("{text}-other/x"))),
            match leads(&leaf.path, Op::StartsWith, &format!("{text}/")) {
                Some(test) => format!("write `{test}`"),
                None => format!("write `{path} starts_with {}`, and {rest}", quoted(&format!("{text}/"))),
            },
        ),
        Open::Directory => (
            format!("if `{text}` is `/srv/app`, {} starts with it too", quoted("/srv/app-other/x")),
            match (is_inside(leaf), leads(&leaf.path, Op::StartsWith, "/srv/app/")) {
                (Some(test), _) => format!("write `{test}`"),
                (None, Some(test)) => format!("write the directory with a slash at its end, as in `{test}`"),
                (None, None) => format!(
                    "write the directory with a slash at its end, as in `{path} starts_with {}`, and {rest}",
                    quoted("/srv/app/")
                ),
            },
        ),
        Open::Up => {
            let resolved = leads(&leaf.path, leaf.op.node, text).filter(|_| leaf.texts().count() == 1);
            let help = match (resolved, allows) {
                (Some(test), _) => format!("test where the path leads: `{test}`"),
                (None, true) => format!("exclude `..`, with `and`: `not {}`", up()),
                (None, false) => format!("deny `..` too, with `or`: `{}`", up()),
            };
            (format!("{} matches it too", quoted("DIRECTORY/../../etc/passwd")), help)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Open, host, path, tool};
    use hookc_schema::tree::Op;

    #[test]
    fn parts_of_texts() {
        for (op, text) in [
            (Op::Contains, "Read"),
            (Op::StartsWith, "Read"),
            (Op::Regex, "Read|Glob"),
            (Op::Regex, "^Read"),
            (Op::Regex, "^Read|Glob$"),
        ] {
            assert!(tool(op, text).is_some(), "{text}");
        }
        for (op, text) in [
            (Op::Eq, "Read"),
            (Op::StartsWith, "mcp__github__"),
            (Op::Regex, "^(Read|Glob)$"),
            (Op::Regex, "^mcp__github__"),
            (Op::Glob, "mcp__github__*"),
        ] {
            assert!(tool(op, text).is_none(), "{text}");
        }
        for (op, text) in [
            (Op::Contains, "github.com"),
            (Op::StartsWith, "https://github.com"),
            (Op::Glob, "https://*github.com/**"),
            (Op::Glob, "https://**.github.com/**"),
            (Op::Regex, "github\\.com"),
            (Op::Regex, "^https://github\\.com"),
        ] {
            assert!(matches!(host(op, text), Some(Open::Host)), "{text}");
        }
        assert!(matches!(host(Op::Regex, "^https://docs.example.com/"), Some(Open::Dot)));
        for (op, text) in [
            (Op::StartsWith, "https://github.com/"),
            (Op::Glob, "https://*.github.com/**"),
            (Op::Regex, "^https://github\\.com/"),
            (Op::Regex, r"^https?://([^/?#\\]*[.@])?example\.com(:[0-9]+)?([/?#]|$)"),
        ] {
            assert!(host(op, text).is_none(), "{text}");
        }
        assert!(matches!(path(Op::StartsWith, "/a"), Some(Open::Name)));
        assert!(matches!(path(Op::StartsWith, "/a/"), Some(Open::Up)));
        assert!(path(Op::EndsWith, ".md").is_none());
    }
}
