//! Tests that compare a text with a field which never has it, or can hardly be meant to: each lint is a row of a table.
//!
//! A row has the code, the fields and the operators that it is about, the function that judges a text, and what it says.
//! The part of the text that is wrong, and what to write, come from that function.
//!
//! | table | judges | codes |
//! |---|---|---|
//! | [`fields::ROWS`] | a test by itself, by the name of its field | W0617, W0622, W0624, W0628 |
//! | [`paths::ROWS`] | a test of the name of a file, at an event | W0620, W0622, W0623 |
//! | [`views::ROWS`] | a test of a member of a view | W0617, W0620, W0622 |
//! | [`fields::TEMPLATES`] | a test of any text, at an event | W0618 |
//!
//! Others are files:
//!
//! | file | codes |
//! |---|---|
//! | `alternatives` | W0653 |
//! | `certain` | W0601, W0604, W0670 |
//! | `event_name` | W0601, W0604 |
//! | `known_values` | W0615, W0627, W0637 |
//! | `misread` | W0674, W0676, W0677 |
//! | `vacuous` | W0610 |

mod alternatives;
mod certain;
mod event_name;
mod fields;
mod known_values;
mod misread;
mod paths;
mod pattern_like;
mod vacuous;
mod views;

use std::borrow::Cow;
use std::rc::Rc;

use hookc_schema::tree::{Family, Leaf, Op, Right, ViewKind};
use hookc_schema::value::Value;
use hookc_schema::vocab::{EventType, FieldSchema, ViewMember};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_syntax::expr::print;
use hookc_syntax::pattern::LiteralTest;
use hookc_syntax::pattern::slashes::{PATTERN, enclosed, report};

pub(crate) use alternatives::alternatives;
pub(crate) use certain::certain;
pub(crate) use event_name::event_name;
pub(crate) use paths::absolute;
pub(crate) use vacuous::vacuous;

use crate::fields::is_tool_name;
use crate::tools::{Table, ToolSet};

/// Operators that compare a whole text.
const WHOLE: &[Op] = &[Op::Eq, Op::Ne, Op::In];
/// Operators that compare a text literally.
const LITERAL: &[Op] = &[Op::Eq, Op::Ne, Op::In, Op::Contains, Op::StartsWith, Op::EndsWith];
const GLOB: &[Op] = &[Op::Glob];
/// Any operator.
const ANY: &[Op] = &[];

/// A lint about a text with which a test compares.
struct Row {
    code: Code,
    about: Subject,
    /// Its operators; any if empty.
    ops: &'static [Op],
    judge: fn(&Tested<'_>) -> Option<Wrong>,
    /// The message, in which `{path}`, `{op}`, `{text}` and `{part}` are filled in; so is the note.
    message: &'static str,
    label: &'static str,
    note: &'static str,
}

/// The fields whose tests a row is about.
enum Subject {
    /// Fields with one of these names.
    Named(&'static [&'static str]),
    /// These members of views.
    Members(&'static [ViewMember]),
    /// These members of the view of a path.
    OfFile(&'static [ViewMember]),
    /// Fields for which this is true.
    If(fn(&Tested<'_>) -> bool),
}

impl Subject {
    fn has(&self, tested: &Tested<'_>) -> bool {
        let is_one = |members: &[ViewMember]| tested.member().is_some_and(|member| members.contains(&member));
        match self {
            Self::Named(names) => names.contains(&&*tested.field),
            Self::Members(members) => is_one(members),
            Self::OfFile(members) => is_one(members) && tested.is_in(ViewKind::File),
            Self::If(is_meant) => is_meant(tested),
        }
    }
}

/// `CODE fields, operators, judge => "message", "label", "note";`
macro_rules! rows {
    ($($code:ident $about:expr, $ops:expr, $judge:expr => $message:literal, $label:literal $(, $note:literal)?;)*) => {
        &[$($crate::lint::leaf::Row {
            code: hookc_schema::Code::$code,
            about: $about,
            ops: $ops,
            judge: $judge,
            message: $message,
            label: $label,
            note: concat!("" $(, $note)?),
        },)*]
    };
}
use rows;

/// What a row says about a text.
struct Wrong {
    /// The part of the text that the message names.
    part: String,
    note: Option<String>,
    /// What to write.
    help: String,
}

impl Wrong {
    fn new(part: impl Into<String>, help: impl Into<String>) -> Self {
        Self { part: part.into(), note: None, help: help.into() }
    }

    /// With a help, and without a part.
    fn write(help: impl Into<String>) -> Self {
        Self::new("", help)
    }
}

/// What the checker knows about a test at an event.
pub(crate) struct Place<'a> {
    pub(crate) event: Option<&'a EventType>,
    /// The declaration of its field, or of each node.
    pub(crate) field: Option<&'a FieldSchema>,
    /// The plain text that its regular expression is.
    pub(crate) plain: Option<Rc<LiteralTest>>,
    /// Whether a relative path is meant for something else: a tool that nobody declares, an event of no agent, or a path
    /// that the condition also compares with absolute ones.
    pub(crate) takes_relative: bool,
    pub(crate) tools: &'a Table<'a>,
    /// The possible tools.
    pub(crate) here: ToolSet,
    /// Whether the hook allows, and whether an odd number of `not` is around the test.
    pub(crate) allows: bool,
    pub(crate) negated: bool,
}

/// A text that a leaf compares with, and how.
pub(crate) struct Compared<'l> {
    /// The operator; of a regular expression that is plain text, the equivalent one.
    pub(crate) op: Op,
    pub(crate) value: &'l Value,
    pub(crate) text: Cow<'l, str>,
}

/// The texts that a leaf compares with. `plain` is the plain text that its regular expression is.
pub(crate) fn compared<'l>(leaf: &'l Leaf, plain: Option<&'l LiteralTest>) -> Vec<Compared<'l>> {
    let op = if leaf.op.node == Op::In { Op::Eq } else { leaf.op.node };
    if op != Op::Regex {
        return leaf.texts().map(|(value, text)| Compared { op, value, text: text.into() }).collect();
    }
    let Right::Value(value) = &leaf.right else { return Vec::new() };
    let one = |plain: &'l LiteralTest| Compared { op: plain.op, value, text: plain.text.as_str().into() };
    plain.map(one).into_iter().collect()
}

/// A text with which a test compares.
struct Tested<'l> {
    leaf: &'l Leaf,
    /// As in [`Compared`].
    op: Op,
    value: &'l Value,
    text: Cow<'l, str>,
    /// The name at the end of its path.
    field: Cow<'l, str>,
    /// Where it is, if an event is known.
    place: Option<&'l Place<'l>>,
}

impl Tested<'_> {
    /// The member of a view to which its path leads.
    fn member(&self) -> Option<ViewMember> {
        self.declared()?.member
    }

    /// The declaration of its field.
    fn declared(&self) -> Option<&FieldSchema> {
        self.place?.field
    }

    fn is_in(&self, kind: ViewKind) -> bool {
        self.leaf.path.view(kind).is_some()
    }

    /// `PATH OPERATOR 'TEXT'`
    fn test(&self, op: &str, text: &str) -> String {
        format!("{} {op} {}", self.leaf.path.text, print::literal(text))
    }

    /// The text of its path with another last name.
    fn sibling(&self, from: &str, to: &str) -> Option<String> {
        sibling(self.leaf, from, to)
    }
}

/// The text of the path of a leaf with another last name.
pub(crate) fn sibling(leaf: &Leaf, from: &str, to: &str) -> Option<String> {
    Some(format!("{}{to}", leaf.path.text.strip_suffix(from).filter(|rest| rest.ends_with('.'))?))
}

impl Row {
    fn check(&self, tested: &Tested<'_>) -> Option<Diagnostic> {
        let is_meant = self.ops.is_empty() || self.ops.contains(&tested.op);
        let wrong = (self.judge)(Some(tested).filter(|one| is_meant && self.about.has(one))?)?;
        let fill = |text: &str| {
            let mut parts = text.split(['{', '}']);
            let mut filled = parts.next().unwrap_or_default().to_owned();
            while let (Some(name), Some(rest)) = (parts.next(), parts.next()) {
                filled.push_str(match name {
                    "path" => &tested.leaf.path.text,
                    "op" => tested.leaf.op.node.name(),
                    "text" => &tested.text,
                    _ => &wrong.part,
                });
                filled.push_str(rest);
            }
            filled
        };
        let new = Diagnostic::new(self.code, tested.value.span, fill(self.message)).with_label(self.label);
        let note = wrong.note.or_else(|| (!self.note.is_empty()).then(|| fill(self.note)));
        let new = new.help(wrong.help);
        Some(if let Some(note) = note { new.note(note) } else { new })
    }
}

/// What is wrong with a test, whatever the event.
pub(crate) fn once(leaf: &Leaf) -> Vec<Diagnostic> {
    let between_slashes = slashes(leaf);
    let field = leaf.path.last_name().filter(|field| !fields::holds_anything(field)).unwrap_or_default();
    let first = |(value, text): (&Value, &str)| {
        let (op, text) = (leaf.op.node, text.to_owned().into());
        let tested = Tested { leaf, op, value, text, field: field.clone(), place: None };
        let mut rows = fields::ROWS.iter().filter(|row| between_slashes.is_none() || row.code != Code::W0617);
        rows.find_map(|row| row.check(&tested))
    };
    leaf.texts().filter_map(first).chain(between_slashes.clone()).collect()
}

/// A regular expression between slashes where text is compared, or a name that has no slashes (W0625). Those of `=~` are
/// reported with the pattern.
fn slashes(leaf: &Leaf) -> Option<Diagnostic> {
    let Right::Value(value) = &leaf.right else { return None };
    let found = enclosed(value.as_str()?)?;
    let is_tool = is_tool_name(&leaf.path);
    match leaf.op.node {
        Op::Regex if is_tool && !found.is_pattern() => Some(report(value, PATTERN, found.help(""))),
        Op::Eq | Op::Ne | Op::Contains | Op::StartsWith | Op::EndsWith | Op::Glob
            if is_tool || found.is_pattern_in_text() =>
        {
            let what = format!("`{}` compares text, and the slashes are a part of it", leaf.op.node.name());
            Some(report(value, &what, found.help("=~ ")))
        }
        _ => None,
    }
}

/// What is wrong with a test at an event. `is_reported` is whether a code is reported at a span.
pub(crate) fn at_event(
    leaf: &Leaf,
    place: &Place<'_>,
    is_reported: impl Fn(Code, Span) -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let field = leaf.path.last_name().unwrap_or_default();
    let tested = |op, value, text| Tested { leaf, op, value, text, field: field.clone(), place: Some(place) };
    for (value, text) in leaf.texts() {
        let one = tested(leaf.op.node, value, text.into());
        let is_judged = place.field.and_then(|field| field.member).is_none()
            && !text.contains(char::is_control)
            && !is_reported(Code::W0617, value.span);
        let first = paths::ROWS.iter().filter(|_| is_judged).find_map(|row| row.check(&one));
        found.extend(first);
        found.extend(fields::TEMPLATES.iter().filter_map(|row| row.check(&one)));
    }
    if place.field.is_some_and(|field| field.member.is_some()) {
        for Compared { op, value, text } in views::texts(leaf, place.plain.as_deref()) {
            let one = tested(op, value, text);
            found.extend(views::ROWS.iter().filter_map(|row| row.check(&one)));
        }
        found.extend(certain::redirect(leaf));
    }
    if let Some(event) = place.event.filter(|event| event.family == Family::Agent) {
        found.extend(known_values::check(leaf, event));
        found.extend(misread::check(leaf, place));
    }
    found
}
