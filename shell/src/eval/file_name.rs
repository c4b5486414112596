//! Which file a word names, as far as the line determines it.

/// What a path starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Root,
    Home,
    /// The directory of the event, which is unknown.
    Event,
    /// A directory of unknown path; the same number is the same directory.
    Lost(u32),
    /// A part of the word is unknown.
    Open,
}

/// Whether two words name the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    No,
    Maybe,
    Same,
}

/// A file by its name.
#[derive(Clone, Debug)]
pub(super) struct FileName {
    base: Base,
    /// The path from there: empty, or with a `/` at its start. If a part is unknown, the word as it is written.
    text: String,
    /// What it surely starts with, if it is absolute.
    start: String,
    /// What it surely ends with.
    end: String,
    /// Equal texts name the same file.
    stable: bool,
}

impl FileName {
    /// A path in a directory, without `.`, `..` and `//` as far as they can be resolved.
    pub(super) fn known(base: Base, dir: &str, path: &str) -> Self {
        let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
                ".." if base == Base::Root => {}
                part => parts.push(part),
            }
        }
        let text: String = parts.iter().flat_map(|part| ["/", part]).collect();
        let ups = parts.iter().take_while(|part| **part == "..").count();
        let end = text.get(ups * 3..).unwrap_or_default().to_owned();
        let start = if base == Base::Root { text.clone() } else { String::new() };
        Self { base, text, start, end, stable: true }
    }

    /// A word with unknown parts: `text` tells it from others, `after` is the text after the last unknown part.
    pub(super) fn open(text: String, start: String, after: &str, stable: bool) -> Self {
        let after = after.rfind("/..").map_or(after, |at| after.get(at + 3..).unwrap_or_default());
        let mut parts = after.split('/');
        let mut end = parts.next().unwrap_or_default().to_owned();
        for part in parts.filter(|part| !matches!(*part, "" | ".")) {
            end.push('/');
            end.push_str(part);
        }
        Self { base: Base::Open, text, start, end, stable }
    }

    /// Marks the name: it is not certain what it starts from.
    pub(super) fn doubtful(self) -> Self {
        Self { stable: false, ..self }
    }

    /// The last segment, if it is known.
    pub(super) fn last(&self) -> &str {
        self.end.rsplit_once('/').map_or("", |(_, last)| last)
    }

    /// Whether it is in a directory of programs, by the name of that.
    pub(super) fn is_program(&self) -> bool {
        let dir = self.end.rsplit_once('/').map_or("", |(dir, _)| dir);
        dir.ends_with("bin")
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn is_resolved(&self) -> bool {
        self.base != Base::Open && self.end.len() == self.text.len()
    }

    /// Whether this is the same file as another one.
    pub(super) fn compare(&self, other: &Self) -> Match {
        if self.base == other.base {
            if self.text == other.text {
                return if self.stable && other.stable { Match::Same } else { Match::Maybe };
            }
            if self.stable && other.stable && self.is_resolved() && other.is_resolved() {
                return Match::No;
            }
        }
        let (ours, theirs) = (self.end.as_str(), other.end.as_str());
        let ends = ours.ends_with(theirs) || theirs.ends_with(ours);
        let (ours, theirs) = (self.start.as_str(), other.start.as_str());
        let starts = ours.starts_with(theirs) || theirs.starts_with(ours);
        if ends && starts { Match::Maybe } else { Match::No }
    }

    /// Whether this is a directory that contains a file.
    pub(super) fn contains(&self, file: &Self) -> Match {
        let is_below =
            |text: &str| text.strip_prefix(self.text.as_str()).is_some_and(|rest| rest.starts_with('/'));
        if self.base == file.base && is_below(&file.text) {
            return if self.stable && file.stable { Match::Same } else { Match::Maybe };
        }
        match (self.base, file.base) {
            (base, other) if base == other && self.stable && file.stable && base != Base::Open => {
                if self.is_resolved() && file.is_resolved() { Match::No } else { Match::Maybe }
            }
            // Nobody's home is in what a line unpacks, unless that is where all are.
            (Base::Root, Base::Home) => {
                let is_part = |(at, _): (usize, &str)| {
                    at > 0 && self.text.ends_with(file.text.get(..at).unwrap_or_default())
                };
                let is_part_of = is_home(&self.text) || file.text.match_indices('/').any(is_part);
                if is_part_of { Match::Maybe } else { Match::No }
            }
            (_, Base::Root) if is_system(&file.text) => Match::No,
            (Base::Home, Base::Root) => {
                let is_part_of = if self.text.is_empty() {
                    HOMES.iter().any(|home| file.text.starts_with(home))
                } else {
                    file.text.contains(&format!("{}/", self.text))
                };
                if is_part_of { Match::Maybe } else { Match::No }
            }
            (Base::Root, _) if !file.start.is_empty() => {
                let is_part_of = is_below(&file.start) || self.text.starts_with(&file.start);
                if is_part_of { Match::Maybe } else { Match::No }
            }
            _ => Match::Maybe,
        }
    }
}

const HOMES: [&str; 3] = ["/home/", "/Users/", "/root/"];

/// Whether homes are below a directory.
fn is_home(dir: &str) -> bool {
    dir.is_empty() || HOMES.iter().any(|home| home.trim_end_matches('/') == dir)
}

/// Whether a file is a program of the system, where nothing is written without its name.
fn is_system(file: &str) -> bool {
    ["/bin/", "/sbin/", "/usr/"].iter().any(|dir| file.starts_with(dir))
}

#[cfg(test)]
mod tests {
    use super::{Base, FileName, Match};

    fn root(path: &str) -> FileName {
        FileName::known(Base::Root, "", path)
    }

    fn open(text: &str, after: &str) -> FileName {
        FileName::open(text.to_owned(), String::new(), after, true)
    }

    #[test]
    fn names_of_files() {
        let lost = |number: u32, path: &str| FileName::known(Base::Lost(number), "", path);
        let home = |path: &str| FileName::known(Base::Home, "", path);
        let digits = FileName::open("/tmp/$$.sh".to_owned(), "/tmp/".to_owned(), ".sh", true);
        for (one, other, expected) in [
            (root("/a/i"), root("/a/./b/../i"), Match::Same),
            (root("/a/i"), root("/b/i"), Match::No),
            (root("/../i"), root("/i"), Match::Same),
            (lost(1, "i"), lost(1, "./i"), Match::Same),
            (lost(1, "i"), lost(1, "j"), Match::No),
            (lost(1, "i"), lost(2, "i"), Match::Maybe),
            (lost(1, "../i"), lost(1, "i"), Match::Maybe),
            (lost(1, "i"), root("/a/i"), Match::Maybe),
            (lost(1, "i"), root("/a/bi"), Match::No),
            (home("i"), root("/home/me/i"), Match::Maybe),
            (home("a/i"), root("/home/me/i"), Match::No),
            (open("$X/i", "/i"), open("$X/i", "/i"), Match::Same),
            (open("$X/i", "/i"), open("$Y/i", "/i"), Match::Maybe),
            (open("$X/i", "/i"), root("/a/i"), Match::Maybe),
            (open("$X/i", "/i"), root("/a/j"), Match::No),
            (open("$X", ""), root("/a/j"), Match::Maybe),
            (open("$X/a/../i", "/a/../i"), root("/b/i"), Match::Maybe),
            (open("$X//./i", "//./i"), root("/b/i"), Match::Maybe),
            (digits.clone(), digits.clone(), Match::Same),
            (digits.clone(), root("/tmp/12.sh"), Match::Maybe),
            (digits.clone(), root("/home/12.sh"), Match::No),
        ] {
            assert_eq!(one.compare(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.compare(&one), expected, "{other:?} {one:?}");
        }
    }

    #[test]
    fn files_below_directories() {
        let lost = |number: u32, path: &str| FileName::known(Base::Lost(number), "", path);
        let home = |path: &str| FileName::known(Base::Home, "", path);
        for (dir, file, expected) in [
            (root("/a"), root("/a/b/i"), Match::Same),
            (root("/a"), root("/ab/i"), Match::No),
            (root("/"), root("/ab/i"), Match::Same),
            (lost(1, "."), lost(1, "b/i"), Match::Same),
            (lost(1, "c"), lost(1, "b/i"), Match::No),
            (lost(1, "."), lost(2, "b/i"), Match::Maybe),
            (lost(1, "."), root("/usr/bin/i"), Match::No),
            (lost(1, "."), root("/a/i"), Match::Maybe),
            (root("/r"), home("bin/i"), Match::No),
            (root("/home/me/bin"), home("bin/i"), Match::Maybe),
            (home("d"), root("/home/me/d/i"), Match::Maybe),
            (home("d"), root("/home/me/i"), Match::No),
            (open("$X", ""), root("/a/i"), Match::Maybe),
            (open("$X", ""), open("$X/i", "/i"), Match::Same),
        ] {
            assert_eq!(dir.contains(&file), expected, "{dir:?} {file:?}");
        }
    }
}
