//! Builds a leaf of a condition from its parts, for all notations: the rules of its shape. The
//! checker tests whether the operator accepts the value or its absence.

use std::borrow::Cow;

use hookc_schema::decode::listed as list;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, Right};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use crate::expr::path::PathCache;

/// The present parts of a leaf as written.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'v> {
    /// The whole leaf.
    pub(crate) span: Span,
    /// How many levels of conditions can be inside, in values of the history.
    pub(crate) room: usize,
    /// `path`
    pub(crate) path: Option<Spanned<Cow<'v, Text>>>,
    /// `op`
    pub(crate) op: Option<Spanned<Cow<'v, str>>>,
    /// `value`
    pub(crate) value: Option<Value>,
    /// `value_path`
    pub(crate) value_path: Option<Spanned<Cow<'v, Text>>>,
    /// `ignore_case`
    pub(crate) ignore_case: Option<Spanned<bool>>,
    /// `assert_format`
    pub(crate) assert_format: Option<Spanned<bool>>,
}

/// Builds the leaf. All errors of its shape are reported, with the result `None`.
pub(crate) fn build(parts: Parts<'_>, paths: &mut PathCache, out: &mut Diagnostics) -> Option<Cond> {
    let Parts { span, room, path, op, value, value_path, ignore_case, assert_format } = parts;
    let path = match path {
        Some(path) => paths.parse_within(&path.node, path.span, room, out),
        None => {
            let missing = Diagnostic::new(Code::E0202, span, "a condition without `path`");
            out.push(
                missing
                    .with_label("no `path`")
                    .help("write the field to test: `path` is a field such as `error.code`"),
            );
            None
        }
    };
    let op = operator(op, span, &value, &value_path, out);
    let right_path =
        value_path.as_ref().and_then(|path| paths.parse_within(&path.node, path.span, room, out));
    let right = right(op.as_ref(), (value, value_path), right_path, out);
    let set =
        |flag: Option<Spanned<bool>>| flag.filter(|flag| flag.node).map(|flag| Spanned::new((), flag.span));
    let leaf = Leaf {
        path: path?,
        op: op?,
        right: right?,
        ignore_case: set(ignore_case),
        assert_format: set(assert_format),
    };
    Some(Cond { span, kind: CondKind::Leaf(leaf.into()) })
}

fn operator(
    op: Option<Spanned<Cow<'_, str>>>,
    span: Span,
    value: &Option<Value>,
    value_path: &Option<Spanned<Cow<'_, Text>>>,
    out: &mut Diagnostics,
) -> Option<Spanned<Op>> {
    let names = || Op::ALL.iter().map(|op| op.name());
    let Some(op) = op else {
        let right = value.as_ref().map(|value| value.span).or(value_path.as_ref().map(|path| path.span));
        let Some(right) = right else {
            let missing =
                Diagnostic::new(Code::E0202, span, "a condition without `op`").with_label("no `op`");
            let help = format!("write one of {}", list(names()));
            out.push(missing.help(help));
            return None;
        };
        let missing = Diagnostic::new(Code::W0211, right, "a value without `op`: read as `eq`");
        out.push(missing.with_label("read as `eq`").help("write `op` as `eq`"));
        return Some(Spanned::new(Op::Eq, right));
    };
    if let Some(known) = Op::from_name(&op.node) {
        return Some(Spanned::new(known, op.span));
    }
    let unknown = Diagnostic::new(Code::E0401, op.span, format!("unknown operator `{}`", op.node));
    let unknown = unknown.with_label("unknown").help(format!("the operators are {}", list(names())));
    let spelled = Op::ALL.iter().find(|known| op.node == known.symbol() || op.node == known.as_str());
    let near = spelled.map(|op| op.name()).or_else(|| nearest(&op.node, names()));
    out.push(match op.node.strip_prefix("not_").and_then(Op::from_name) {
        Some(op) => unknown.help(format!("wrap a condition with `{}` in `not`", op.name())),
        None => unknown.did_you_mean(near, op.span),
    });
    None
}

fn right(
    op: Option<&Spanned<Op>>,
    (value, value_path): (Option<Value>, Option<Spanned<Cow<'_, Text>>>),
    path: Option<Path>,
    out: &mut Diagnostics,
) -> Option<Right> {
    let exists = op.is_some_and(|op| op.node == Op::Exists);
    match (value, value_path) {
        (Some(value), Some(path)) => {
            let both = Diagnostic::new(Code::E0403, path.span, "`value` and `value_path` in one condition");
            out.push(both.with_label("extra").also(value.span, "the value").help("remove one of the two"));
            None
        }
        // `exists` already tests this.
        (Some(value), None) if exists && value.kind == Kind::Bool(true) => Some(Right::None),
        (Some(value), None) => Some(Right::Value(value.into())),
        (None, Some(_)) => path.map(Right::Path),
        (None, None) => Some(Right::None),
    }
}
