//! A value in a slot, borrowed from the event's text or the scratch.

/// A value of an event, validated. Containers are undecoded JSON text.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// Nothing is there.
    Absent,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number as written; see [`crate::number`].
    Num(&'a str),
    /// A string, decoded.
    Str(&'a str),
    /// An array as written, brackets included.
    Array(&'a str),
    /// An object as written, braces included.
    Object(&'a str),
}

impl<'a> Item<'a> {
    /// The text that text operators see: of a string, number (canonical) or
    /// boolean; `None` for all else.
    #[must_use]
    pub fn text(self) -> Option<std::borrow::Cow<'a, str>> {
        None // stub
    }

    /// Appends the value as canonical compact JSON: members in RFC 8785
    /// order, numbers canonical, strings escaped as RFC 8785 does. Absent
    /// writes `null`. Equal values, equal texts.
    pub fn write_canonical(self, out: &mut String) {
        let _ = out; // stub
    }

    /// Calls `each` with every element of an array until it says `false`;
    /// string elements are decoded. Nothing for other kinds.
    pub fn elements(self, each: &mut dyn FnMut(Item<'_>) -> bool) {
        let _ = each; // stub
    }
}
