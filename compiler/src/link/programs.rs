//! The programs of a module: all that its policies describe, and all that they declare as wrappers. They serve all
//! policies, because a command line is read once for all of them.

use std::collections::BTreeMap;

use hookc_schema::vocab::Wrapper;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell as shell;
use hookc_shell::limits;
use hookc_shell::programs::{Described, Programs};

use crate::fault::Faults;
use crate::ir::{Checked, DescribedProgram};

/// The programs of all policies. What they say about a program must agree (E0504).
pub(super) fn union(policies: &[Checked], faults: &Faults, out: &mut Diagnostics) -> Programs {
    let wrappers = wrappers(policies, out);
    let described = described(policies, out);
    Programs::new(wrappers, described).unwrap_or_else(|_| {
        faults.note("the programs of the policies can be read");
        Programs::SHIPPED
    })
}

/// The programs that policies describe, ascending by name.
fn described(policies: &[Checked], out: &mut Diagnostics) -> Vec<Described> {
    let mut by_name: BTreeMap<&str, &DescribedProgram> = BTreeMap::new();
    let mut programs: BTreeMap<&str, &DescribedProgram> = BTreeMap::new();
    let declared = policies.iter().flat_map(|policy| &policy.wrappers);
    for new in policies.iter().flat_map(|policy| &policy.programs) {
        if programs.get(new.described.name.as_str()).is_some_and(|before| before.described == new.described) {
            continue;
        }
        let names = || new.names.iter().map(String::as_str);
        let before = names().find_map(|name| {
            let program = by_name.get(name).map(|program| program.span);
            let wrapper = || declared.clone().find(|wrapper| wrapper.name.node == name);
            let before = program.or_else(|| wrapper().map(|wrapper| wrapper.name.span))?;
            Some((name, before))
        });
        if let Some((name, before)) = before {
            let message = format!("conflicting declarations of the program `{name}`");
            let conflict = Diagnostic::new(Code::E0504, new.span, message).with_label("declared again");
            let conflict = conflict.also(before, "first here");
            out.push(conflict.help("write the same declaration in both files, or in one of them only"));
            continue;
        }
        by_name.extend(names().map(|name| (name, new)));
        programs.insert(&new.described.name, new);
    }
    if programs.len() > limits::SHELL_PROGRAMS
        && let Some(last) = programs.values().next_back()
    {
        let what = format!("more than {} programs", limits::SHELL_PROGRAMS);
        out.push(Diagnostic::new(Code::E0703, last.span, what).with_label("exceeds the limit"));
    }
    let regexes: usize = programs.values().map(|program| program.regexes).sum();
    if regexes > limits::SHELL_REGEXES
        && let Some(last) = programs.values().rfind(|program| program.regexes > 0)
    {
        let what = format!("more than {} regexes in programs", limits::SHELL_REGEXES);
        out.push(Diagnostic::new(Code::E0703, last.span, what).with_label("exceeds the limit"));
        return Vec::new();
    }
    programs.into_values().map(|program| program.described.clone()).collect()
}

/// The wrappers, ascending by name; options of one name too. The numbers of operands must agree (E0504).
fn wrappers(policies: &[Checked], out: &mut Diagnostics) -> Vec<shell::Wrapper> {
    let mut wrappers: BTreeMap<&str, Wrapper> = BTreeMap::new();
    for new in policies.iter().flat_map(|policy| &policy.wrappers) {
        let Some(before) = wrappers.get_mut(new.name.node.as_str()) else {
            wrappers.insert(&new.name.node, new.clone());
            continue;
        };
        if before.operands.node != new.operands.node {
            out.push(conflict(before, new));
        }
        before.options.extend_from_slice(&new.options);
        before.options.sort_unstable();
        before.options.dedup();
    }
    out.extend(over_limit(&wrappers));
    wrappers.into_values().map(|wrapper| shell_wrapper(&wrapper)).collect()
}

/// A wrapper as the reader of command lines has it.
pub(crate) fn shell_wrapper(wrapper: &Wrapper) -> shell::Wrapper {
    let new = shell::Wrapper::new(wrapper.name.node.as_str());
    new.with_options(wrapper.options.iter().cloned()).with_operands(wrapper.operands.node)
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

fn over_limit(wrappers: &BTreeMap<&str, Wrapper>) -> Option<Diagnostic> {
    if wrappers.len() > limits::SHELL_WRAPPERS {
        let last = wrappers.values().next_back()?;
        let what = format!("more than {} wrappers", limits::SHELL_WRAPPERS);
        return Some(Diagnostic::new(Code::E0703, last.name.span, what).with_label("exceeds the limit"));
    }
    let most = limits::SHELL_WRAPPER_OPTIONS;
    let many = wrappers.values().find(|wrapper| wrapper.options.len() > most)?;
    let what = format!("the wrapper `{}` has more than {most} options with values", many.name.node);
    Some(Diagnostic::new(Code::E0703, many.name.span, what).with_label("exceeds the limit"))
}
