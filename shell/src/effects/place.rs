//! Paths with unknown parts, resolved by their text.

use std::ops::Range;

use super::text::{Gap, Text};
use crate::HoleKind;
use crate::paths::is_process_root;
use crate::token::{long, short};

/// A text that is being built.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    gaps: Vec<Gap>,
}

/// The text of an unknown directory.
const UNKNOWN_DIRECTORY: &str = "$PWD";

impl Draft {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.gaps.clear();
    }

    pub(super) fn text(&self) -> Text<'_> {
        Text { text: &self.text, holes: &self.gaps }
    }

    /// Appends a range of a text.
    pub(super) fn push_range(&mut self, text: Text<'_>, range: Range<usize>) {
        let Some(part) = text.text.get(range.clone()) else { return };
        let (from, to, here) = (short(range.start), short(range.end), short(self.text.len()));
        let inner = text.holes.iter().filter(|gap| gap.from < to && gap.to > from);
        self.gaps.extend(inner.map(|gap| Gap {
            from: gap.from.max(from) - from + here,
            to: gap.to.min(to) - from + here,
            kind: gap.kind,
        }));
        self.text.push_str(part);
    }

    /// Appends a text.
    pub(super) fn push(&mut self, text: Text<'_>) {
        self.push_range(text, 0..text.text.len());
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends an unknown part.
    pub(super) fn push_hole(&mut self, source: &str, kind: HoleKind) {
        let from = short(self.text.len());
        self.text.push_str(source);
        self.gaps.push(Gap { from, to: short(self.text.len()), kind });
    }

    /// Replaces it by where a path leads from a directory, by text. The directory is resolved; none is an unknown one.
    pub(super) fn resolve(&mut self, directory: Option<Text<'_>>, path: Text<'_>) {
        self.clear();
        let from = self.start(directory, path);
        self.join(path, from);
    }

    /// Appends the rest of a path, from a byte on, with `.` and `..` resolved by text.
    pub(super) fn join(&mut self, path: Text<'_>, mut from: usize) {
        let end = path.text.len();
        while from <= end {
            let to = next_slash(path, from).unwrap_or(end);
            let is_open = path.holes.iter().any(|gap| long(gap.from) < to && long(gap.to) > from);
            match path.text.get(from..to) {
                Some("" | ".") => {}
                Some("..") if !is_open => self.leave(),
                _ => self.enter(path, from..to),
            }
            from = to + 1;
        }
    }

    /// Appends a glob of a tool or of an option: `*` and `?` are wildcards, `**` is any directories.
    pub(super) fn push_glob(&mut self, glob: &str) {
        let mut rest = glob;
        while let Some(first) = rest.chars().next() {
            let (length, kind) = match first {
                '*' if rest.starts_with("**/") => (2, HoleKind::Names),
                '*' if rest.starts_with("**") => (2, HoleKind::Text),
                '*' => (1, HoleKind::Name),
                '?' => (1, HoleKind::Char),
                '[' => (rest.find(']').map_or(1, |end| end + 1), HoleKind::Char),
                '{' => (rest.find('}').map_or(1, |end| end + 1), HoleKind::Text),
                '\\' => {
                    rest = rest.get(1..).unwrap_or_default();
                    let length = rest.chars().next().map_or(0, char::len_utf8);
                    self.text.push_str(rest.get(..length).unwrap_or_default());
                    rest = rest.get(length..).unwrap_or_default();
                    continue;
                }
                first => {
                    self.text.push(first);
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                    continue;
                }
            };
            self.push_hole(rest.get(..length).unwrap_or_default(), kind);
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    /// Appends the name of a branch or tag in a refspec, without the directory of branches. `*` is any text in it.
    pub(super) fn push_ref(&mut self, text: Text<'_>, range: Range<usize>) {
        let Range { mut start, end } = range;
        let name = |start: usize| text.text.get(start..end).unwrap_or_default();
        let unknown = |start: usize| next_unknown(text, start..end);
        match unknown(start) {
            // What is unknown can be `refs/heads`.
            Some(first) if is_branch_directory(text.text.get(start..first.start).unwrap_or_default()) => {
                let slash = usize::from(name(first.end).starts_with('/'));
                self.push_hole(text.text.get(start..first.end + slash).unwrap_or_default(), HoleKind::Text);
                start = first.end + slash;
            }
            _ => start = end - super::objects::branch(name(start)).len(),
        }
        while let Some(hole) = unknown(start) {
            self.push_str(text.text.get(start..hole.start).unwrap_or_default());
            self.push_hole(text.text.get(hole.clone()).unwrap_or_default(), HoleKind::Text);
            start = hole.end;
        }
        self.push_str(name(start));
    }

    /// Goes to names that match a glob, anywhere below.
    pub(super) fn push_below(&mut self, glob: &str) {
        if !self.text.is_empty() && !self.text.ends_with('/') {
            self.text.push('/');
        }
        self.push_hole("**", HoleKind::Names);
        self.text.push('/');
        self.push_glob(glob.trim_start_matches('/'));
    }

    /// Goes to the directory of the first name that is a pattern.
    pub(super) fn leave_glob(&mut self) {
        let is_pattern = |gap: &Gap| matches!(gap.kind, HoleKind::Name | HoleKind::Char);
        let Some(first) = self.gaps.iter().find(|gap| is_pattern(gap)).map(|gap| long(gap.from)) else {
            return;
        };
        let before = self.gaps.partition_point(|gap| long(gap.to) <= first);
        let is_inner = |at: usize| {
            let open = self.gaps.iter().take(before);
            open.into_iter().any(|gap| (long(gap.from)..long(gap.to)).contains(&at))
        };
        let mut bytes = self.text.bytes().enumerate().take(first);
        let slash = bytes.rfind(|(at, byte)| *byte == b'/' && !is_inner(*at)).map(|(at, _)| at);
        let end = slash.map_or(0, |slash| slash.max(1));
        self.gaps.truncate(self.gaps.partition_point(|gap| long(gap.to) <= end));
        self.text.truncate(end);
    }

    /// Starts with what a path starts from; returns where the rest of the path is.
    fn start(&mut self, directory: Option<Text<'_>>, path: Text<'_>) -> usize {
        let open = path.holes.first().map_or(usize::MAX, |gap| long(gap.from));
        if open == 0 && path.holes.first().is_some_and(|gap| gap.kind == HoleKind::Text) {
            return 0;
        }
        match path.text.as_bytes() {
            [b'/', ..] => {
                self.text.push('/');
                return 1;
            }
            [b'~'] => {
                self.text.push('~');
                return 1;
            }
            [b'~', b'/', ..] => {
                self.text.push('~');
                return 2;
            }
            [b'~', ..] => {
                // Another home.
                let end = next_slash(path, 0).unwrap_or(path.text.len());
                self.push_hole(path.text.get(..end).unwrap_or("~"), HoleKind::Text);
                return end + 1;
            }
            _ => {}
        }
        match directory {
            Some(directory) => self.push(directory),
            None => self.push_hole(UNKNOWN_DIRECTORY, HoleKind::Text),
        }
        0
    }

    /// Goes to a name below.
    fn enter(&mut self, path: Text<'_>, name: Range<usize>) {
        if !self.text.is_empty() && !self.text.ends_with('/') {
            self.text.push('/');
        }
        self.push_range(path, name);
        if self.text.ends_with("/root") && is_process_root(&self.text) {
            self.text.truncate(1);
            self.gaps.clear();
        }
    }

    /// Goes one directory up, by text.
    fn leave(&mut self) {
        let start = last_part(self.text());
        match self.text.get(start..) {
            Some("") if start > 0 => return,
            Some("" | "..") => return self.enter(Text::literal(".."), 0..2),
            _ => {}
        }
        let inner = self.gaps.partition_point(|gap| long(gap.to) <= start);
        let is_any = |gap: &Gap| matches!(gap.kind, HoleKind::Text | HoleKind::Names);
        let is_anywhere = self.gaps.iter().skip(inner).any(is_any) || self.text == "~";
        self.gaps.truncate(inner);
        if is_anywhere {
            // `$X/..`
            self.text.push_str("/..");
            self.gaps.push(Gap { from: short(start), to: short(self.text.len()), kind: HoleKind::Text });
        } else {
            self.text.truncate(if start == 1 { 1 } else { start.saturating_sub(1) });
        }
    }
}

/// The first part of a refspec that is a hole or a `*`.
fn next_unknown(text: Text<'_>, range: Range<usize>) -> Option<Range<usize>> {
    let star = text.text.get(range.clone())?.find('*').map(|at| range.start + at..range.start + at + 1);
    let inside = |gap: &&Gap| long(gap.to) > range.start && long(gap.from) < range.end;
    let gap = text.holes.iter().find(inside);
    let gap = gap.map(|gap| long(gap.from).max(range.start)..long(gap.to).min(range.end));
    match (star, gap) {
        (Some(star), Some(gap)) => Some(if star.start < gap.start { star } else { gap }),
        (star, gap) => star.or(gap),
    }
}

/// Whether a text can become the directory of branches, or a part of its name.
fn is_branch_directory(start: &str) -> bool {
    ["refs/heads/", "heads/"].into_iter().any(|directory| directory.starts_with(start))
}

/// The next `/` of a path that is in no hole.
fn next_slash(path: Text<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let found = at + path.text.get(at..)?.find('/')?;
        match path.holes.iter().find(|gap| (gap.from..gap.to).contains(&short(found))) {
            Some(gap) => at = long(gap.to),
            None => return Some(found),
        }
    }
}

/// Where the last name of a path starts.
pub(super) fn last_part(path: Text<'_>) -> usize {
    let mut end = path.text.len();
    loop {
        let Some(found) = path.text.get(..end).and_then(|text| text.rfind('/')) else { return 0 };
        match path.holes.iter().find(|gap| (gap.from..gap.to).contains(&short(found))) {
            Some(gap) => end = long(gap.from),
            None => return found + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in which `<...>` is a hole, `*` a hole of a name, and `?` one of a character.
    fn read(text: &str) -> (String, Vec<Gap>) {
        let (mut out, mut gaps, mut from) = (String::new(), Vec::new(), 0);
        for char in text.chars() {
            let at = short(out.len());
            match char {
                '<' => from = at,
                '>' => gaps.push(Gap { from, to: at, kind: HoleKind::Text }),
                '*' | '?' => {
                    out.push(char);
                    let kind = if char == '*' { HoleKind::Name } else { HoleKind::Char };
                    gaps.push(Gap { from: at, to: at + 1, kind });
                }
                char => out.push(char),
            }
        }
        (out, gaps)
    }

    fn written(text: Text<'_>) -> String {
        let mut out = String::new();
        for (at, char) in text.text.char_indices() {
            let any = |is: fn(&Gap) -> u32| {
                text.holes.iter().any(|gap| gap.kind == HoleKind::Text && long(is(gap)) == at)
            };
            if any(|gap| gap.to) {
                out.push('>');
            }
            if any(|gap| gap.from) {
                out.push('<');
            }
            out.push(char);
        }
        if text.holes.iter().any(|gap| gap.kind == HoleKind::Text && long(gap.to) == text.text.len()) {
            out.push('>');
        }
        out
    }

    #[test]
    fn paths_are_resolved_by_their_text() {
        for (directory, path, expected) in [
            (Some("/p"), "a/./b//c/..", "/p/a/b"),
            (Some("/p"), "..", "/"),
            (Some("/p"), "../../..", "/"),
            (Some("/p"), "/etc/../x", "/x"),
            (Some("~"), "a", "~/a"),
            (Some("~"), "..", "<~/..>"),
            (Some("~"), "../x", "<~/..>/x"),
            (Some(""), "a/../../x", "../x"),
            (Some(""), "../..", "../.."),
            (None, "a", "<$PWD>/a"),
            (None, "..", "<$PWD/..>"),
            (None, "/a", "/a"),
            (Some("/p"), "~", "~"),
            (Some("/p"), "~me/x", "<~me>/x"),
            (Some("/p"), "<$X>", "<$X>"),
            (Some("/p"), "<$X>/../y", "<$X/..>/y"),
            (Some("/p"), "a<$X>/../y", "/p/<a$X/..>/y"),
            (Some("/p"), "a/<$(b/c)>.d", "/p/a/<$(b/c)>.d"),
            (Some("/p"), "a/*/..", "/p/a"),
            (Some("/p"), "a/.*", "/p/a/.*"),
            (Some("/p"), ".?", "/p/.?"),
            (Some("/p"), "", "/p"),
        ] {
            let (path_text, holes) = read(path);
            let mut draft = Draft::default();
            draft.resolve(directory.map(Text::literal), Text { text: &path_text, holes: &holes });
            assert_eq!(written(draft.text()), expected, "{directory:?} {path}");
        }
    }
}
