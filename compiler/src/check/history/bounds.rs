//! What a monitor has to keep to answer an operator: everything is bounded, so a count over a window needs a number
//! that is written in the policy.

use hookc_base::row_number;
use hookc_history::{Kind, limits};
use hookc_schema::tree::{Op, Path, Selection};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Span, value};

use super::scope::TiedPattern;
use crate::check::Cx;

/// The largest number that a count over a window is compared with.
const COUNT: u64 = limits::COUNT as u64 - 1;

/// The most paths of a tuple whose different values are counted.
const PATHS: usize = hookc_vm::limits::HISTORY_TIE_PATHS;

/// What is asked of a selection.
pub(super) enum Need<'n> {
    /// The latest event.
    Latest,
    /// A number of events, which is compared with a literal.
    Count(Option<Bound<'n>>),
    /// The sum of the numbers at a path.
    Sum(&'n Path),
    /// A number of different values at these paths, which is compared with a literal.
    Distinct(&'n [Path], Option<Bound<'n>>),
    /// The value at a path of one of the last events, from 1.
    Last {
        /// Which one.
        back: u8,
        /// The path.
        path: &'n Path,
    },
}

/// A comparison with a literal.
#[derive(Clone, Copy)]
pub(super) struct Bound<'n> {
    pub(super) op: Op,
    pub(super) value: &'n Value,
}

impl Need<'_> {
    /// The paths of the past event whose values are kept.
    pub(super) fn values(&self) -> impl Iterator<Item = &Path> {
        let paths = match self {
            Self::Latest | Self::Count(_) => &[],
            Self::Sum(path) | Self::Last { path, .. } => std::slice::from_ref(*path),
            Self::Distinct(paths, _) => paths,
        };
        paths.iter()
    }

    /// Which of the last events it means; 0 if it means no single one.
    pub(super) fn back(&self) -> u8 {
        match self {
            Self::Last { back, .. } => *back,
            Self::Latest | Self::Count(_) | Self::Sum(_) | Self::Distinct(..) => 0,
        }
    }

    /// Whether it asks for more than the latest event.
    pub(super) fn is_about_several(&self) -> bool {
        match self {
            Self::Count(_) | Self::Distinct(..) => true,
            Self::Last { back, .. } => *back > 1,
            Self::Latest | Self::Sum(_) => false,
        }
    }

    fn operator(&self) -> &'static str {
        match self {
            Self::Latest => "formerly",
            Self::Count(_) => "count",
            Self::Sum(_) => "sum",
            Self::Distinct(..) => "distinct",
            Self::Last { .. } => "last",
        }
    }
}

/// What the monitor of a selection keeps; `None` after an error.
pub(super) fn kind(
    need: &Need<'_>,
    of: &TiedPattern,
    (has_window, is_anchor_tied): (bool, bool),
    selection: &Selection,
    cx: &mut Cx<'_>,
) -> Option<Kind> {
    let span = selection.span.0;
    if let Need::Latest = need {
        return Some(of.latest());
    }
    if of.conjuncts() > 0 {
        return cx.fail(negated(need, selection.of.span.0));
    }
    if let Some(path) = need.values().nth(PATHS) {
        let what = format!("`distinct` of more than {PATHS} paths");
        return cx.fail(Diagnostic::new(Code::E0458, path.span, what).with_label("one too many"));
    }
    let restarts = !has_window && !is_anchor_tied;
    match need {
        Need::Count(None) if restarts => Some(Kind::Counter),
        Need::Count(Some(_)) if restarts && !of.has_several_keys() => Some(Kind::Counter),
        Need::Count(bound) => Some(Kind::Recent { capacity: capacity(need, *bound, span, cx)? }),
        Need::Distinct(_, bound) => {
            if is_anchor_tied {
                let what = "`distinct` since an event that is compared with the current one";
                let new = Diagnostic::new(Code::E0458, span, what).with_label("not bounded");
                return cx.fail(new.help("write `since` with an event type or a fact alone"));
            }
            Some(Kind::Distinct { capacity: capacity(need, *bound, span, cx)? })
        }
        Need::Sum(_) if restarts && !of.has_several_keys() => Some(Kind::Total),
        Need::Sum(_) => Some(Kind::Sums),
        Need::Last { back, .. } => Some(Kind::Last { capacity: *back, values: 1 }),
        Need::Latest => None,
    }
}

fn negated(need: &Need<'_>, span: Span) -> Diagnostic {
    let what = format!("`{}` of events that differ from the current one", need.operator());
    Diagnostic::new(Code::E0455, span, what)
        .with_label("each past event would have to be kept")
        .help("only `formerly` and the pattern of `since` take a negated comparison with `now`")
}

/// How many entries decide a comparison; `None` after an error.
fn capacity(need: &Need<'_>, bound: Option<Bound<'_>>, span: Span, cx: &mut Cx<'_>) -> Option<u16> {
    let operator = need.operator();
    let Some(Bound { op, value }) = bound else {
        let what =
            format!("`{operator}` over a window, or since a compared event, needs a number to compare with");
        let new = Diagnostic::new(Code::E0458, span, what).with_label("not bounded");
        return cx.fail(new.help(format!("write the number in the policy: `{operator}(...) >= 3`")));
    };
    let Some(number) = whole_number(value) else {
        let what = format!("`{operator}` is compared with a whole number from 0 to {COUNT}");
        let new = Diagnostic::new(Code::E0458, value.span, what).with_label("not such a number");
        return cx.fail(new.note("so many of the latest events are kept"));
    };
    let entries = if op == Op::Gte { number.max(1) } else { number.saturating_add(1) };
    u16::try_from(entries).ok()
}

/// The number that a literal is, if it is within the limit.
fn whole_number(literal: &Value) -> Option<u64> {
    let value::Kind::Num(number) = &literal.kind else { return None };
    let canonical = hookc_vm::format::number::canonical(&number.0).ok()?;
    canonical.parse().ok().filter(|number| *number <= COUNT)
}

/// The number of an event that `last` means.
pub(super) fn back(nth: Option<u64>) -> u8 {
    u8::try_from(row_number(usize::try_from(nth.unwrap_or(1)).unwrap_or(usize::MAX))).unwrap_or(u8::MAX)
}
