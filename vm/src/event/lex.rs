//! Reading JSON text from front to back, for the walks over whole values.

use super::json::{Found, Json, Kind};
use super::string::Raw;

/// A position in a text that advances as tokens are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'e> {
    json: Json<'e>,
    at: usize,
}

impl<'e> Lexer<'e> {
    /// Starts at the beginning of a text with the given nesting limit.
    pub(super) const fn new(text: &'e str, depth: usize) -> Self {
        Self { json: Json::new(text, depth), at: 0 }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The text from a position to here.
    pub(super) fn since(&self, start: usize) -> &'e str {
        self.json.part(start, self.at)
    }

    /// A part of the text.
    pub(super) fn within(&self, place: std::ops::Range<usize>) -> &'e str {
        self.json.part(place.start, place.end)
    }

    /// The kind of the value that starts here.
    pub(super) fn kind(&self) -> Found<Kind> {
        self.json.kind(self.at)
    }

    /// The depth inside a container that is itself inside `depth` others.
    pub(super) fn deeper(&self, depth: usize) -> Found {
        self.json.deeper(depth)
    }

    /// Reads a value of any kind inside `depth` containers.
    pub(super) fn value(&mut self, depth: usize) -> Found<()> {
        self.at = self.json.value(self.at, depth)?;
        Ok(())
    }

    /// Reads a value that is not a container; leaves a container unread.
    pub(super) fn scalar(&mut self, kind: Kind) -> Found<()> {
        match kind {
            Kind::Array | Kind::Object => Ok(()),
            _ => self.value(0),
        }
    }

    /// Reads a string, its opening quote being next.
    pub(super) fn string(&mut self) -> Found<Raw<'e>> {
        let quoted = self.json.string(self.at)?;
        self.at = quoted.end.wrapping_add(1);
        Ok(self.json.raw(quoted))
    }

    /// Reads a key and its colon.
    pub(super) fn key(&mut self) -> Found<Raw<'e>> {
        let (key, at) = self.json.key(self.at)?;
        self.at = at;
        Ok(self.json.raw(key))
    }

    /// Opens a container; `false` if it is empty.
    pub(super) fn open(&mut self, close: u8) -> bool {
        let (at, more) = self.json.open(self.at, close);
        self.at = at;
        more
    }

    /// Reads what follows a member or an element; `false` at the end.
    pub(super) fn more(&mut self, close: u8) -> Found<bool> {
        let (at, more) = self.json.more(self.at, close)?;
        self.at = at;
        Ok(more)
    }
}
