//! Leaves to predicates.

use hookc_base::text::Case;
use hookc_schema::tree;
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};
use hookc_vm::format::op::Op;

use super::{Builder, Left, Pred, PredId, Right};
use crate::ir::{ReadPath, Test, TestRight};

impl Builder {
    /// The predicate of a leaf; an invalid one is reported.
    pub(super) fn pred(&mut self, test: &Spanned<Test>) -> Option<PredId> {
        let Spanned { node: test, span } = test;
        let Some((op, right)) = self.right(test) else {
            self.pool.problems.push(unfit(test.op, *span));
            return None;
        };
        let left = self.left(&test.path);
        let reads_history = matches!(left, Left::Recall(_)) || matches!(right, Right::Recall(_));
        let pred = match left {
            Left::Query(_) => {
                let inner = self.add(op, Left::Node, right);
                self.add(Op::Any, left, Right::Pred(inner))
            }
            left => self.add(op, left, right),
        };
        Some(if reads_history { self.add(Op::Recalled, Left::Pred(pred), Right::None) } else { pred })
    }

    pub(super) fn add(&mut self, op: Op, left: Left, right: Right) -> PredId {
        PredId::new(self.preds.add(Pred { op, left, right }))
    }

    fn right(&mut self, test: &Test) -> Option<(Op, Right)> {
        match &test.right {
            TestRight::None => {
                // An absent value is looked up as null.
                self.pool.null();
                (test.op == tree::Op::Exists).then_some((Op::Exists, Right::None))
            }
            TestRight::Value(value) => {
                let op = with_value(test.op, test.case)?;
                Some((op, self.value(test.op, value)?))
            }
            TestRight::Schema(graph) => Some(self.matches(graph)),
            TestRight::Path(path) => {
                let op = with_path(test.op, test.case)?;
                match path {
                    ReadPath::Bound(up, steps) => Some((op, Right::Bound(self.bound(*up, steps, false)))),
                    ReadPath::Recall(recall) => Some((op, Right::Recall(self.recall_value(recall)))),
                    path => Some((op, Right::Slot(self.slot(path)))),
                }
            }
        }
    }

    fn value(&mut self, op: tree::Op, value: &Value) -> Option<Right> {
        use tree::Op::{EndsWith, Glob, Gt, Gte, In, Lt, Lte, Regex, StartsWith};
        match (op, &value.kind) {
            (Regex, Kind::Str(text)) => Some(Right::Pattern(self.pool.pattern(&text.value))),
            (In | Glob, Kind::Seq(elements)) => Some(Right::List(self.pool.list(elements))),
            (Glob, Kind::Str(_)) => Some(Right::List(self.pool.list([value]))),
            (Regex | In | Glob, _) => None,
            (Gt | Gte | Lt | Lte, kind) if !matches!(kind, Kind::Num(_)) => None,
            (StartsWith | EndsWith, kind) if !matches!(kind, Kind::Str(_)) => None,
            _ => Some(Right::Const(self.pool.constant(value))),
        }
    }
}

fn unfit(op: tree::Op, span: Span) -> Diagnostic {
    let message = format!("a value that `{}` does not accept", op.name());
    Diagnostic::new(Code::E0402, span, message).with_label("in this condition")
}

/// The operation of a leaf against a literal.
fn with_value(op: tree::Op, case: Case) -> Option<Op> {
    use tree::Op as T;
    Some(match (op, case.is_ignored()) {
        (T::Eq, false) => Op::Eq,
        (T::Eq, true) => Op::EqFold,
        (T::Gt, _) => Op::Gt,
        (T::Gte, _) => Op::Gte,
        (T::Lt, _) => Op::Lt,
        (T::Lte, _) => Op::Lte,
        (T::In, false) => Op::In,
        (T::In, true) => Op::InFold,
        (T::Contains, false) => Op::Contains,
        (T::Contains, true) => Op::ContainsFold,
        (T::StartsWith, false) => Op::StartsWith,
        (T::StartsWith, true) => Op::StartsWithFold,
        (T::EndsWith, false) => Op::EndsWith,
        (T::EndsWith, true) => Op::EndsWithFold,
        (T::Regex, false) => Op::Regex,
        (T::Regex, true) => Op::RegexFold,
        (T::Glob, false) => Op::Glob,
        (T::Glob, true) => Op::GlobFold,
        (T::Ne | T::Exists | T::Matches, _) => return None,
    })
}

/// The operation of a leaf against another path.
fn with_path(op: tree::Op, case: Case) -> Option<Op> {
    use tree::Op as T;
    Some(match (op, case.is_ignored()) {
        (T::Eq, false) => Op::EqSlot,
        (T::Eq, true) => Op::EqSlotFold,
        (T::Gt, _) => Op::GtSlot,
        (T::Gte, _) => Op::GteSlot,
        (T::Lt, _) => Op::LtSlot,
        (T::Lte, _) => Op::LteSlot,
        (T::In, false) => Op::InSlot,
        (T::In, true) => Op::InSlotFold,
        (T::Contains, false) => Op::ContainsSlot,
        (T::Contains, true) => Op::ContainsSlotFold,
        (T::StartsWith, false) => Op::StartsWithSlot,
        (T::StartsWith, true) => Op::StartsWithSlotFold,
        (T::EndsWith, false) => Op::EndsWithSlot,
        (T::EndsWith, true) => Op::EndsWithSlotFold,
        (T::Ne | T::Regex | T::Glob | T::Exists | T::Matches, _) => return None,
    })
}
