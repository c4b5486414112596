//! Keys that come twice inside a value that is used whole.

use std::borrow::Cow;

use super::EventError;
use super::json::Kind;
use super::lex::Lexer;
use crate::limits::EVENT_DEPTH;

/// A step from a container to a value in it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Name(String),
    Index(usize),
}

/// The path to a key that occurs twice in one object of a valid JSON text. Keys are sorted, not
/// hashed, because the author of the event chooses them.
pub(super) fn find(text: &str) -> Option<Vec<Step>> {
    let mut finder = Finder { lex: Lexer::new(text, EVENT_DEPTH), keys: Vec::new(), found: Vec::new() };
    match finder.value(0) {
        Err(Stop::Found) => {
            finder.found.reverse();
            Some(finder.found)
        }
        Err(Stop::Invalid) | Ok(()) => None,
    }
}

struct Finder<'e> {
    lex: Lexer<'e>,
    /// The keys of the objects being read, the outermost first.
    keys: Vec<Cow<'e, str>>,
    /// The way found, its last step first.
    found: Vec<Step>,
}

enum Stop {
    Found,
    Invalid,
}

impl From<Box<EventError>> for Stop {
    fn from(_: Box<EventError>) -> Self {
        Self::Invalid
    }
}

impl Finder<'_> {
    fn value(&mut self, depth: usize) -> Result<(), Stop> {
        match self.lex.kind()? {
            Kind::Object => self.object(depth),
            Kind::Array => self.array(depth),
            kind => Ok(self.lex.scalar(kind)?),
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), Stop> {
        let depth = self.lex.deeper(depth)?;
        let mut more = self.lex.open(b']');
        let mut count = 0_usize;
        while more {
            self.value(depth).inspect_err(|_| self.found.push(Step::Index(count)))?;
            count = count.saturating_add(1);
            more = self.lex.more(b']')?;
        }
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<(), Stop> {
        let depth = self.lex.deeper(depth)?;
        let mut more = self.lex.open(b'}');
        let base = self.keys.len();
        while more {
            let key = self.lex.key()?;
            self.keys.push(key.decode());
            self.value(depth).inspect_err(|_| self.found.push(Step::Name(key.decode().into_owned())))?;
            more = self.lex.more(b'}')?;
        }
        let keys = self.keys.get_mut(base..).unwrap_or_default();
        keys.sort_unstable();
        let twice = keys.windows(2).find(|pair| pair.first() == pair.last());
        if let Some(key) = twice.and_then(<[_]>::first) {
            self.found.push(Step::Name(key.to_string()));
            return Err(Stop::Found);
        }
        self.keys.truncate(base);
        Ok(())
    }
}
