//! What the rows with a tag mean, each form once: code generation writes them, the verifier, the
//! evaluator and the disassembler read them.

use hookc_base::{ConstTag, Mode, OnError, OnFailure, SegmentTag, SelectorTag, TemplateTag, ViewKind};

use super::{Argument, Const, Hook, INLINE, NONE, Range, Segment, Selector, Template, U32, View};

/// A template node by its tag. Numbers are rows of the tables that the names say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateForm {
    /// A constant.
    Const(u32),
    /// The value of a slot, or the default for absent and null.
    Slot {
        /// The slot.
        slot: u32,
        /// A constant; without one, null.
        default: Option<u32>,
    },
    /// The texts of string constants and slots, joined: a range of the index table.
    Text(Range),
    /// An array of nodes: a range of the index table.
    Array(Range),
    /// An object, keys and nodes alternating: a range of the index table.
    Object(Range),
    /// The list of the nodes of a query, or the default for none.
    Nodes {
        /// The query.
        query: u32,
        /// A constant; without one, the empty list.
        default: Option<u32>,
    },
    /// What made the condition of the hook true: a range of the index table. Tests, as hooks have them, and predicates
    /// about effects alternate: the first predicate whose test is true.
    Because(Range),
}

impl Template {
    /// The row of a form.
    #[must_use]
    pub fn new(form: TemplateForm) -> Self {
        let of_range = |range: Range| (range.start, range.length);
        let or_none = |default: Option<u32>| default.unwrap_or(NONE).into();
        let (tag, (a, b)) = match form {
            TemplateForm::Const(constant) => (TemplateTag::Const, (constant.into(), U32::ZERO)),
            TemplateForm::Slot { slot, default } => (TemplateTag::Slot, (slot.into(), or_none(default))),
            TemplateForm::Text(range) => (TemplateTag::Text, of_range(range)),
            TemplateForm::Array(range) => (TemplateTag::Array, of_range(range)),
            TemplateForm::Object(range) => (TemplateTag::Object, of_range(range)),
            TemplateForm::Nodes { query, default } => (TemplateTag::Nodes, (query.into(), or_none(default))),
            TemplateForm::Because(range) => (TemplateTag::Because, of_range(range)),
        };
        Self { tag: u32::from(tag.number()).into(), a, b }
    }

    /// The form of the row; `None` for an unknown tag, which no verified module has.
    #[must_use]
    pub fn form(&self) -> Option<TemplateForm> {
        let range = Range { start: self.a, length: self.b };
        let default = Some(self.b.get()).filter(|default| *default != NONE);
        Some(match TemplateTag::from_number(narrow(self.tag.get())?)? {
            TemplateTag::Const => TemplateForm::Const(self.a.get()),
            TemplateTag::Slot => TemplateForm::Slot { slot: self.a.get(), default },
            TemplateTag::Text => TemplateForm::Text(range),
            TemplateTag::Array => TemplateForm::Array(range),
            TemplateTag::Object => TemplateForm::Object(range),
            TemplateTag::Nodes => TemplateForm::Nodes { query: self.a.get(), default },
            TemplateTag::Because => TemplateForm::Because(range),
        })
    }
}

/// What a hook tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookTest {
    /// A condition.
    Cond(u32),
    /// A predicate, which then needs no condition.
    Pred(u32),
}

impl HookTest {
    /// The number in the row.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Cond(cond) => cond,
            Self::Pred(pred) => pred | INLINE,
        }
    }

    /// The test of a number in a row.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        match number {
            pred if pred & INLINE != 0 => Self::Pred(pred & !INLINE),
            cond => Self::Cond(cond),
        }
    }
}

impl Hook {
    /// What it tests.
    #[inline]
    #[must_use]
    pub const fn test(&self) -> HookTest {
        HookTest::from_number(self.cond.get())
    }

    /// Whether it decides: neither warns nor is only logged.
    #[inline]
    #[must_use]
    pub const fn enforces(&self) -> bool {
        self.modes & PAIR == 0
    }

    /// Its mode; `None` for an unknown number, which no verified module has.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        Mode::from_number(self.modes & PAIR)
    }

    /// How errors of its action are handled, if it says so.
    #[must_use]
    pub fn on_error(&self) -> Option<OnError> {
        OnError::from_number(self.modes >> 2 & PAIR)
    }

    /// Its failure mode, if it says so.
    #[must_use]
    pub fn on_failure(&self) -> Option<OnFailure> {
        OnFailure::from_number(self.modes >> 4 & PAIR)
    }

    /// The three in one byte, as [`Hook::modes`] has them.
    #[must_use]
    pub fn modes(mode: Mode, on_error: Option<OnError>, on_failure: Option<OnFailure>) -> u8 {
        let (error, failure) = (on_error.map_or(0, OnError::number), on_failure.map_or(0, OnFailure::number));
        mode.number() | error << 2 | failure << 4
    }

    /// Whether the byte is that of its three parts.
    #[inline]
    pub(crate) fn has_known_modes(&self) -> bool {
        self.modes == 0 || self.is_of_known_parts()
    }

    fn is_of_known_parts(&self) -> bool {
        let known = self.mode().map(|mode| Self::modes(mode, self.on_error(), self.on_failure()));
        known == Some(self.modes)
    }
}

/// The bits of a number in [`Hook::modes`].
const PAIR: u8 = 3;

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamValue {
    /// A template node.
    Template(u32),
    /// A constant, which then needs no node.
    Const(u32),
}

impl ParamValue {
    /// The number in the row.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Template(node) => node,
            Self::Const(constant) => constant | INLINE,
        }
    }
}

impl Argument {
    /// The value.
    #[must_use]
    pub const fn value(&self) -> ParamValue {
        match self.node.get() {
            constant if constant & INLINE != 0 => ParamValue::Const(constant & !INLINE),
            node => ParamValue::Template(node),
        }
    }
}

/// A selector by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorForm {
    /// The member named by a string.
    Name(u32),
    /// All children.
    Wildcard,
    /// The element at an index, negative from the end.
    Index(i64),
    /// A slice of the elements.
    Slice {
        /// Its first index, if it has a bound there.
        start: Option<i64>,
        /// The index after its last, if it has a bound there.
        end: Option<i64>,
        /// From one element to the next.
        step: i64,
    },
    /// The children for which a row of the filter table is true.
    Filter(u32),
}

/// The bits of the bounds that a slice has.
const START: u8 = 1;
const END: u8 = 2;

impl Selector {
    /// The row of a form.
    #[must_use]
    pub fn new(form: SelectorForm) -> Self {
        let (tag, has, [a, b, c]) = match form {
            SelectorForm::Name(name) => (SelectorTag::Name, 0, [name.into(), 0, 0]),
            SelectorForm::Wildcard => (SelectorTag::Wildcard, 0, [0; 3]),
            SelectorForm::Index(index) => (SelectorTag::Index, 0, [index, 0, 0]),
            SelectorForm::Slice { start, end, step } => {
                let has = if start.is_some() { START } else { 0 } | if end.is_some() { END } else { 0 };
                (SelectorTag::Slice, has, [start.unwrap_or(0), end.unwrap_or(0), step])
            }
            SelectorForm::Filter(filter) => (SelectorTag::Filter, 0, [filter.into(), 0, 0]),
        };
        Self { tag: tag.number(), has, zero: [0; 2], a: a.into(), b: b.into(), c: c.into() }
    }

    /// The form of the row; `None` for an unknown tag and for a number that no row has, neither of
    /// which a verified module contains.
    #[must_use]
    pub fn form(&self) -> Option<SelectorForm> {
        let row = || u32::try_from(self.a.get()).ok();
        Some(match SelectorTag::from_number(self.tag)? {
            SelectorTag::Name => SelectorForm::Name(row()?),
            SelectorTag::Wildcard => SelectorForm::Wildcard,
            SelectorTag::Index => SelectorForm::Index(self.a.get()),
            SelectorTag::Slice => SelectorForm::Slice {
                start: (self.has & START != 0).then(|| self.a.get()),
                end: (self.has & END != 0).then(|| self.b.get()),
                step: self.c.get(),
            },
            SelectorTag::Filter => SelectorForm::Filter(row()?),
        })
    }
}

impl Segment {
    /// A segment with its selectors.
    #[must_use]
    pub fn new(kind: SegmentTag, selectors: Range) -> Self {
        Self { tag: u32::from(kind.number()).into(), selectors }
    }

    /// Where it selects from; `None` for an unknown tag, which no verified module has.
    #[must_use]
    pub fn kind(&self) -> Option<SegmentTag> {
        SegmentTag::from_number(narrow(self.tag.get())?)
    }
}

impl Const {
    /// A constant with the string of its value, if it has one.
    #[must_use]
    pub fn new(kind: ConstTag, text: Option<u32>) -> Self {
        Self { tag: u32::from(kind.number()).into(), text: text.unwrap_or(NONE).into() }
    }

    /// What it is; `None` for an unknown tag, which no verified module has.
    #[must_use]
    pub fn kind(&self) -> Option<ConstTag> {
        ConstTag::from_number(narrow(self.tag.get())?)
    }
}

impl View {
    /// What it shows; `None` for an unknown number, which no verified module has.
    #[must_use]
    pub fn kind(&self) -> Option<ViewKind> {
        ViewKind::from_number(narrow(self.kind.get())?)
    }

    /// The slot of its text; `None` if it has none.
    #[must_use]
    pub fn text(&self) -> Option<u32> {
        self.kind().filter(|kind| kind.reads_text()).map(|_| self.source.get())
    }
}

fn narrow(tag: u32) -> Option<u8> {
    u8::try_from(tag).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_lead_back_to_their_forms() {
        let range = Range { start: 3.into(), length: 4.into() };
        let templates = [
            TemplateForm::Const(1),
            TemplateForm::Slot { slot: 2, default: None },
            TemplateForm::Slot { slot: 2, default: Some(0) },
            TemplateForm::Text(range),
            TemplateForm::Array(range),
            TemplateForm::Object(range),
            TemplateForm::Nodes { query: 5, default: Some(6) },
        ];
        for form in templates {
            assert_eq!(Template::new(form).form(), Some(form));
        }
        let selectors = [
            SelectorForm::Name(7),
            SelectorForm::Wildcard,
            SelectorForm::Index(-1),
            SelectorForm::Slice { start: Some(0), end: None, step: -1 },
            SelectorForm::Slice { start: None, end: Some(i64::MIN), step: 1 },
            SelectorForm::Filter(u32::MAX),
        ];
        for form in selectors {
            assert_eq!(Selector::new(form).form(), Some(form));
        }
        for kind in SegmentTag::ALL {
            assert_eq!(Segment::new(*kind, range).kind(), Some(*kind));
        }
        for kind in ConstTag::ALL {
            assert_eq!(Const::new(*kind, None).kind(), Some(*kind));
        }
    }

    #[test]
    fn unknown_tags_have_no_form() {
        let known = u32::from(TemplateTag::ALL.last().unwrap().number());
        for tag in [known + 1, 256, u32::MAX] {
            assert_eq!(Template { tag: tag.into(), a: U32::ZERO, b: U32::ZERO }.form(), None);
        }
        let selector = Selector::new(SelectorForm::Filter(0));
        assert_eq!(Selector { tag: 5, ..selector }.form(), None);
        assert_eq!(Selector { a: (-1).into(), ..selector }.form(), None);
        assert_eq!(Selector { a: (1 << 32).into(), ..selector }.form(), None);
    }
}
