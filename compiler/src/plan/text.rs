//! Paths and predicates for people: as they would be written.

use hookc_schema::tree::Step;
use hookc_syntax::expr::print;
use hookc_vm::format::op::Op;

/// The steps of a path, in shorthand if possible.
pub(crate) fn shorthand(steps: &[Step]) -> String {
    match steps {
        steps if Step::around_view(steps).is_some() => print::steps(steps),
        [Step::Name(_), ..] => print::steps(steps),
        _ => {
            // The root itself, or an element of it: only a query can express that.
            let mut out = "$".to_owned();
            steps.iter().for_each(|step| bracket(step, &mut out));
            out
        }
    }
}

fn bracket(step: &Step, out: &mut String) {
    out.push('[');
    match step {
        Step::Name(name) => hookc_base::json::push_string(name, out),
        Step::Index(index) => out.push_str(&index.to_string()),
        Step::View(_) => {}
    }
    out.push(']');
}

/// A predicate as a leaf of a `when` expression, from the texts of its sides.
pub(crate) fn infix(op: Op, left: &str, right: &str) -> String {
    let fold = if op.mnemonic().ends_with("_fold") { " nocase" } else { "" };
    match op {
        Op::Exists => format!("exists({left})"),
        _ => format!("{left} {} {right}{fold}", symbol(op)),
    }
}

fn symbol(op: Op) -> &'static str {
    match op {
        Op::Eq | Op::EqFold | Op::EqSlot | Op::EqSlotFold => "==",
        Op::Gt | Op::GtSlot => ">",
        Op::Gte | Op::GteSlot => ">=",
        Op::Lt | Op::LtSlot => "<",
        Op::Lte | Op::LteSlot => "<=",
        Op::In | Op::InFold | Op::InSlot | Op::InSlotFold => "in",
        Op::Contains | Op::ContainsFold | Op::ContainsSlot | Op::ContainsSlotFold => "contains",
        Op::StartsWith | Op::StartsWithFold | Op::StartsWithSlot | Op::StartsWithSlotFold => "starts_with",
        Op::EndsWith | Op::EndsWithFold | Op::EndsWithSlot | Op::EndsWithSlotFold => "ends_with",
        Op::Regex | Op::RegexFold => "=~",
        Op::Glob | Op::GlobFold => "glob",
        code => code.mnemonic(),
    }
}
