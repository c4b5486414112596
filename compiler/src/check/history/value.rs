//! Values of the history: `count`, `sum`, `distinct` and `last`, in comparisons and in templates.

use std::borrow::Cow;
use std::sync::Arc;

use hookc_schema::tree::{Leaf, Op, Path, PathKind, Recall, RecallOperator, Right, Step};
use hookc_schema::value::{Kind, Number, Value};
use hookc_schema::vocab::{FieldSchema, Type, TypeSet};
use hookc_schema::{Code, Diagnostic, Span, Spanned};
use hookc_syntax::expr::print;

use super::bounds::{self, Bound, Need};
use super::{check_path, past, scope};
use crate::check::event::Scope;
use crate::check::path::{self, Field};
use crate::check::{Cx, typed, value};
use crate::ir::{LowCond, PastRelation, PastRight, PastTest, ReadPath, RecallValue, Test, TestRight};

/// Whether a leaf is about a value of the history.
pub(in crate::check) fn reads_history(leaf: &Leaf) -> bool {
    leaf.path.recall().is_some() || right_recall(leaf).is_some()
}

fn right_recall(leaf: &Leaf) -> Option<(&Path, &Recall)> {
    let path = leaf.right_path()?;
    Some((path, path.recall()?))
}

/// A leaf about a value of the history, at one event type; `None` after an error.
pub(in crate::check) fn compare<'a>(
    leaf: &'a Leaf,
    span: Span,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<LowCond> {
    if !takes(leaf, cx) {
        return None;
    }
    let low = match operands(leaf).any(is_last) {
        true => test(leaf, span, scope, cx)?,
        false => related(leaf, span, scope, cx)?,
    };
    Some(if leaf.is_negated() { LowCond::Not(low.into()) } else { low })
}

/// The values of the history that a leaf reads.
fn operands(leaf: &Leaf) -> impl Iterator<Item = &Recall> {
    leaf.path.recall().into_iter().chain(right_recall(leaf).map(|(_, recall)| recall))
}

fn is_last(recall: &Recall) -> bool {
    matches!(recall.operator, RecallOperator::Last { .. })
}

/// Whether the operator of a leaf takes a value of the history.
fn takes(leaf: &Leaf, cx: &mut Cx<'_>) -> bool {
    let op = leaf.op.node;
    let is_comparison = matches!(op, Op::Eq | Op::Ne | Op::Gt | Op::Gte | Op::Lt | Op::Lte | Op::In);
    let number = operands(leaf).find(|recall| !is_last(recall));
    let new = match number {
        Some(recall) if !is_comparison || leaf.case().is_ignored() => {
            let what = format!("`{}` of `{}`, which is a number", op.name(), recall.operator.name());
            let new = Diagnostic::new(Code::E0459, leaf.op.span, what).with_label("compares text");
            new.help("compare it with `>=`, `>`, `<`, `<=`, `==`, `!=` or `in`")
        }
        _ => match right_recall(leaf) {
            Some((path, recall)) if op == Op::In => {
                let what = format!("`{}` is not a list", recall.operator.name());
                let new = Diagnostic::new(Code::E0459, path.span, what).with_label("a single value");
                new.help("compare it with `==`")
            }
            _ => return true,
        },
    };
    cx.report_once(new);
    false
}

/// Whether a leaf needs the texts of values of `last`, and not only their hashes.
fn is_text(leaf: &Leaf) -> bool {
    let is_plain =
        matches!(leaf.op.node, Op::Eq | Op::Ne | Op::Gt | Op::Gte | Op::Lt | Op::Lte | Op::In | Op::Exists);
    !is_plain || leaf.case().is_ignored()
}

/// A test of a value of `last`, whose result is unknown if the value is.
fn test<'a>(leaf: &'a Leaf, span: Span, scope: &Scope, cx: &mut Cx<'a>) -> Option<LowCond> {
    let is_text = is_text(leaf);
    let left = operand(&leaf.path, leaf, is_text, scope, cx);
    let is_presence = leaf.op.node == Op::Exists;
    let right = match &leaf.right {
        Right::None | Right::Value(_) if is_presence => {
            Some(TestRight::Value(Arc::new(Value::new(Kind::Null, leaf.op.span))))
        }
        Right::None => Some(TestRight::None),
        Right::Value(_) if leaf.op.node == Op::Matches => {
            cx.schemas.get(&std::ptr::from_ref(leaf)).map(|graph| TestRight::Schema(Arc::clone(graph)))
        }
        Right::Value(literal) => Some(TestRight::Value(value::sorted(literal))),
        Right::Path(path) => operand(path, leaf, is_text, scope, cx).map(TestRight::Path),
    };
    let op = match leaf.op.node {
        Op::Ne | Op::Exists => Op::Eq,
        op => op,
    };
    let test = Test { path: left?, op, right: right?, case: leaf.case(), never_list: false };
    let low = LowCond::Test(Arc::new(Spanned::new(test, span)));
    Some(if is_presence { LowCond::Not(low.into()) } else { low })
}

/// An operand of a test; `None` after an error.
fn operand<'a>(
    written: &'a Path,
    leaf: &'a Leaf,
    is_text: bool,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<ReadPath> {
    match written.recall() {
        Some(recall) => {
            let field = resolve(written, recall, is_text, scope, cx)?;
            if std::ptr::eq(written, &leaf.path) && matches!(leaf.right, Right::Value(_)) {
                typed::check(leaf, field.schema.as_deref(), None, cx);
            }
            Some(field.path)
        }
        None if std::ptr::eq(written, &leaf.path) => {
            path::resolve(written, scope, cx).map(|field| field.path)
        }
        None => path::resolve_right(leaf, written, scope, cx).map(|field| field.path),
    }
}

fn several(path: &Path) -> Diagnostic {
    let what =
        format!("`{}` can have several results, and is compared with a value of the history", path.text);
    Diagnostic::new(Code::E0459, path.span, what)
        .with_label("can have several results")
        .help("put `some(x in ...: ...)` around the comparison")
}

/// A comparison that the monitor answers.
fn related<'a>(leaf: &'a Leaf, span: Span, scope: &Scope, cx: &mut Cx<'a>) -> Option<LowCond> {
    let Some(recall) = leaf.path.recall() else {
        let (path, recall) = right_recall(leaf)?;
        let field = path::resolve(&leaf.path, scope, cx);
        let read = value(path, recall, None, scope, cx);
        let (field, recall) = (field?, read?);
        if let ReadPath::Nodes(_) = field.path {
            return cx.fail(several(&leaf.path));
        }
        let relation = PastRelation::Compare(flipped(leaf.op.node), PastRight::Path(field.path));
        return Some(past(PastTest { recall, relation }, span));
    };
    let op = if leaf.op.node == Op::Ne { Op::Eq } else { leaf.op.node };
    match &leaf.right {
        Right::None => None,
        Right::Value(literal) => literals(leaf, (op, literal), span, scope, cx),
        Right::Path(right) => {
            let left = value(&leaf.path, recall, None, scope, cx);
            let right = match right.recall() {
                Some(second) => {
                    value(right, second, None, scope, cx).map(|second| PastRight::Recall(Box::new(second)))
                }
                None => path::resolve_right(leaf, right, scope, cx).map(|field| PastRight::Path(field.path)),
            };
            let (recall, right) = (left?, right?);
            Some(past(PastTest { recall, relation: PastRelation::Compare(op, right) }, span))
        }
    }
}

/// A comparison with a literal; with each element of a list for `in`.
fn literals<'a>(
    leaf: &'a Leaf,
    (op, literal): (Op, &'a Arc<Value>),
    span: Span,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<LowCond> {
    let recall = leaf.path.recall()?;
    let mut most = None;
    let mut one = |op: Op, literal: &Value, cx: &mut Cx<'a>| {
        let recall = value(&leaf.path, recall, Some(Bound { op, value: literal }), scope, cx)?;
        most = recall.most;
        let right = PastRight::Value(value::sorted(&Arc::new(literal.clone())));
        Some(past(PastTest { recall, relation: PastRelation::Compare(op, right) }, span))
    };
    let low = match &literal.kind {
        Kind::Seq(items) if op == Op::In => {
            let each: Vec<_> = items.iter().map(|item| one(Op::Eq, item, cx)).collect();
            each.into_iter().collect::<Option<Vec<_>>>().map(|each| LowCond::Any(each.into()))
        }
        _ => one(op, literal, cx),
    };
    typed::check(leaf, Some(&number(&recall.operator, most)), None, cx);
    low
}

/// The declaration of a value that is a number. A number of events is at least 0, and a number of different values at most
/// that of the declared ones.
fn number(operator: &RecallOperator, most: Option<u64>) -> FieldSchema {
    let is_sum = matches!(operator, RecallOperator::Sum(_));
    let mut declared = FieldSchema::default();
    declared.types = TypeSet::only(if is_sum { Type::Number } else { Type::Integer });
    declared.minimum = (!is_sum).then(|| Number("0".to_owned()));
    let is_distinct = matches!(operator, RecallOperator::Distinct(_));
    declared.maximum = most.filter(|_| is_distinct).map(|most| Number(most.to_string()));
    declared
}

/// The operator with its sides exchanged.
fn flipped(op: Op) -> Op {
    match op {
        Op::Gt => Op::Lt,
        Op::Gte => Op::Lte,
        Op::Lt => Op::Gt,
        Op::Lte => Op::Gte,
        Op::Ne => Op::Eq,
        other => other,
    }
}

/// The read of a value; `None` after an error.
fn value<'a>(
    path: &'a Path,
    recall: &'a Recall,
    bound: Option<Bound<'_>>,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<RecallValue> {
    let text: Arc<str> = print::path(path).into();
    match &recall.operator {
        RecallOperator::Count => scope::read(&recall.selection, scope, &Need::Count(bound), text, cx),
        RecallOperator::Sum(of) => scope::read(&recall.selection, scope, &Need::Sum(of), text, cx),
        RecallOperator::Distinct(of) => {
            scope::read(&recall.selection, scope, &Need::Distinct(of, bound), text, cx)
        }
        RecallOperator::Last { nth, rest } => {
            let Some(steps) = rest.singular().filter(|steps| !steps.is_empty()) else {
                let (what, label) = match rest.segments.is_empty() {
                    true => ("`last(...)` without a path", "a whole event"),
                    false => ("a path after `last(...)` with several results", "can have several results"),
                };
                let new = Diagnostic::new(Code::E0459, path.span, what).with_label(label);
                return cx.fail(new.help("write the path of one value: `last(...).tool_input.file_path`"));
            };
            let back = bounds::back(nth.map(|nth| nth.node));
            let of = path_of(&steps, path.span);
            scope::read(&recall.selection, scope, &Need::Last { back, path: &of }, text, cx)
        }
    }
}

/// The path of steps, as an author writes it.
fn path_of(steps: &[Step], span: Span) -> Path {
    Path { span, text: print::steps(steps).into(), kind: PathKind::Short(steps.into()) }
}

/// A value of the history where a path is used: in a template, or as text. `None` after an error.
pub(super) fn resolve<'a, 's>(
    path: &'a Path,
    recall: &'a Recall,
    is_text: bool,
    scope: &Scope,
    cx: &mut Cx<'a>,
) -> Option<Field<'s>> {
    let read = value(path, recall, None, scope, cx)?;
    if is_text && is_last(recall) && !read.pattern.monitor.keeps_text && !read.types.within(numeric()) {
        let what = format!("the text of `{}` is not kept", path.text);
        let new = Diagnostic::new(Code::E0459, path.span, what).with_label("only its hash is known");
        return cx.fail(new.help("list its path in `keep:` of a fact, and name that fact here"));
    }
    let schema = if is_last(recall) { last(read.types) } else { number(&recall.operator, read.most) };
    Some(Field::one(ReadPath::Recall(Arc::new(read)), Some(Cow::Owned(schema))))
}

fn numeric() -> TypeSet {
    TypeSet::only(Type::Number).or(TypeSet::only(Type::Integer))
}

/// The declaration of a value of `last`, which is absent without such an event.
fn last(types: TypeSet) -> FieldSchema {
    let mut declared = FieldSchema::default();
    declared.types = types.or(TypeSet::only(Type::Null));
    declared
}

/// Whether the paths in the parentheses of a value are valid.
pub(super) fn check_paths(operator: &RecallOperator, cx: &mut Cx<'_>) -> bool {
    let paths: &[Path] = match operator {
        RecallOperator::Count | RecallOperator::Last { .. } => &[],
        RecallOperator::Sum(path) => std::slice::from_ref(path),
        RecallOperator::Distinct(paths) => paths,
    };
    paths.iter().filter(|path| !check_path(path, cx)).count() == 0
}
