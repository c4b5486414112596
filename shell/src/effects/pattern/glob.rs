//! Globs, as lists of steps.

pub(crate) use hookc_base::text::Case;

use super::class;
use crate::effects::keys::{self, Key, Part};

/// How a glob is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `*` and `?` stay within a name, `**` does not, and `a/**` matches `a` too.
    Path,
    /// `*` is any text.
    Text,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Char(char),
    /// One character, in a path not `/`.
    One,
    Class(class::Class),
    /// Any number of characters other than `/`.
    Name,
    /// Any text.
    Any,
    /// Matches nothing; the steps up to this position can be left out.
    Optional(usize),
    /// The end of a glob.
    Accept,
}

impl Step {
    pub(super) const fn literal(&self) -> Option<char> {
        match self {
            Self::Char(next) => Some(*next),
            _ => None,
        }
    }
}

/// A glob without braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    pub(super) steps: Vec<Step>,
    pub(super) syntax: Syntax,
    /// Its text, if it has no wildcard.
    text: Option<String>,
    /// How many steps at its start are characters that every match starts with, and how many at its end before the last.
    pub(super) ends: (usize, usize),
    /// The longest text without wildcards that every match has, if it is in ASCII.
    pub(super) inner: String,
}

impl Glob {
    /// Reads a glob without braces. A class without its end is a bracket.
    pub(crate) fn new(pattern: &str, syntax: Syntax) -> Self {
        let mut reader = Reader { steps: Vec::new(), syntax };
        let mut rest = pattern;
        while !rest.is_empty() {
            let length = reader.step(rest);
            rest = rest.get(length..).unwrap_or_default();
        }
        reader.steps.push(Step::Accept);
        Self::with(reader.steps, syntax)
    }

    fn with(steps: Vec<Step>, syntax: Syntax) -> Self {
        let inner = steps.strip_suffix(&[Step::Accept]).unwrap_or_default();
        let first = inner.iter().take_while(|step| step.literal().is_some()).count();
        let text = (first == inner.len()).then(|| inner.iter().filter_map(Step::literal).collect());
        let literal = inner.iter().rposition(|step| step.literal().is_none()).map_or(0, |at| at + 1);
        // What an optional step skips is not in every match.
        let skipped = inner.iter().filter_map(|step| match step {
            Step::Optional(end) => Some(*end),
            _ => None,
        });
        let last = inner.len().saturating_sub(skipped.fold(literal, usize::max));
        let inner = if text.is_some() { String::new() } else { longest_text(inner) };
        Self { steps, syntax, text, ends: (first, last), inner }
    }

    /// A glob of literal text, followed by this one as a path below it.
    pub(crate) fn below(&self, root: &str) -> Self {
        let root = root.trim_end_matches('/');
        let mut steps: Vec<Step> = root.chars().map(Step::Char).collect();
        let is_root_too = matches!(self.steps.as_slice(), [Step::Any, Step::Accept]);
        match self.steps.as_slice() {
            [Step::Accept] if !root.is_empty() => {}
            _ if is_root_too => steps.push(Step::Optional(steps.len() + 3)),
            _ => {}
        }
        if !matches!(self.steps.as_slice(), [Step::Accept]) || root.is_empty() {
            steps.push(Step::Char('/'));
        }
        let moved = steps.len();
        steps.extend(self.steps.iter().map(|step| match step {
            Step::Optional(end) => Step::Optional(end + moved),
            step => step.clone(),
        }));
        Self::with(steps, self.syntax)
    }

    /// A glob of a last name, as a glob of paths.
    pub(crate) fn anywhere(&self) -> Self {
        let mut steps = vec![Step::Optional(3), Step::Any, Step::Char('/')];
        steps.extend(self.steps.iter().cloned());
        Self::with(steps, self.syntax)
    }

    /// Its text, if it has no wildcard.
    pub(crate) fn literal(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The first character of its last name, if that is literal.
    pub(crate) fn first_of_name(&self) -> Option<char> {
        let name = self.steps.iter().rposition(|step| *step == Step::Char('/')).map_or(0, |at| at + 1);
        match self.steps.get(name)? {
            Step::Char(first) => Some(*first),
            _ => None,
        }
    }

    /// The key of the last names that it matches; none if they can have different ones.
    pub(super) fn name_key(&self) -> Option<Key> {
        if let Some(name) = self.literal() {
            return name.is_ascii().then(|| keys::key(Part::Name, name));
        }
        let suffix: String = self.suffix().iter().filter_map(Step::literal).collect();
        if let Some((_, extension)) = suffix.rsplit_once('.') {
            return extension.is_ascii().then(|| keys::key(Part::Extension, extension));
        }
        let start: String = self.prefix().take(keys::START).collect();
        (start.len() == keys::START && start.is_ascii()).then(|| keys::key(Part::Start, &start))
    }

    /// The last whole name that every match has between slashes.
    pub(super) fn component(&self) -> Option<String> {
        let mut found = None;
        let (mut name, mut skipped) = (Some(String::new()), 0);
        for (at, step) in self.steps.iter().enumerate() {
            let ends = matches!(step, Step::Char('/') | Step::Accept | Step::Optional(_));
            if ends {
                found = name.take().filter(|name| !name.is_empty() && name.is_ascii()).or(found);
            }
            match step {
                Step::Optional(end) => skipped = skipped.max(*end),
                Step::Char('/') => name = Some(String::new()),
                Step::Char(next) if at >= skipped => {
                    // What can be left out is whole names.
                    name.as_mut().into_iter().for_each(|name| name.push(*next));
                }
                _ => name = None,
            }
        }
        found
    }

    /// The characters that every match starts with.
    pub(super) fn prefix(&self) -> impl Iterator<Item = char> + '_ {
        self.steps.iter().map_while(Step::literal)
    }

    /// The steps of the characters that every match ends with.
    pub(super) fn suffix(&self) -> &[Step] {
        let end = self.steps.len().saturating_sub(1);
        self.steps.get(end.saturating_sub(self.ends.1)..end).unwrap_or_default()
    }

    /// The names before the first one with a wildcard, without a slash at the end; the whole glob if it has none.
    pub(crate) fn place(&self) -> String {
        let prefix: String = self.prefix().collect();
        let wildcard = self.steps.iter().find(|step| step.literal().is_none());
        match wildcard {
            None | Some(Step::Accept) => prefix,
            Some(Step::Optional(_)) if !prefix.ends_with('/') => prefix,
            Some(_) => prefix.rsplit_once('/').map(|(place, _)| place.to_owned()).unwrap_or_default(),
        }
    }
}

/// The longest text without wildcards in steps that are not optional; empty if it is not in ASCII.
fn longest_text(steps: &[Step]) -> String {
    let (mut longest, mut text, mut skipped) = (String::new(), String::new(), 0);
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Optional(end) => skipped = skipped.max(*end),
            Step::Char(next) if at >= skipped => {
                text.push(*next);
                if text.len() > longest.len() {
                    longest.clone_from(&text);
                }
                continue;
            }
            _ => {}
        }
        text.clear();
    }
    if longest.is_ascii() { longest } else { String::new() }
}

struct Reader {
    steps: Vec<Step>,
    syntax: Syntax,
}

impl Reader {
    /// Adds the steps of the start of a pattern, and gives its length in bytes.
    fn step(&mut self, rest: &str) -> usize {
        let at = self.steps.len();
        if self.syntax == Syntax::Path && matches!(rest.as_bytes(), [b'*', b'*', ..] | [b'/', b'*', b'*', ..])
        {
            let (length, steps) = match rest {
                // `a/**`: also `a`.
                "/**" if at > 0 => (3, vec![Step::Optional(at + 3), Step::Char('/'), Step::Any]),
                // `a/**/b`: also `a/b`.
                _ if rest.starts_with("/**/") => {
                    (4, vec![Step::Char('/'), Step::Optional(at + 4), Step::Any, Step::Char('/')])
                }
                _ if at == 0 && rest.starts_with("**/") => {
                    (3, vec![Step::Optional(at + 3), Step::Any, Step::Char('/')])
                }
                _ if rest.starts_with("**") => (2, vec![Step::Any]),
                _ => (1, vec![Step::Char('/')]),
            };
            self.steps.extend(steps);
            return length;
        }
        let mut chars = rest.chars();
        let Some(first) = chars.next() else { return 1 };
        let (step, length) = match (first, self.syntax) {
            ('*', Syntax::Path) => (Step::Name, 1),
            ('*', Syntax::Text) => (Step::Any, 1),
            ('?', _) => (Step::One, 1),
            ('[', _) => match class::read(rest) {
                Some((class, length)) => (Step::Class(class), length),
                None => (Step::Char('['), 1),
            },
            ('\\', _) => match chars.next() {
                Some(escaped) => (Step::Char(escaped), 1 + escaped.len_utf8()),
                None => (Step::Char('\\'), 1),
            },
            (other, _) => (Step::Char(other), other.len_utf8()),
        };
        self.steps.push(step);
        length
    }
}
