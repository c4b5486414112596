//! Globs, as lists of steps.

use super::class;

/// How a glob is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `*` and `?` stay within a name, `**` does not, and `a/**` matches `a` too.
    Path,
    /// `*` is any text.
    Text,
}

/// Whether letters of another case are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Respected,
    Ignored,
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

/// A glob without braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    pub(super) steps: Vec<Step>,
    pub(super) syntax: Syntax,
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
        Self { steps: reader.steps, syntax }
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
        Self { steps, syntax: self.syntax }
    }

    /// A glob of a last name, as a glob of paths.
    pub(crate) fn anywhere(&self) -> Self {
        let mut steps = vec![Step::Optional(3), Step::Any, Step::Char('/')];
        steps.extend(self.steps.iter().cloned());
        Self { steps, syntax: self.syntax }
    }

    /// Its text, if it has no wildcard.
    pub(crate) fn literal(&self) -> Option<String> {
        let (last, steps) = self.steps.split_last()?;
        let chars = steps.iter().map(|step| match step {
            Step::Char(next) => Some(*next),
            _ => None,
        });
        chars.collect::<Option<String>>().filter(|_| *last == Step::Accept)
    }

    /// The first character of its last name, if that is literal.
    pub(crate) fn first_of_name(&self) -> Option<char> {
        let name = self.steps.iter().rposition(|step| *step == Step::Char('/')).map_or(0, |at| at + 1);
        match self.steps.get(name)? {
            Step::Char(first) => Some(*first),
            _ => None,
        }
    }

    /// The names before the first one with a wildcard, without a slash at the end; the whole glob if it has none.
    pub(crate) fn place(&self) -> String {
        let literal = |step: &Step| match step {
            Step::Char(next) => Some(*next),
            _ => None,
        };
        let prefix: String = self.steps.iter().map_while(literal).collect();
        let wildcard = self.steps.iter().find(|step| literal(step).is_none());
        match wildcard {
            None | Some(Step::Accept) => prefix,
            Some(Step::Optional(_)) if !prefix.ends_with('/') => prefix,
            Some(_) => prefix.rsplit_once('/').map(|(place, _)| place.to_owned()).unwrap_or_default(),
        }
    }
}

struct Reader {
    steps: Vec<Step>,
    syntax: Syntax,
}

impl Reader {
    /// Adds the steps of the start of a pattern, and gives its length in bytes.
    fn step(&mut self, rest: &str) -> usize {
        let at = self.steps.len();
        if self.syntax == Syntax::Path {
            let crosses = [
                // `a/**/b`: also `a/b`.
                ("/**/", vec![Step::Char('/'), Step::Optional(at + 4), Step::Any, Step::Char('/')]),
                ("**/", vec![Step::Optional(at + 3), Step::Any, Step::Char('/')]),
                // `a/**`: also `a`.
                ("/**", vec![Step::Optional(at + 3), Step::Char('/'), Step::Any]),
                ("**", vec![Step::Any]),
            ];
            for (text, steps) in crosses {
                let is_here = match text {
                    "**/" => at == 0 && rest.starts_with(text),
                    "/**" => rest == text && at > 0,
                    _ => rest.starts_with(text),
                };
                if is_here {
                    self.steps.extend(steps);
                    return text.len();
                }
            }
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
