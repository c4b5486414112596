//! Denials that another spelling evades (W0657): `c.name == 'python'` is false for `python3`, `c.sub == 'install'` for
//! `npm i`, and `contains 'DROP TABLE'` for `drop table`.

use std::collections::HashSet;
use std::rc::Rc;

use hookc_schema::tree::{Cond, CondKind, Hook, Leaf, Op, Path, PathKind, Right, SharedId, Step, ViewKind};
use hookc_schema::value::Kind;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_syntax::expr::print;

/// Programs whose names can end with a version.
const VERSIONED: [&str; 2] = ["python", "pip"];

/// A program, a subcommand, and others that do the same.
const SAME: [(&str, &str, &[&str]); 12] = [
    ("npm", "install", &["i", "add"]),
    ("npm", "uninstall", &["remove", "rm", "un"]),
    ("npm", "run", &["run-script"]),
    ("pnpm", "install", &["i"]),
    ("pnpm", "remove", &["rm", "uninstall"]),
    ("bun", "install", &["i"]),
    ("brew", "uninstall", &["remove", "rm"]),
    ("helm", "uninstall", &["delete", "un"]),
    ("cargo", "run", &["r"]),
    ("cargo", "build", &["b"]),
    ("cargo", "test", &["t"]),
    ("cargo", "remove", &["rm"]),
];

/// Shells that run what they read.
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];

/// As many leaves of a condition are looked at, and as many programs around each.
const LARGEST: usize = 64;

/// Statements of SQL, in which case does not matter.
const STATEMENTS: [&str; 6] =
    ["drop table", "drop database", "drop schema", "delete from", "truncate table", "alter table"];

/// Checks a hook that denies something, or asks. `seen` are the conditions that were checked.
pub(super) fn check(hook: &Hook, seen: &mut HashSet<SharedId>, out: &mut Diagnostics) {
    let Some(cond) = &hook.condition else { return };
    let denies = matches!(hook.action.kind.node.as_str(), "deny" | "ask");
    if !denies || cond.shared().is_some_and(|id| !seen.insert(id)) {
        return;
    }
    let mut leaves = Vec::new();
    collect(cond, false, &Rc::from([]), &mut leaves);
    let texts: HashSet<&str> =
        leaves.iter().flat_map(|asked| asked.leaf.texts()).map(|(_, text)| text).collect();
    for asked in leaves.iter().filter(|asked| !asked.negated).take(LARGEST) {
        let found = version(asked, &texts)
            .or_else(|| subcommand(asked, &texts))
            .or_else(|| shell(asked))
            .or_else(|| statement(asked, &texts))
            .or_else(|| inside(asked));
        out.extend(found);
    }
}

/// A leaf of the condition.
struct Asked<'h> {
    leaf: &'h Leaf,
    negated: bool,
    /// The programs that a condition around it admits; none for any.
    programs: Rc<[&'h str]>,
}

/// The recursion depth is the nesting of the condition.
fn collect<'h>(cond: &'h Cond, negated: bool, programs: &Rc<[&'h str]>, leaves: &mut Vec<Asked<'h>>) {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => {}
        CondKind::All(parts) => {
            let own = parts.iter().filter_map(name).flat_map(Leaf::texts).map(|(_, text)| text);
            let own: Rc<[&str]> = own.take(LARGEST).collect();
            let programs = if own.is_empty() { programs } else { &own };
            parts.iter().for_each(|part| collect(part, negated, programs, leaves));
        }
        CondKind::Any(parts) => parts.iter().for_each(|part| collect(part, negated, programs, leaves)),
        CondKind::Not(part) => collect(part, !negated, programs, leaves),
        CondKind::Quantified(inner) => collect(&inner.cond, negated, programs, leaves),
        CondKind::Leaf(leaf) => {
            let negated = negated != (leaf.op.node == Op::Ne);
            leaves.push(Asked { leaf, negated, programs: Rc::clone(programs) });
        }
    }
}

/// A test of the name of a command.
fn name(cond: &Cond) -> Option<&Leaf> {
    match &cond.kind {
        CondKind::Leaf(leaf) if is_equal(leaf) && is_member(&leaf.path, "name") => Some(leaf),
        _ => None,
    }
}

fn is_equal(leaf: &Leaf) -> bool {
    matches!(leaf.op.node, Op::Eq | Op::In)
}

/// Whether a path leads to a member of the node of a quantifier, or of a command.
fn is_member(path: &Path, member: &str) -> bool {
    match &path.kind {
        PathKind::Short(steps) => matches!(&**steps, [Step::Name(_), Step::Name(own)] if own == member),
        // The parts of a path have other spellings than the words of a command.
        PathKind::View(view) if view.kind == ViewKind::File && member != "inside" => false,
        PathKind::View(_) => path.text.ends_with(&format!(".{member}")),
        PathKind::Query(_) => false,
    }
}

/// `python`, which is not `python3`.
fn version(asked: &Asked<'_>, texts: &HashSet<&str>) -> Option<Diagnostic> {
    let leaf = asked.leaf;
    if !is_equal(leaf) || !is_member(&leaf.path, "name") {
        return None;
    }
    let (value, program) = leaf.texts().find(|(_, text)| VERSIONED.contains(text))?;
    if texts.iter().any(|text| text.contains(program) && *text != program) {
        return None;
    }
    let path = &leaf.path.text;
    let new = Diagnostic::new(Code::W0657, value.span, format!("`{program}3` evades this"));
    let new = new.with_label("one name of several");
    let pattern = print::literal(&format!("^{program}[0-9.]*$"));
    Some(new.help(format!("write `{path} =~ {pattern}`")))
}

/// A subcommand with another name.
fn subcommand(asked: &Asked<'_>, texts: &HashSet<&str>) -> Option<Diagnostic> {
    let leaf = asked.leaf;
    if !is_equal(leaf) || !is_member(&leaf.path, "sub") {
        return None;
    }
    let written = |sub: &str| leaf.texts().find(|(_, text)| *text == sub).map(|(value, _)| value);
    let (program, sub, others, value) = SAME.iter().find_map(|(program, sub, others)| {
        let applies = asked.programs.contains(program) && !others.iter().any(|other| texts.contains(other));
        Some((program, sub, others, written(sub).filter(|_| applies)?))
    })?;
    let other = others.first()?;
    let new = Diagnostic::new(Code::W0657, value.span, format!("`{program} {other}` evades this"));
    let new = new.with_label(format!("does the same as `{program} {other}`"));
    let all: Vec<String> = std::iter::once(sub).chain(*others).map(|sub| print::literal(sub)).collect();
    Some(new.help(format!("write `{} in [{}]`", leaf.path.text, all.join(", "))))
}

/// A shell that reads the output of a command.
fn shell(asked: &Asked<'_>) -> Option<Diagnostic> {
    let leaf = asked.leaf;
    if leaf.op.node != Op::Contains || !is_member(&leaf.path, "pipes_to") {
        return None;
    }
    let (value, shell) = leaf.texts().find(|(_, text)| SHELLS.contains(text))?;
    let program = asked.programs.first().unwrap_or(&"PROGRAM");
    let other = if shell == "bash" { "sh" } else { "bash" };
    let what = format!("`{program} x | {other}` and `{other} <({program} x)` evade this");
    let new = Diagnostic::new(Code::W0657, value.span, what).with_label("one way to run the output");
    let node = leaf.path.text.trim_end_matches(".pipes_to");
    let new =
        new.note("`runs` of a command has the programs whose output it runs as code, whatever the shell");
    Some(new.help(format!(
        "write `{node}.runs contains {}`, without a test of the name",
        print::literal(program)
    )))
}

/// A redirection to a file that is unknown, a path that leads to an unknown place.
fn inside(asked: &Asked<'_>) -> Option<Diagnostic> {
    let leaf = asked.leaf;
    let Right::Value(value) = &leaf.right else { return None };
    let is_false = leaf.op.node == Op::Eq && value.kind == Kind::Bool(false);
    if !is_false || !is_member(&leaf.path, "inside") {
        return None;
    }
    let (what, label) = match leaf.path.view(ViewKind::File) {
        Some(_) => ("`~/.bashrc` evades this", "null if it is unknown where the path leads"),
        None => ("`> $FILE` evades this", "null if the file is unknown"),
    };
    let new = Diagnostic::new(Code::W0657, value.span, what).with_label(label);
    Some(new.help(format!("write `{} != true`", leaf.path.text)))
}

/// A statement of SQL in capitals, or without.
fn statement(asked: &Asked<'_>, texts: &HashSet<&str>) -> Option<Diagnostic> {
    let leaf = asked.leaf;
    let is_text = matches!(leaf.op.node, Op::Contains | Op::StartsWith | Op::Regex);
    if !is_text || leaf.ignore_case.is_some() {
        return None;
    }
    let (value, found) = leaf.texts().find_map(|(value, text)| Some((value, other_case(text)?)))?;
    if texts.iter().any(|text| spaced(text).contains(&found)) {
        return None;
    }
    let new = Diagnostic::new(Code::W0657, value.span, format!("`{found}` evades this"));
    let new = new.with_label("compared with its case").note("case does not matter in SQL");
    Some(new.help("write `nocase` after it"))
}

/// The statement in a text, in the other case.
fn other_case(text: &str) -> Option<String> {
    let text = spaced(text);
    if text.contains("(?") {
        return None;
    }
    STATEMENTS.iter().find_map(|known| {
        let upper = known.to_ascii_uppercase();
        match (text.contains(&upper), text.contains(known)) {
            (true, false) => Some((*known).to_owned()),
            (false, true) => Some(upper),
            _ => None,
        }
    })
}

/// A pattern with plain spaces.
fn spaced(text: &str) -> String {
    text.replace(r"\s+", " ").replace(r"\s*", " ").replace(r"\s", " ").replace(" +", " ")
}
