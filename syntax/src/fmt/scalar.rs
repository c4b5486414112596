//! Scalars: plain if that is safe, otherwise quoted; block scalars as they are.

use hookc_schema::value::Kind;

use super::node::Scalar;
use super::order::Role;
use crate::front::yaml::buffers::Buffers;
use crate::front::yaml::events::Style;
use crate::front::yaml::scalar::resolve;
use crate::scalar;

/// A scalar on one line; `alone` if its line ends with it.
pub(super) fn line(scalar: &Scalar<'_>, role: Role, alone: bool) -> String {
    let text = scalar.text.as_ref();
    if scalar.tagged && !scalar.raw.contains('\n') && !is_block(scalar.style) {
        return scalar.raw.to_owned();
    }
    let kind = if scalar.style == Style::Plain {
        resolve(text, scalar.style, None, "", &mut Buffers::default()).ok()
    } else {
        None
    };
    match kind {
        Some(Kind::Null) => "null".to_owned(),
        Some(Kind::Bool(truth)) => truth.to_string(),
        Some(Kind::Num(_)) => text.to_owned(),
        _ => {
            let mut out = String::new();
            match role {
                Role::Patterns => scalar::pattern(&mut out, text),
                _ if alone => scalar::string(&mut out, text),
                _ => scalar::word(&mut out, text),
            }
            out
        }
    }
}

/// A key: its text.
pub(super) fn key(scalar: &Scalar<'_>) -> String {
    let merges = scalar.style == Style::Plain && scalar.text == "<<";
    if merges || scalar.tagged {
        return scalar.raw.to_owned();
    }
    let mut out = String::new();
    scalar::word(&mut out, &scalar.text);
    out
}

fn is_block(style: Style) -> bool {
    matches!(style, Style::Literal | Style::Folded)
}

/// A scalar on several lines: the text after the colon or dash, and the lines below, without their
/// margin.
pub(super) struct Lines {
    pub(super) header: String,
    pub(super) body: Vec<String>,
    /// It is a block scalar, whose comment is next to the header.
    pub(super) block: bool,
}

/// A scalar that was written on several lines, or that is too long for `room`; `None` if one line
/// suffices.
pub(super) fn lines(scalar: &Scalar<'_>, role: Role, room: usize) -> Option<Lines> {
    if is_block(scalar.style) {
        return (!scalar.text.trim_matches('\n').is_empty()).then(|| block(scalar));
    }
    let fits = || line(scalar, role, true).chars().count() <= room;
    if scalar.raw.contains('\n') {
        return if scalar.tagged || !fits() { Some(folded(scalar.raw)) } else { None };
    }
    let long = !scalar.tagged && scalar::block(&scalar.text) && !fits();
    long.then(|| literal(&scalar.text))
}

/// Quoted or plain text on several lines, whose indentation has no meaning.
fn folded(raw: &str) -> Lines {
    let mut lines = raw.split('\n').map(bare);
    let header = lines.next().unwrap_or("").to_owned();
    Lines { header, body: lines.map(str::to_owned).collect(), block: false }
}

/// A line without what folding removes: whitespace at both ends, except after a backslash.
fn bare(line: &str) -> &str {
    let blank = [' ', '\t'];
    let line = line.trim_start_matches(blank);
    let short = line.trim_end_matches(blank);
    let escapes = short.len() - short.trim_end_matches('\\').len();
    if escapes % 2 == 1 { line.get(..short.len() + 1).unwrap_or(line) } else { short }
}

/// `|` and `>`.
fn block(scalar: &Scalar<'_>) -> Lines {
    match scalar.style {
        Style::Folded => lay('>', &content(scalar), &scalar.text),
        _ => literal(&scalar.text),
    }
}

fn literal(text: &str) -> Lines {
    let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
    lay('|', &lines, text)
}

/// The lines of a folded text without its indentation, which is the difference between the first
/// non-empty line in the source and in the text.
fn content<'a>(scalar: &Scalar<'a>) -> Vec<&'a str> {
    let says = |line: &&str| !line.trim_matches(' ').is_empty();
    let leading = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let written = scalar.raw.split('\n').find(says).map_or(0, leading);
    let indent = written.saturating_sub(scalar.text.split('\n').find(says).map_or(0, leading));
    let inner = |line: &'a str| line.get(leading(line).min(indent)..).unwrap_or("");
    let mut lines: Vec<&str> = scalar.raw.split('\n').map(inner).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Lines below their header: the header declares the indentation if the first line starts with a
/// space, and the treatment of the line end after the last.
fn lay(mark: char, lines: &[&str], text: &str) -> Lines {
    let ends = text.len() - text.trim_end_matches('\n').len();
    let first = lines.iter().find(|line| !line.is_empty());
    let mut header = String::from(mark);
    if first.is_some_and(|line| line.starts_with(' ')) {
        header.push('2');
    }
    match ends {
        0 => header.push('-'),
        1 => {}
        _ => header.push('+'),
    }
    let kept = ends.saturating_sub(1);
    let body = lines.iter().copied().chain(std::iter::repeat_n("", kept));
    Lines { header, body: body.map(str::to_owned).collect(), block: true }
}
