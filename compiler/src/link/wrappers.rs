//! The wrappers of a module: all that its policies declare. One table serves all policies, because
//! the view of a command line is made once for all of them.

use std::collections::BTreeMap;

use hookc_schema::vocab::Wrapper;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell as shell;
use hookc_shell::limits;

use crate::ir::Checked;

/// The union, ascending by name; options of one name too. The numbers of operands must agree (E0504).
pub(super) fn union(policies: &[Checked], out: &mut Diagnostics) -> Vec<shell::Wrapper> {
    let mut all: BTreeMap<&str, Wrapper> = BTreeMap::new();
    for new in policies.iter().flat_map(|policy| &policy.wrappers) {
        let Some(before) = all.get_mut(new.name.node.as_str()) else {
            all.insert(&new.name.node, new.clone());
            continue;
        };
        if before.operands.node != new.operands.node {
            out.push(conflict(before, new));
        }
        before.options.extend_from_slice(&new.options);
        before.options.sort_unstable();
        before.options.dedup();
    }
    out.extend(over_limit(&all));
    let wrapper = |own: Wrapper| {
        shell::Wrapper::new(own.name.node).with_options(own.options).with_operands(own.operands.node)
    };
    all.into_values().map(wrapper).collect()
}

fn conflict(before: &Wrapper, new: &Wrapper) -> Diagnostic {
    let message = format!("conflicting declarations of the wrapper `{}`", new.name.node);
    let count = |wrapper: &Wrapper| match wrapper.operands.node {
        0 => "no operands of its own here".to_owned(),
        1 => "one operand of its own here".to_owned(),
        count => format!("{count} operands of its own here"),
    };
    let new = Diagnostic::new(Code::E0504, new.operands.span, message).with_label(count(new));
    let new = new.also(before.operands.span, count(before));
    new.help("write the same `operands` in both files, or declare it in one of them only")
}

fn over_limit(all: &BTreeMap<&str, Wrapper>) -> Option<Diagnostic> {
    if all.len() > limits::SHELL_WRAPPERS {
        let last = all.values().next_back()?;
        let what = format!("more than {} wrappers", limits::SHELL_WRAPPERS);
        return Some(Diagnostic::new(Code::E0703, last.name.span, what).with_label("exceeds the limit"));
    }
    let most = limits::SHELL_WRAPPER_OPTIONS;
    let many = all.values().find(|wrapper| wrapper.options.len() > most)?;
    let what = format!("the wrapper `{}` has more than {most} options with values", many.name.node);
    Some(Diagnostic::new(Code::E0703, many.name.span, what).with_label("exceeds the limit"))
}
