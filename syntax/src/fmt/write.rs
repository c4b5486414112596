//! Nodes as lines: two spaces per level, items indented by two from their key, two spaces before a
//! comment on the same line, one empty line where there were some.

use super::WIDTH;
use super::flow;
use super::node::{Collection, Comment, Document, Entry, Node, Shape};
use super::order::{Role, ordered};
use super::scalar::{self, Lines};

/// The text of a document.
pub(super) fn write(document: &Document<'_>) -> String {
    let mut out = Writer::default();
    for line in &document.prefix {
        out.line(0, line);
    }
    out.comments(&document.head, 0);
    if let Some(root) = &document.root {
        if !document.head.is_empty() && !matches!(root.shape, Shape::Empty) {
            out.blank();
        }
        out.root(root);
    }
    if let (Some(first), true) = (document.tail.first(), !out.text.is_empty())
        && first.gap
    {
        out.blank();
    }
    out.comments(&document.tail, 0);
    out.text
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The current line has a dash that waits for the first line of its content.
    inline: bool,
}

impl Writer {
    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn margin(&mut self, level: usize) {
        if !std::mem::take(&mut self.inline) {
            self.text.extend(std::iter::repeat_n("  ", level));
        }
    }

    fn line(&mut self, level: usize, text: &str) {
        if !text.is_empty() {
            self.margin(level);
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Comments on their own lines; the caller writes the gap before the first.
    fn comments(&mut self, comments: &[Comment<'_>], level: usize) {
        for (at, comment) in comments.iter().enumerate() {
            if at > 0 && comment.gap {
                self.blank();
            }
            self.line(level, comment.text);
        }
    }

    fn end_line(&mut self, trailing: Option<&str>) {
        if let Some(comment) = trailing {
            self.text.push_str("  ");
            self.text.push_str(comment);
        }
        self.text.push('\n');
    }

    /// Characters that are left of the line.
    fn room(&self) -> usize {
        let line = self.text.rsplit('\n').next().unwrap_or("");
        WIDTH.saturating_sub(line.chars().count())
    }

    fn root(&mut self, root: &Node<'_>) {
        match (root.full(), &root.props) {
            (Some(collection), None) => self.entries(collection, 0, Role::File),
            (Some(collection), Some(props)) => {
                self.line(0, props);
                self.entries(collection, 0, Role::File);
            }
            (None, _) if matches!(root.shape, Shape::Empty) => {}
            (None, _) => {
                let mut line = Self::default();
                line.value(root, None, 0, Role::Data);
                // A value starts with a space, which has nothing before it here.
                self.text.push_str(line.text.trim_start_matches(' '));
            }
        }
    }

    fn entries(&mut self, collection: &Collection<'_>, level: usize, role: Role) {
        let mut first = true;
        let mut last: Option<&Entry<'_>> = None;
        for entry in ordered(collection, role) {
            let parted = role == Role::File && last.is_some_and(|last| large(last) || large(entry));
            self.entry(entry, level, role, Start { first, parted });
            first = false;
            last = Some(entry);
        }
        if let Some(comment) = collection.tail.first() {
            if comment.gap && !first {
                self.blank();
            }
            self.comments(&collection.tail, level);
        }
    }

    fn entry(&mut self, entry: &Entry<'_>, level: usize, role: Role, start: Start) {
        if !self.inline {
            let head = head(entry, role);
            if !start.first && (head.gap || start.parted) {
                self.blank();
            }
            self.comments(&head.comments, level);
            if head.gap_after {
                self.blank();
            }
        }
        self.margin(level);
        let within = role.within(entry);
        match &entry.key {
            Some(key) => {
                self.key(key);
                self.value(&entry.value, entry.trailing, level, within);
            }
            None => self.item(entry, level, within),
        }
    }

    fn key(&mut self, key: &Node<'_>) {
        if let Some(props) = &key.props {
            self.text.push_str(props);
            self.text.push(' ');
        }
        match &key.shape {
            Shape::Scalar(scalar) => self.text.push_str(&scalar::key(scalar)),
            Shape::Alias(name) => {
                self.text.push_str(name);
                self.text.push(' ');
            }
            Shape::Empty | Shape::Collection(_) => {}
        }
        self.text.push(':');
    }

    fn item(&mut self, entry: &Entry<'_>, level: usize, role: Role) {
        self.text.push('-');
        match compact(entry, role, self.room().saturating_sub(1)) {
            Some(inner) => {
                self.text.push(' ');
                self.inline = true;
                self.entries(inner, level + 1, role);
            }
            None => self.value(&entry.value, entry.trailing, level, role),
        }
    }

    /// The text after a colon or a dash, up to the end of its last line.
    fn value(&mut self, node: &Node<'_>, trailing: Option<&str>, level: usize, role: Role) {
        let block_lines = match &node.shape {
            Shape::Scalar(scalar) => scalar::lines(scalar, role, self.room().saturating_sub(1)),
            _ => None,
        };
        let props = node.props.iter().map(String::as_str);
        if let Some(lines) = block_lines {
            self.words(props.chain([lines.header.as_str()]));
            return self.lines(&lines, trailing, level + 1);
        }
        match (&node.shape, node.full()) {
            (Shape::Scalar(scalar), _) => {
                self.words(props.chain([scalar::line(scalar, role, true).as_str()]))
            }
            (Shape::Empty, _) => self.words(props),
            (_, full) => match (flow::line(node, role, self.room().saturating_sub(1)), full) {
                (None, Some(inner)) => {
                    self.words(props);
                    self.end_line(trailing);
                    return self.entries(inner, level + 1, role);
                }
                (Some(line), _) => self.words(std::iter::once(line.as_str())),
                (None, None) => self.words(props.chain([bare(node)])),
            },
        }
        self.end_line(trailing);
    }

    /// The comment is next to the header of a block scalar, otherwise after the last line.
    fn lines(&mut self, lines: &Lines, trailing: Option<&str>, level: usize) {
        let last = if lines.block { None } else { lines.body.last() };
        self.end_line(trailing.filter(|_| last.is_none()));
        let body = lines.body.len() - usize::from(last.is_some());
        lines.body.iter().take(body).for_each(|line| self.line(level, line));
        if let Some(last) = last {
            self.margin(level);
            self.text.push_str(last);
            self.end_line(trailing);
        }
    }

    fn words<'s>(&mut self, words: impl Iterator<Item = &'s str>) {
        for word in words {
            self.text.push(' ');
            self.text.push_str(word);
        }
    }
}

/// The start of an entry.
#[derive(Clone, Copy)]
struct Start {
    /// It is the first of its collection.
    first: bool,
    /// An empty line separates it from the previous one.
    parted: bool,
}

/// A collection without entries, when even that is too long for its line.
fn bare<'n>(node: &'n Node<'_>) -> &'n str {
    match &node.shape {
        Shape::Collection(collection) if collection.mapping => "{}",
        Shape::Collection(_) => "[]",
        Shape::Alias(name) => name,
        Shape::Empty | Shape::Scalar(_) => "",
    }
}

/// A section of a file on several lines.
fn large(entry: &Entry<'_>) -> bool {
    entry.value.full().is_some()
}

/// The collection that starts on the line of its dash.
fn compact<'n, 'a>(entry: &'n Entry<'a>, role: Role, room: usize) -> Option<&'n Collection<'a>> {
    let inner = entry.value.full()?;
    let plain = entry.trailing.is_none() && entry.value.props.is_none();
    (plain && flow::line(&entry.value, role, room).is_none()).then_some(inner)
}

/// The lines above an entry.
struct Head<'a> {
    /// An empty line comes first.
    gap: bool,
    comments: Vec<Comment<'a>>,
    /// An empty line follows the comments.
    gap_after: bool,
}

/// The comments above an entry. Those of the first entry on a line that starts with a dash are
/// above the dash.
fn head<'a>(entry: &Entry<'a>, role: Role) -> Head<'a> {
    let mut comments = entry.above.clone();
    let gap = comments.first().map_or(entry.gap, |comment| comment.gap);
    let mut gap_after = entry.gap && !comments.is_empty();
    let role = role.within(entry);
    if entry.key.is_none()
        && let Some(inner) = compact(entry, role, WIDTH)
        && let Some(first) = ordered(inner, role).first()
    {
        let mut lower = head(first, role).comments;
        if let Some(first) = lower.first_mut() {
            first.gap = std::mem::take(&mut gap_after);
        }
        comments.append(&mut lower);
    }
    Head { gap, comments, gap_after }
}
