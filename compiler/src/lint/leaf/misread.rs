//! Tests that hold for fewer events than they seem to: of a whole response as text (W0674), of the current directory as a
//! whole (W0676), and of a text with several lines by a pattern whose `.` stops at the end of a line (W0677).

use hookc_base::input_role::{InputKind, InputRole};
use hookc_base::text::Case;
use hookc_schema::tree::{Leaf, Op};
use hookc_schema::vocab::{FieldSchema, ToolField, Type};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;
use hookc_syntax::pattern;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::Place;
use super::vacuous::matches_everything;
use crate::fields::PROMPT;
use crate::lint::text::anchored;
use crate::names::listed;

/// The field with the current directory.
const CURRENT: &str = "cwd";

/// Reports a test of an event of an agent.
pub(super) fn check(leaf: &Leaf, place: &Place<'_>) -> Option<Diagnostic> {
    let Place { field, allows, negated, .. } = *place;
    // An `allow` that is true less often permits less.
    let restricts = allows == negated;
    let new = response(leaf, place).or_else(|| directory(leaf, field, !restricts));
    new.or_else(|| dots(leaf, field).filter(|_| restricts))
}

/// A test of a whole response as text.
fn response(leaf: &Leaf, place: &Place<'_>) -> Option<Diagnostic> {
    let is_text = match leaf.op.node {
        Op::Contains | Op::StartsWith | Op::EndsWith | Op::Regex | Op::Glob => true,
        Op::Eq | Op::Ne | Op::In => leaf.texts().next().is_some(),
        _ => false,
    };
    let is_response = place.field?.tool == Some(ToolField::Response) && is_text;
    if !is_response {
        return None;
    }
    let tools = place.tools.objects(place.here, ToolField::Response);
    if tools.is_empty() {
        return None;
    }
    let path = &leaf.path.text;
    let result = if leaf.op.node == Op::Ne { "true" } else { "false" };
    let what = format!("`{path}` can be an object: a test of text is then {result}");
    let new = Diagnostic::new(Code::W0674, leaf.path.span, what).with_label("an object, and no text");
    let new = new.note(format!("so it is after {}", listed(&tools)));
    Some(new.help(format!("test a member of the response{}", example(leaf, place).unwrap_or_default())))
}

/// Members that contain the text of a response.
const TEXTS: [&str; 4] = ["stdout", "content", "result", "message"];

/// The test as one of a member that the response of a possible tool has.
fn example(leaf: &Leaf, place: &Place<'_>) -> Option<String> {
    let mut tools = place.tools.tools_in(place.here);
    let (tool, member) =
        tools.find_map(|(name, tool)| Some((name, text_member(tool.field(ToolField::Response)?)?)))?;
    let (path, op) = (&leaf.path.text, leaf.op.node);
    let texts: Vec<String> = leaf.texts().map(|(_, text)| print::literal(text)).collect();
    let right = match texts.as_slice() {
        [] => return None,
        [text] if op != Op::In => text.clone(),
        texts => format!("[{}]", texts.join(", ")),
    };
    let nocase = if leaf.case().is_ignored() { " nocase" } else { "" };
    let is_only = place.tools.names_in(place.here).len() == 1;
    let of_tool = if is_only { String::new() } else { format!(" for `{tool}`") };
    Some(format!(", as in `{path}.{member} {} {right}{nocase}`{of_tool}", op.symbol()))
}

/// The member of a response that has its text.
fn text_member(response: &FieldSchema) -> Option<String> {
    let find = |object: &FieldSchema| {
        let is_text =
            |name: &&&str| object.property(name).is_some_and(|member| member.types.has(Type::String));
        TEXTS.iter().find(is_text).copied()
    };
    let inner = || {
        let mut members = response.properties.iter();
        members.find_map(|(name, member)| Some(format!("{name}.{}", find(member)?)))
    };
    find(response).map(str::to_owned).or_else(inner)
}

/// A test of the current directory as a whole. `permits` is whether it is false for what is permitted.
fn directory(leaf: &Leaf, field: Option<&FieldSchema>, permits: bool) -> Option<Diagnostic> {
    let is_current = leaf.path.source().is_field(CURRENT);
    if !(is_current || kind(field) == Some(InputKind::Dir)) || permits != (leaf.op.node == Op::Ne) {
        return None;
    }
    let is_whole = |text: &str| match leaf.op.node {
        Op::Eq | Op::Ne | Op::In | Op::EndsWith => true,
        Op::Glob => !leaf.texts().any(|(_, glob)| includes(glob, text)),
        Op::Regex => anchored(text).is_some_and(|(_, end)| end) && !text.ends_with(".*$"),
        _ => false,
    };
    let (value, text) = leaf.texts().find(|(_, text)| text.contains('/') && is_whole(text))?;
    let path = &leaf.path.text;
    let result = if leaf.op.node == Op::Ne { "true" } else { "false" };
    let what = format!("this is {result} in the subdirectories");
    let new = Diagnostic::new(Code::W0676, value.span, what).with_label("the current directory as a whole");
    let new = new.note("the current directory changes in a session");
    let root = text.trim_end_matches('/');
    let below = match leaf.op.node {
        Op::Eq | Op::Ne | Op::In if root.starts_with('/') => {
            let not = if leaf.op.node == Op::Ne { "not " } else { "" };
            format!(
                "`{not}{path} glob [{}, {}]`",
                print::literal(root),
                print::literal(&format!("{root}/**"))
            )
        }
        Op::Glob if root.ends_with("/*") => format!("`{}`", glob_below(path, root)),
        _ => "a pattern that also matches what is below it".to_owned(),
    };
    Some(new.help(match is_current {
        true => format!("test `project_dir`, the root of the project, or write {below}"),
        false => format!("write {below}"),
    }))
}

/// Whether a glob matches all that is below the directories of another one, as `/srv/**` does for `/srv/app`.
fn includes(glob: &str, directories: &str) -> bool {
    let root = glob.strip_suffix("**");
    root.is_some_and(|root| directories.starts_with(root) || root.strip_suffix('/') == Some(directories))
}

/// `/srv/*` with all that is below it.
fn glob_below(path: &str, glob: &str) -> String {
    format!("{path} glob {}", print::literal(&format!("{glob}*")))
}

/// What a tool does with an input.
fn kind(field: Option<&FieldSchema>) -> Option<InputKind> {
    Some(InputRole::parse(&field?.role.as_ref()?.node).ok()?.kind)
}

/// A pattern that is about a whole text, or all of it up to something, and that matches only the first or the last line.
fn dots(leaf: &Leaf, field: Option<&FieldSchema>) -> Option<Diagnostic> {
    let (value, text) = leaf.texts().next().filter(|_| leaf.op.node == Op::Regex)?;
    let has_lines = match kind(field) {
        Some(kind) => matches!(kind, InputKind::Text | InputKind::Line | InputKind::Code | InputKind::Patch),
        None => {
            let is_text = field.is_some_and(|field| field.types.has(Type::String));
            is_text && leaf.path.is_in("tool_response") || leaf.path.is_field(PROMPT)
        }
    };
    let hir = pattern::hir(text, Case::Respected).filter(|_| has_lines && !matches_everything(text))?;
    let is_one_line = stops_at_line(&hir);
    let new = Diagnostic::new(Code::W0677, value.span, "this pattern is false of texts with several lines");
    let new = new.with_label("`.` matches no line break");
    let help = "write `(?s)` at the start of the pattern: then `.` matches line breaks too";
    is_one_line.then(|| new.help(help))
}

/// Whether a pattern has any text next to the start or the end of the whole text. Recursion is bounded by the nesting that
/// the parser allows.
fn stops_at_line(hir: &Hir) -> bool {
    let is_look = |part: Option<&Hir>, look| matches!(part.map(Hir::kind), Some(HirKind::Look(found)) if *found == look);
    match hir.kind() {
        HirKind::Alternation(parts) => parts.iter().any(stops_at_line),
        HirKind::Capture(capture) => stops_at_line(&capture.sub),
        HirKind::Concat(parts) => {
            let last = parts.len().saturating_sub(1);
            is_look(parts.first(), Look::Start) && parts.get(1).is_some_and(is_any_line)
                || is_look(parts.get(last), Look::End)
                    && last.checked_sub(1).and_then(|at| parts.get(at)).is_some_and(is_any_line)
        }
        _ => false,
    }
}

/// Whether a part of a pattern matches a text of any length without line breaks: `.*`
fn is_any_line(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Capture(capture) => is_any_line(&capture.sub),
        HirKind::Repetition(repetition) => {
            let has = |class: &Class, text: char| match class {
                Class::Unicode(class) => {
                    class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&text))
                }
                Class::Bytes(_) => false,
            };
            let is_dot = |class: &Class| {
                !has(class, '\n') && ['a', ' ', '"', ';', '\u{e9}'].iter().all(|text| has(class, *text))
            };
            repetition.max.is_none()
                && matches!(repetition.sub.kind(), HirKind::Class(class) if is_dot(class))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_stop_at_the_end_of_a_line() {
        let stops = |text: &str| stops_at_line(&pattern::hir(text, Case::Respected).unwrap());
        for text in ["^.{20,}$", "^.*secret", "x.*$", "^(.*)x", "a|^.+b", "(^.*x)", "^[^\\n]*x"] {
            assert!(stops(text), "{text}");
        }
        for text in ["(?s)^.*x", "a.*b", "^a.*b$", "(?m)^.*x", "^[a-z]*x", "^.x", "^.{0,9}x", r"^[^;]*x"] {
            assert!(!stops(text), "{text}");
        }
    }
}
