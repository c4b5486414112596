//! Action values: templates parsed once, their paths resolved per event type.

use hookc_base::json::key_order;
use hookc_schema::tree::Path;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Span, Spanned};
use hookc_syntax::expr::template::{self, Piece, Template};

use super::event::Scope;
use super::{Cx, because, path, query, value};
use crate::ir::Rendered;

/// A value with parsed templates.
pub(super) enum Draft {
    /// No hole in it.
    Const(Value),
    /// A single `${path}` with its default.
    Hole(Path, Option<Value>),
    /// Text with holes.
    Text(Vec<Draft>),
    /// An array with holes.
    Seq(Vec<Draft>),
    /// An object with holes, in RFC 8785 key order.
    Map(Vec<(Spanned<String>, Draft)>),
}

/// Reads a value; strings are templates if `templates` is set. `None` after an error. The front
/// ends bound the recursion by the nesting.
pub(super) fn read(value: &Value, templates: bool, cx: &mut Cx<'_>) -> Option<Draft> {
    match &value.kind {
        Kind::Num(number) => value::number(number, value.span, cx.out).then(|| Draft::Const(value.clone())),
        Kind::Str(text) if templates => {
            let template = template::parse(text, value.span, cx.out)?;
            string(template, value, cx)
        }
        Kind::Seq(items) => {
            let items: Vec<_> = items.iter().map(|item| read(item, templates, cx)).collect();
            Some(seq(items.into_iter().collect::<Option<_>>()?, value.span))
        }
        Kind::Map(members) => {
            let member = |m: &Member| Some((m.key.clone(), read(&m.value, templates, cx)?));
            let members: Vec<_> = members.iter().map(member).collect();
            Some(map(members.into_iter().collect::<Option<_>>()?, value.span))
        }
        Kind::Null | Kind::Bool(_) | Kind::Str(_) => Some(Draft::Const(value.clone())),
    }
}

fn string(template: Template, value: &Value, cx: &mut Cx<'_>) -> Option<Draft> {
    let pieces: Vec<_> = template.pieces.into_iter().map(|piece| self::piece(piece, value, cx)).collect();
    let mut pieces = pieces.into_iter().collect::<Option<Vec<_>>>()?;
    Some(match (pieces.pop(), pieces.is_empty()) {
        (None, _) => Draft::Const(Value::string("", value.span)),
        (Some(only), true) => only,
        (Some(last), false) => {
            pieces.push(last);
            Draft::Text(pieces)
        }
    })
}

fn piece(piece: Piece, value: &Value, cx: &mut Cx<'_>) -> Option<Draft> {
    let (path, default) = match piece {
        Piece::Text(text) => return Some(Draft::Const(Value::string(text, value.span))),
        Piece::Hole { path, default } => (path, default),
    };
    let fine = default.as_ref().is_none_or(|default| value::numbers(default, cx.out));
    // The parser has rejected a path with several results inside text.
    let sound = query::check(&path, cx);
    (fine && sound).then(|| Draft::Hole(path, default.as_ref().map(value::sorted_copy)))
}

fn seq(items: Vec<Draft>, span: Span) -> Draft {
    if items.iter().any(Draft::has_hole) {
        return Draft::Seq(items);
    }
    Draft::Const(Value::new(Kind::Seq(items.into_iter().filter_map(Draft::into_const).collect()), span))
}

fn map(mut members: Vec<(Spanned<String>, Draft)>, span: Span) -> Draft {
    members.sort_by(|(a, _), (b, _)| key_order(&a.node, &b.node));
    if members.iter().any(|(_, draft)| draft.has_hole()) {
        return Draft::Map(members);
    }
    let member = |(key, draft): (_, Draft)| Some(Member { key, value: draft.into_const()? });
    Draft::Const(Value::new(Kind::Map(members.into_iter().filter_map(member).collect()), span))
}

impl Draft {
    /// Whether it is not a constant.
    pub(super) fn has_hole(&self) -> bool {
        !matches!(self, Self::Const(_))
    }

    fn into_const(self) -> Option<Value> {
        match self {
            Self::Const(value) => Some(value),
            Self::Hole(..) | Self::Text(_) | Self::Seq(_) | Self::Map(_) => None,
        }
    }

    /// The first path in it.
    pub(super) fn first_path(&self) -> Option<&Path> {
        match self {
            Self::Const(_) => None,
            Self::Hole(path, _) => Some(path),
            Self::Text(parts) | Self::Seq(parts) => parts.iter().find_map(Self::first_path),
            Self::Map(members) => members.iter().find_map(|(_, draft)| draft.first_path()),
        }
    }

    /// The value at one event type; `None` after an error.
    pub(super) fn resolve(&self, scope: &Scope, cx: &mut Cx<'_>) -> Option<Rendered> {
        match self {
            Self::Const(value) => Some(Rendered::Const(value.clone())),
            Self::Hole(path, _) if because::is_asked(path, scope) => because::resolve(path, cx),
            Self::Hole(path, default) => {
                let field = path::resolve(path, scope, cx)?;
                Some(Rendered::Slot(field.path, default.clone()))
            }
            Self::Text(parts) => resolve_all(parts, scope, cx).map(Rendered::Text),
            Self::Seq(items) => resolve_all(items, scope, cx).map(Rendered::Seq),
            Self::Map(members) => {
                let member = |(key, draft): &(Spanned<String>, Self)| {
                    Some((key.node.clone(), draft.resolve(scope, cx)?))
                };
                let members: Vec<_> = members.iter().map(member).collect();
                members.into_iter().collect::<Option<_>>().map(Rendered::Map)
            }
        }
    }
}

/// All parts are resolved even after an error, so that all errors are reported.
fn resolve_all(parts: &[Draft], scope: &Scope, cx: &mut Cx<'_>) -> Option<Vec<Rendered>> {
    let parts: Vec<_> = parts.iter().map(|part| part.resolve(scope, cx)).collect();
    parts.into_iter().collect()
}
