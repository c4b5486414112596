//! Patterns of paths, and of objects with a scheme.

use std::sync::OnceLock;

use super::glob::{Case, Glob, Syntax};
use super::machine::{Match, Meter, is_same};
use super::reading::Reading;
use super::roots::{Below, below, inside, join, roots, strip};
use super::{UNKNOWN, without};
use crate::HoleKind;
use crate::effects::keys::{self, Key, Part};
use crate::effects::{Scheme, Text};
use crate::token::long;

/// Directories that `~` can be, besides itself.
const HOMES: [&str; 3] = ["/home/*", "/Users/*", "/root"];

/// Where a pattern starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// Every file matches.
    Everything,
    /// The last name, anywhere.
    Name,
    /// Anywhere: `**/x/y`.
    Anywhere,
    /// The root or a home.
    Root,
    /// The project, or a directory above it: `../x`.
    Project { up: usize },
    /// An object with a scheme.
    Scheme(Scheme),
}

/// A pattern of paths, or of objects with a scheme (`env:*TOKEN`).
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    anchor: Anchor,
    /// For a last name, the glob of that name.
    glob: Glob,
    /// The pattern in the directories that can be a home.
    homes: Vec<Glob>,
    /// For a last name, the glob of paths with it.
    anywhere: OnceLock<Glob>,
    /// The parts of the pattern and of `homes` before the first wildcard.
    places: OnceLock<Vec<String>>,
}

/// The directories that relative patterns start at. One that is empty is unknown: paths without `/` and `~` are from there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Roots<'t> {
    pub(crate) project: Option<&'t str>,
    pub(crate) cwd: Option<&'t str>,
}

/// What is compared with patterns: an object of an effect, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'t> {
    pub(crate) text: Text<'t>,
    pub(crate) scheme: Scheme,
    pub(crate) is_tree: bool,
    pub(crate) roots: Roots<'t>,
}

impl PathPattern {
    /// Reads a pattern without braces and sets.
    pub(crate) fn new(pattern: &str) -> Result<Self, String> {
        if pattern.is_empty() {
            return Err("it is empty".to_owned());
        }
        if let Some((scheme, name)) = scheme(pattern)? {
            return Ok(Self::with(Anchor::Scheme(scheme), name, Syntax::Text));
        }
        let names: Vec<&str> = names(pattern).collect();
        let is_home = names.first() == Some(&"~");
        if pattern.starts_with('~') && pattern.contains('/') && !is_home {
            return Err("only `~` itself is a home".to_owned());
        }
        Ok(match names.as_slice() {
            _ if pattern.starts_with('/') => {
                let names = resolved(&names).1;
                Self::with(Anchor::Root, &format!("/{}", names.join("/")), Syntax::Path)
            }
            ["~", rest @ ..] => {
                let rest: String = resolved(rest).1.iter().flat_map(|name| ["/", name]).collect();
                let homes = HOMES.map(|home| Glob::new(&format!("{home}{rest}"), Syntax::Path)).into();
                Self { homes, ..Self::with(Anchor::Root, &format!("~{rest}"), Syntax::Path) }
            }
            ["**"] => Self::with(Anchor::Everything, "**", Syntax::Path),
            ["**", name] => Self::with(Anchor::Name, name, Syntax::Path),
            ["**", ..] => Self::with(Anchor::Anywhere, &names.join("/"), Syntax::Path),
            [name] if !pattern.contains('/') && !matches!(*name, "." | "..") => {
                Self::with(Anchor::Name, name, Syntax::Path)
            }
            names => {
                let (up, names) = resolved(names);
                Self::with(Anchor::Project { up }, &names.join("/"), Syntax::Path)
            }
        })
    }

    /// Everything in the project, and the project itself.
    pub(crate) fn project() -> Self {
        Self::with(Anchor::Project { up: 0 }, "**", Syntax::Path)
    }

    fn with(anchor: Anchor, pattern: &str, syntax: Syntax) -> Self {
        let glob = Glob::new(pattern, syntax);
        Self { anchor, glob, homes: Vec::new(), anywhere: OnceLock::new(), places: OnceLock::new() }
    }

    /// Whether it has no wildcard.
    pub(crate) fn is_literal(&self) -> bool {
        self.glob.literal().is_some()
    }

    /// Whether it starts at a place, which can be in a tree.
    pub(crate) const fn has_place(&self) -> bool {
        matches!(self.anchor, Anchor::Root | Anchor::Project { .. })
    }

    /// The key of each literal object that it matches; none if such objects can have different ones.
    pub(crate) fn key(&self) -> Option<Key> {
        match self.anchor {
            Anchor::Everything => None,
            Anchor::Scheme(scheme) => Some(keys::key(Part::Scheme, scheme.prefix())),
            Anchor::Name => self.glob.name_key(),
            Anchor::Anywhere | Anchor::Root | Anchor::Project { .. } => {
                // In a home, `~` is another name.
                self.glob.component().filter(|name| name != "~").map(|name| keys::key(Part::Name, &name))
            }
        }
    }

    /// Whether it matches all that another pattern matches. It can be false although it does.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        match (self.anchor, other.anchor) {
            (Anchor::Scheme(one), Anchor::Scheme(other_one)) => {
                one == other_one && self.glob.includes(&other.glob)
            }
            (Anchor::Scheme(_), _) | (_, Anchor::Scheme(_)) => false,
            (Anchor::Everything, _) => true,
            _ => {
                // `~` is the same directory in both.
                let is_in_home = !self.homes.is_empty() && !other.homes.is_empty();
                (is_in_home || self.is_comparable(other)) && self.anchored().includes(&other.anchored())
            }
        }
    }

    /// Whether something matches both patterns. It can be true although nothing does.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self.anchor, other.anchor) {
            (Anchor::Scheme(one), Anchor::Scheme(other_one)) => {
                one == other_one && self.glob.overlaps(&other.glob)
            }
            (Anchor::Scheme(_), _) | (_, Anchor::Scheme(_)) => false,
            _ => !self.is_comparable(other) || self.anchored().overlaps(&other.anchored()),
        }
    }

    /// Whether both start at places of which one is known from the other.
    fn is_comparable(&self, other: &Self) -> bool {
        let is_anywhere = |anchor| matches!(anchor, Anchor::Name | Anchor::Anywhere | Anchor::Everything);
        let has_no_home = self.homes.is_empty() && other.homes.is_empty();
        is_anywhere(self.anchor) || is_anywhere(other.anchor) || has_no_home && self.anchor == other.anchor
    }

    /// The pattern from the root, with a directory of no real name as the project.
    fn anchored(&self) -> Glob {
        match self.anchor {
            Anchor::Name => self.glob.anywhere(),
            Anchor::Project { .. } => self.glob.below("/\u{10FFFD}"),
            _ => self.glob.clone(),
        }
    }

    /// Whether an object is in the pattern for a reader.
    pub(crate) fn has(&self, object: Object<'_>, reading: Reading, meter: &Meter) -> bool {
        let object = if reading.is_permit() && object.scheme == Scheme::File && can_leave(object.text) {
            Object { text: UNKNOWN, ..object }
        } else {
            object
        };
        let is_in = || self.matches(object, false, reading, meter);
        let is_below = || self.matches(object, true, reading, meter);
        match reading {
            Reading::Permit => is_in() && (!object.is_tree || is_below()),
            Reading::Exclude => is_in() || object.is_tree && is_below(),
            Reading::Guard => is_in() || self.reaches(object, meter),
            Reading::May => is_in() || object.is_tree && is_below() || self.reaches(object, meter),
        }
    }

    /// Whether a tree has the place of the pattern in it, or a pattern of files is meant to match it.
    fn reaches(&self, object: Object<'_>, meter: &Meter) -> bool {
        if object.scheme != Scheme::File || matches!(self.anchor, Anchor::Scheme(_)) {
            return false;
        }
        if object.text.holes.is_empty() {
            return object.is_tree && self.has_place_below(object);
        }
        if !object.text.is_glob() || !is_directory_known(object.text) {
            return false;
        }
        let first = || {
            let (Some(pattern), Some(object)) = (self.glob.first_of_name(), first_of_name(object.text))
            else {
                return false;
            };
            is_same(pattern, object, Case::Ignored)
        };
        let is_anywhere = object.text.holes.iter().any(|hole| hole.kind == HoleKind::Names);
        let is_single = self.is_literal() && self.has_place() && !is_anywhere;
        (is_single || first()) && self.matches(object, false, Reading::May, meter)
    }

    /// Whether a place in a directory is named: the part before the first wildcard.
    fn has_place_below(&self, object: Object<'_>) -> bool {
        let is_below = |place: &str| {
            let rest = strip(place, object.text.text.trim_end_matches('/'), Case::Ignored);
            match object.text.text {
                "" => !place.starts_with(['/', '~']),
                "/" => place.is_empty() || place.starts_with('/'),
                _ => rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
            }
        };
        let globs = || std::iter::once(&self.glob).chain(&self.homes);
        let mut places = self.places.get_or_init(|| globs().map(Glob::place).collect()).iter();
        match self.anchor {
            Anchor::Root => places.any(|place| is_below(place)),
            Anchor::Project { up } => {
                let mut roots = roots(object.roots, up, true);
                places.next().is_some_and(|place| roots.any(|root| is_below(&join(root, place))))
            }
            Anchor::Everything | Anchor::Name | Anchor::Anywhere | Anchor::Scheme(_) => false,
        }
    }

    /// Whether an object matches, or what is below it.
    fn matches(&self, object: Object<'_>, is_below: bool, reading: Reading, meter: &Meter) -> bool {
        let (how, case) = (reading.how(), reading.case());
        let is_match = |glob: &Glob, text: Text<'_>| {
            if is_below {
                glob.matches_below(text, how, case, meter)
            } else {
                glob.matches(text, how, case, meter)
            }
        };
        let text = match (object.scheme, self.anchor) {
            (scheme, Anchor::Scheme(wanted)) => return scheme == wanted && is_match(&self.glob, object.text),
            (Scheme::File, _) => object.text,
            (Scheme::Pipe, _) => UNKNOWN,
            _ => return false,
        };
        match self.anchor {
            Anchor::Everything => true,
            Anchor::Name if text.holes.is_empty() && !is_below => self.has_name(text.text, case, meter),
            Anchor::Name => is_match(self.anywhere.get_or_init(|| self.glob.anywhere()), text),
            Anchor::Anywhere => is_match(&self.glob, text),
            Anchor::Root if is_relative(text) => false,
            Anchor::Root => {
                is_match(&self.glob, text)
                    || reading.is_wide() && self.homes.iter().any(|home| is_match(home, text))
            }
            Anchor::Project { up } => {
                roots(object.roots, up, reading.is_wide()).any(|root| match below(text, root, case) {
                    // A pattern of files finds no empty name.
                    Below::At(length) if !is_below && self.glob.literal() == Some("") => {
                        length >= text.text.len()
                    }
                    Below::At(length) => without(text, length, |rest| is_match(&self.glob, rest)),
                    Below::Inside(levels, start) => {
                        inside(levels, text, start, |path| is_match(&self.glob, path))
                    }
                    Below::Outside if !is_below || how == Match::Certain => false,
                    Below::Nowhere => how == Match::Possible,
                    Below::Outside | Below::Unclear => is_match(&self.glob.below(root), text),
                })
            }
            Anchor::Scheme(_) => false,
        }
    }

    fn has_name(&self, path: &str, case: Case, meter: &Meter) -> bool {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        self.glob.matches(Text::literal(name), Match::Certain, case, meter)
    }
}

/// The scheme of a pattern, and the glob after it.
fn scheme(pattern: &str) -> Result<Option<(Scheme, &str)>, String> {
    let Some((scheme, name)) = pattern.split_once(':') else { return Ok(None) };
    if scheme.len() < 2 || !scheme.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(None);
    }
    let known = [Scheme::Variable, Scheme::Ref, Scheme::Store];
    match known.into_iter().find(|known| known.prefix().strip_suffix(':') == Some(scheme)) {
        Some(known) => Ok(Some((known, name))),
        None => Err(format!(
            "`{scheme}:` is not a scheme: write `env:`, `ref:` or `store:`, or `./` in front of a file"
        )),
    }
}

/// The names of a pattern, without empty ones and repeated `**`.
fn names(pattern: &str) -> impl Iterator<Item = &str> {
    let mut was_tree = false;
    pattern.split('/').filter(move |name| {
        let is_repeated = was_tree && *name == "**";
        was_tree = if name.is_empty() { was_tree } else { *name == "**" };
        !name.is_empty() && !is_repeated
    })
}

/// Names without `.` and `..`, and how many directories above the start they are.
fn resolved<'n>(names: &[&'n str]) -> (usize, Vec<&'n str>) {
    let (mut up, mut left): (usize, Vec<&str>) = (0, Vec::new());
    for name in names {
        match *name {
            "." => {}
            ".." if left.pop().is_some() => {}
            ".." => up += 1,
            name => left.push(name),
        }
    }
    (up, left)
}

/// Whether a path starts at the unknown directory of the event.
fn is_relative(text: Text<'_>) -> bool {
    let is_open = text.holes.first().is_some_and(|hole| hole.from == 0 && hole.kind == HoleKind::Text);
    !is_open && !text.text.starts_with(['/', '~'])
}

/// Whether unknown parts can be `..`, so that a path can leave its directory.
fn can_leave(text: Text<'_>) -> bool {
    let mut is_hole = text.holes.iter();
    if is_hole.clone().any(|hole| hole.kind == HoleKind::Text) {
        return true;
    }
    // A wildcard at the start of a name matches no dot: only `.*` and `.?` can be `..`.
    is_hole.any(|hole| {
        let (from, to) = (long(hole.from), long(hole.to));
        let before = text.text.get(..from).unwrap_or_default();
        let name = before.rsplit_once('/').map_or(before, |(_, name)| name);
        let after = text.text.get(to..).unwrap_or_default();
        let rest = text
            .holes
            .iter()
            .find(|next| long(next.from) >= to)
            .map_or(after.len(), |next| long(next.from) - to);
        let next = after.get(..rest).unwrap_or_default().split('/').next().unwrap_or_default();
        name == "." && next.is_empty()
    })
}

/// Whether only the last name has unknown parts. What is anywhere below a directory is in a known one.
fn is_directory_known(text: Text<'_>) -> bool {
    let start = text.text.rfind('/').map_or(0, |at| at + 1);
    text.holes.iter().all(|hole| match hole.kind {
        HoleKind::Names => true,
        kind => long(hole.from) >= start && kind != HoleKind::Text,
    })
}

/// The first character of the last name, if that is known.
fn first_of_name(text: Text<'_>) -> Option<char> {
    let start = text.text.rfind('/').map_or(0, |at| at + 1);
    let is_hole = text.holes.iter().any(|hole| long(hole.from) == start);
    text.text.get(start..)?.chars().next().filter(|_| !is_hole)
}
