//! Queries by themselves: the numbers and patterns of their filters.

use hookc_schema::tree::{Part, Path, PathKind};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_syntax::pattern::{escape, iregexp};
use hookc_vm::format::iregexp::translate;

use super::{Cx, value};

const NO_IREGEXP: &str = "`\\d` is written `[0-9]`, `\\w` is written `[A-Za-z0-9_]`; flags, `\\b` and look-around do \
                          not exist there; the operator `regex` has them";
const TOO_LARGE: &str = "write ranges in ascending order, and smaller numbers for repetitions";

/// Whether the filters of a path are valid; all errors are reported.
pub(super) fn check(path: &Path, cx: &mut Cx<'_>) -> bool {
    filters(path, cx.out)
}

/// Like `check`, independent of the policy.
pub fn filters(path: &Path, out: &mut Diagnostics) -> bool {
    let query = match &path.kind {
        PathKind::Short(_) | PathKind::Recall(_) => return true,
        PathKind::Query(query) => query,
        PathKind::View(view) => &view.rest,
    };
    let mut sound = true;
    query.parts(&mut |part| match part {
        Part::Number(number) => sound &= value::number(number, path.span, out),
        Part::Pattern(whole, text)
            if escape::control_in_query(text, function(whole), path.span).is_some() =>
        {
            out.extend(escape::control_in_query(text, function(whole), path.span));
            sound = false;
        }
        Part::Pattern(whole, text) if iregexp(text, whole).is_none() => {
            let function = function(whole);
            let what = format!("`{function}` with the pattern `{text}` is never true");
            let (why, help) = match translate(text, whole) {
                None => ("not an I-Regexp (RFC 9485)", NO_IREGEXP),
                Some(_) => ("too large to compile, or a descending range", TOO_LARGE),
            };
            out.push(Diagnostic::new(Code::W0601, path.span, what).with_label(why).help(help));
        }
        Part::Query(..) | Part::Pattern(..) => {}
    });
    sound
}

fn function(whole: bool) -> &'static str {
    if whole { "match" } else { "search" }
}
