//! Tests of members of views: texts that a member never is (W0622), variables that the view has filled in (W0620), and
//! stars where names are compared (W0617).

use hookc_schema::tree::{Leaf, Op, Right, ViewKind};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::Type;
use hookc_schema::vocab::ViewMember::{
    self, Cwd, Extension, File, FileName, Name, PipesTo, Program, Relative, Runs, Sub, Via,
};
use hookc_syntax::expr::print::literal;
use hookc_syntax::pattern::LiteralTest;

use super::Subject::{If, Members, OfFile};
use super::{ANY, Compared, LITERAL, Row, Tested, Wrong, compared, paths, rows};
use crate::lint::expansion;
use crate::lint::relative::is_relative;

const EQUAL: &[Op] = &[Op::Eq, Op::Ne];
const EQUAL_OR_GLOB: &[Op] = &[Op::Eq, Op::Ne, Op::Glob];
const EQUAL_OR_END: &[Op] = &[Op::Eq, Op::Ne, Op::EndsWith];
const STARTS: &[Op] = &[Op::Eq, Op::Ne, Op::StartsWith, Op::Glob];
const TEXT_OPS: &[Op] = &[Op::Eq, Op::Ne, Op::Contains, Op::StartsWith, Op::EndsWith, Op::Glob];

/// Each that says something is reported.
pub(super) const ROWS: &[Row] = rows! {
    W0620 If(has_variables), ANY, home => "the view has `~` for `{part}`", "compared character by character";
    W0620 If(has_variables), ANY, current =>
        "the view has the working directory for `{part}`", "compared character by character";
    W0622 Members(&[Name, Sub, Runs, PipesTo, Via]), TEXT_OPS, several_words =>
        "`{path}` is one word, without a directory or arguments", "never equal";
    W0617 Members(&[Name, Sub, Runs, PipesTo, Via]), LITERAL, star =>
        "`{op}` compares text, and this looks like a glob", "compared character by character";
    W0622 Members(&[Program]), EQUAL_OR_GLOB, without_directory =>
        "`{path}` is a program that is written with a directory, and this has none", "never equal",
        "it is null for a program without a `/`";
    W0622 Members(&[File, Cwd]), STARTS, relative =>
        "`{path}` is absolute, or below `~`, and this is a relative path", "never matches";
    W0622 Members(&[File, Cwd]), EQUAL_OR_END, paths::slash => "`{path}` never ends with `/`", "the last character";
    W0620 If(is_file), ANY, paths::expanded =>
        "`{part}` is text here: no shell expands it", "compared character by character", "agents send absolute paths";
    W0622 OfFile(&[FileName]), TEXT_OPS, directory => "`{path}` is one name, without a directory", "never matches";
    W0622 OfFile(&[Extension]), TEXT_OPS, dot => "`{path}` is the part of the name after its last dot", "with a dot";
    W0622 OfFile(&[Relative]), STARTS, start =>
        "`{path}` is below the working directory, and never starts with `{part}`", "never matches";
    W0622 OfFile(&[Relative]), EQUAL_OR_END, paths::slash => "`{path}` never ends with `/`", "the last character";
    W0622 If(is_flag), ANY, truth =>
        "a flag without a value is `true`, and not the text `{text}`", "a text", "the text is that of `--option={text}`";
};

/// The texts that a leaf compares with: also that of `^\$HOME/`, a pattern with more than text.
pub(super) fn texts<'l>(leaf: &'l Leaf, plain: Option<&'l LiteralTest>) -> Vec<Compared<'l>> {
    let anchored = leaf.texts().filter(|_| leaf.op.node == Op::Regex).filter_map(|(value, text)| {
        let text = format!("${}", text.strip_prefix("^\\$")?).into();
        Some(Compared { op: Op::Regex, value, text })
    });
    compared(leaf, plain).into_iter().chain(anchored).collect()
}

fn has_variables(tested: &Tested<'_>) -> bool {
    let is_other = matches!(
        tested.member(),
        Some(ViewMember::Globs | ViewMember::Reason | ViewMember::Opaque | ViewMember::Operator)
    );
    // No shell fills in the variables of a path.
    !is_other && !tested.is_in(ViewKind::File)
}

/// The view has `~` for the home directory.
fn is_file(tested: &Tested<'_>) -> bool {
    let is_file = tested.member() == Some(ViewMember::File) && tested.is_in(ViewKind::File);
    is_file && !tested.text.trim_start_matches('^').starts_with('~')
}

/// A flag that can be `true`, in a test that does not compare it with that.
fn is_flag(tested: &Tested<'_>) -> bool {
    let is_bool = |value: &Value| matches!(value.kind, Kind::Bool(_));
    let has_both = matches!(&tested.leaf.right, Right::Value(list) if list.items().iter().any(is_bool));
    let field = tested.declared();
    tested.member() == Some(ViewMember::Flags)
        && field.is_some_and(|field| field.types.has(Type::Boolean))
        && !has_both
}

/// The variable of these that a text starts with, and the rest; `$HOMEPAGE` is another one.
fn variable<'t>(text: &'t str, spellings: [&'static str; 2]) -> Option<(&'static str, &'t str)> {
    spellings.into_iter().find_map(|written| {
        let rest = text.strip_prefix(written)?;
        let ends = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        ends.then_some((written, rest))
    })
}

/// The home directory, which is `~` in the view.
fn home(tested: &Tested<'_>) -> Option<Wrong> {
    let (written, rest) = variable(&tested.text, ["$HOME", "${HOME}"])?;
    let help = match tested.op {
        Op::Regex => "write `^~` instead of it".to_owned(),
        _ => format!("write `{}`", literal(&format!("~{rest}"))),
    };
    Some(Wrong::new(written, help))
}

/// The working directory, which is itself in the view.
fn current(tested: &Tested<'_>) -> Option<Wrong> {
    let (written, rest) = variable(&tested.text, ["$PWD", "${PWD}"])?;
    let help = match rest.is_empty() {
        true => format!("compare `{}` with `cwd`, without quotes", tested.leaf.path.text),
        false => format!("write `{}`, or the absolute path", tested.test("ends_with", rest)),
    };
    Some(Wrong::new(written, help))
}

/// Whether a `*` of a glob is always within a segment.
fn is_plain(glob: &str) -> bool {
    !glob.contains("**") && !glob.contains(['{', '\\'])
}

/// A directory, or arguments, where there is one word.
fn several_words(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let has_more = match tested.op {
        Op::Glob => is_plain(text) && text.contains('/'),
        _ => text.contains(['/', ' ']),
    };
    if !has_more {
        return None;
    }
    if let Some((first, second)) = text.split_once(' ').filter(|_| tested.member() == Some(ViewMember::Sub)) {
        return Some(Wrong::write(format!(
            "write `{}` and test `operands` for the rest; if that is a group, as in `docker container run`, write `{}`",
            literal(first),
            literal(second)
        )));
    }
    let program = text.split(' ').next().unwrap_or(text).rsplit('/').next().unwrap_or(text);
    let rest = if text.contains(' ') { "; test `sub`, `flags` and `operands` for the rest" } else { "" };
    Some(Wrong::write(format!("write `{}`{rest}", literal(program))))
}

/// `c.name == 'git*'`
fn star(tested: &Tested<'_>) -> Option<Wrong> {
    if tested.text.contains(['/', ' ']) || !tested.text.contains('*') || tested.leaf.op.node == Op::Regex {
        return None;
    }
    let (path, glob) = (&tested.leaf.path.text, literal(tested.text.trim()));
    let is_list = tested.declared().is_some_and(|field| field.types.has(Type::Array));
    Some(Wrong::write(match (is_list, tested.leaf.path.is_singular()) {
        (false, _) => format!("write `{path} glob {glob}`"),
        (true, true) => format!("write `some(x in {path}: x glob {glob})`"),
        (true, false) => format!("write `{path}[*] glob {glob}`"),
    }))
}

fn without_directory(tested: &Tested<'_>) -> Option<Wrong> {
    let is_name = !tested.text.contains('/') && (tested.op != Op::Glob || is_plain(&tested.text));
    let name = || tested.sibling("path", "name").unwrap_or_else(|| "name".to_owned());
    is_name.then(|| Wrong::write(format!("test `{}`, which is the program in both cases", name())))
}

fn relative(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let is_file = tested.is_in(ViewKind::File);
    let is_expanded = is_file && expansion::at_start(text.trim_start_matches('^'), true).is_some();
    // A `*` alone matches `~`.
    if text.trim_matches(['*', '?']).is_empty() || !is_relative(tested.op, text) || is_expanded {
        return None;
    }
    let bare = text.strip_prefix("./").unwrap_or(text).trim_start_matches('*');
    let end = if tested.op == Op::StartsWith { "**" } else { "" };
    let test = format!("write `{}`", tested.test("glob", &format!("**/{bare}{end}")));
    let other = if is_file { "relative" } else { "target" };
    let other = tested.sibling("path", other).filter(|_| tested.member() == Some(ViewMember::File));
    Some(Wrong::write(match other {
        Some(other) if is_file => format!("{test}, or test `{other}`, which starts at `cwd`"),
        Some(other) => format!("{test}, or test `{other}`, which is the word as it is written"),
        None => test,
    }))
}

/// `name == 'src/.env'`
fn directory(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    // `**/` also matches nothing, and an alternative can be without a slash.
    let can_match = tested.op == Op::Glob && (text.starts_with("**") || text.contains('{'));
    if can_match || !text.contains('/') {
        return None;
    }
    let end = text.trim_start_matches('/');
    let (op, end) = match tested.op {
        Op::StartsWith | Op::Contains => ("contains", format!("/{end}")),
        Op::Glob => ("glob", format!("**/{end}")),
        _ => ("ends_with", format!("/{end}")),
    };
    Some(Wrong::write(format!("write `{} {op} {}`", tested.sibling("name", "path")?, literal(&end))))
}

/// `extension == '.env'`
fn dot(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let may_be_open = tested.op == Op::Glob && !text.starts_with(['.', '*']);
    if may_be_open || !text.contains('.') {
        return None;
    }
    let name = tested.sibling("extension", "name")?;
    let last = text.rsplit('.').next().unwrap_or_default();
    let is_one = text.strip_prefix("*.").or_else(|| text.strip_prefix('.')) == Some(last);
    if !is_one {
        let end = text.trim_start_matches('*').trim_start_matches('.');
        return Some(Wrong::write(format!("write `{name} ends_with {}`", literal(&format!(".{end}")))));
    }
    let note = || format!("a file named {} has no extension: test `{name}`", literal(text));
    let note = EQUAL.contains(&tested.op).then(note);
    Some(Wrong { note, ..Wrong::write(format!("write {}", literal(last))) })
}

/// `relative starts_with '/srv'`, `relative == './x'`
fn start(tested: &Tested<'_>) -> Option<Wrong> {
    let text = &*tested.text;
    let start = ["/", "./", "../", "~/"].into_iter().find(|start| text.starts_with(start))?;
    let rest = text.strip_prefix("./").filter(|rest| !rest.is_empty());
    let help = match rest {
        Some(rest) => format!("write {}", literal(rest)),
        None => format!("test `{}`, which is absolute", tested.sibling("relative", "path")?),
    };
    Some(Wrong::new(start, help))
}

/// `c.flags.r == 'true'`
fn truth(tested: &Tested<'_>) -> Option<Wrong> {
    let not = match &*tested.text {
        "true" => "",
        "false" => "not ",
        _ => return None,
    };
    Some(Wrong::write(format!("write `{not}exists({})`", tested.leaf.path.text)))
}
