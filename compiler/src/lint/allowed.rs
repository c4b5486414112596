//! What an `allow` about each command of a line leaves open: a line that cannot be read has no
//! commands, and every condition is true for each of no commands (W0643); a command can do more
//! than its name says (W0652).

use std::ops::BitOr;

use hookc_schema::tree::{Leaf, Op, Part, Path, PathKind, Query, Segment, Selector, Step, View, ViewKind};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

/// Members of the view that a condition reads, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Members(u8);

/// The first is of the line, the others of its commands or of both: the member, what it is about,
/// and a condition that excludes it.
const OPEN: [(&str, &str, &str); 4] = [
    ("opaque", "`git -c core.pager=$X log` runs code that is not on the line", "not exists(VIEW.opaque[0])"),
    (
        "redirects",
        "`git log > ~/.bashrc` writes a file",
        "not exists(VIEW.commands[*].redirects[?@.write == true])",
    ),
    ("env", "`LD_PRELOAD=./x git log` runs other code", "not exists(VIEW.commands[*].env.*)"),
    ("path", "`./git log` is another program", "not exists(VIEW.commands[?@.path != null])"),
];

/// The same, if the condition permits subcommands of git.
const OF_GIT: (&str, &str, &str) = (
    "flags",
    "`git -C /tmp/x status` runs programs that the configuration there names",
    "not exists(VIEW.commands[*].flags['C', 'c', 'config-env', 'exec-path', 'git-dir', 'work-tree'])",
);

const OK: Members = Members(1 << OPEN.len());
/// The flags or all words of a command.
const FLAGS: Members = Members(1 << (OPEN.len() + 1));
const SUB: Members = Members(1 << (OPEN.len() + 2));
/// The name of a command, which is git.
pub(super) const GIT: Members = Members(1 << (OPEN.len() + 3));

impl Members {
    /// Those that a path names, also in its filters.
    pub(super) fn of(path: &Path) -> Self {
        match &path.kind {
            PathKind::Short(steps) => steps.iter().map(Self::of_step).fold(Self::default(), Self::bitor),
            PathKind::Query(query) => Self::of_query(query),
            PathKind::View(view) if view.kind == ViewKind::Shell => Self::of_query(&view.rest),
            PathKind::View(_) => Self::default(),
        }
    }

    fn of_step(step: &Step) -> Self {
        match step {
            Step::Name(name) => Self::named(name),
            Step::Index(_) | Step::View(_) => Self::default(),
        }
    }

    fn of_query(query: &Query) -> Self {
        let mut found = Self::of_selectors(query);
        query.parts(&mut |part| {
            if let Part::Query(_, query) = part {
                found = found | Self::of_selectors(query);
            }
        });
        found
    }

    fn of_selectors(query: &Query) -> Self {
        let selectors = query.segments.iter().flat_map(|segment| {
            let (Segment::Child(selectors) | Segment::Descendant(selectors)) = segment;
            selectors
        });
        let names = selectors.filter_map(|selector| match selector {
            Selector::Name(name) => Some(Self::named(name)),
            _ => None,
        });
        names.fold(Self::default(), Self::bitor)
    }

    fn named(name: &str) -> Self {
        match OPEN.iter().position(|(member, ..)| *member == name) {
            Some(at) => Self(1 << at),
            None => match name {
                "ok" => OK,
                "flags" | "args" => FLAGS,
                "sub" => SUB,
                _ => Self::default(),
            },
        }
    }

    fn permits_git(self) -> bool {
        let has = |other: Self| self.0 & other.0 != 0;
        has(GIT) && has(SUB) && !has(FLAGS)
    }

    fn has(self, at: usize) -> bool {
        self.0 & (1 << at) != 0
    }
}

impl BitOr for Members {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Reports what a condition about each command leaves open.
pub(super) fn check(path: &Path, view: &View, read: Members) -> Option<Diagnostic> {
    let open = || {
        let members = OPEN.iter().enumerate().filter(|(at, _)| !read.has(*at)).map(|(_, open)| open);
        members.chain(Some(&OF_GIT).filter(|_| read.permits_git()))
    };
    let source = print::path(&view.source);
    if read.0 & OK.0 == 0 {
        let new = Diagnostic::new(Code::W0643, path.span, "this allows a command line that cannot be read");
        let new = new.with_label("such a line has no commands");
        let new = new.note("a condition about each of no commands is true");
        return Some(
            new.help(format!("require that it can be read, with `and`: `shell({source}).ok == true`")),
        );
    }
    let names: Vec<String> = open().map(|(name, ..)| format!("`{name}`")).collect();
    let (last, first) = names.split_last()?;
    let names = if first.is_empty() { last.clone() } else { format!("{} and {last}", first.join(", ")) };
    let is = if first.is_empty() { "is" } else { "are" };
    let new =
        Diagnostic::new(Code::W0652, path.span, format!("this allows a command whatever its {names} {is}"));
    let new = new.with_label("each command of the line");
    let new = open().fold(new, |new, (_, what, _)| new.note(*what));
    Some(new.help(format!("exclude it, with `and`: `{}`", excluded(&source, open()))))
}

fn excluded<'o>(source: &str, open: impl Iterator<Item = &'o (&'o str, &'o str, &'o str)>) -> String {
    let view = format!("shell({source})");
    open.map(|(.., condition)| condition.replace("VIEW", &view)).collect::<Vec<_>>().join(" and ")
}

/// What to write instead of a condition about a part of a line: `each` for each of its commands,
/// which it calls `name`.
pub(super) fn instead(source: &Path, name: &str, each: &str) -> String {
    let source = print::path(source);
    let rest = excluded(&source, OPEN.iter());
    format!(
        "require it of each command, and exclude what else a command can do: `shell({source}).ok == true and every({name} in shell({source}).commands: {each}) and {rest}`"
    )
}

/// A condition about the command that a text of a leaf names, as far as that can be told.
pub(super) fn command(leaf: &Leaf) -> String {
    let text = leaf.texts().next().map_or("", |(_, text)| text);
    let text = if leaf.op.node == Op::Regex { text.trim_start_matches(['^', '(']) } else { text };
    let (name, rest) = word(text.trim_start_matches("\\b"));
    let (sub, after) = word(rest.trim_start_matches([' ', '+', '*', '\\']));
    match (name, sub) {
        ("", _) => "c.name == 'PROGRAM'".to_owned(),
        (name, "") if !after.is_empty() => format!("c.name == '{name}' and c.sub in ['SUBCOMMAND']"),
        (name, sub) if sub.is_empty() || sub.starts_with('-') => format!("c.name == '{name}'"),
        (name, sub) => format!("c.name == '{name}' and c.sub == '{sub}'"),
    }
}

/// The word at the start of a text, and what follows it.
fn word(text: &str) -> (&str, &str) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.split_at(text.find(|c| !is_word(c)).unwrap_or(text.len()))
}
