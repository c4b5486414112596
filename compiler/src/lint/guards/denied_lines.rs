//! Denials about command lines that one more command on the line evades, or a line that cannot be read (W0659): a test
//! of the commands or of the text that is negated, and one that every command must pass.

use hookc_schema::tree::{
    Cond, CondPart, Demand, Fold, Leaf, Op, Path, Quantified, Quantifier, Segment, Selector, View, ViewKind,
};
use hookc_schema::{Code, Diagnostic};
use regex_syntax::hir::{Class, Hir, HirKind};

use super::named;
use crate::lint::text;

/// What is known about conditions that several hooks share.
pub(super) type Known<'h> = Fold<Unless<'h>>;

/// What a denial says about command lines.
#[derive(Clone, Copy, Default)]
pub(super) struct Unless<'h> {
    /// The first test that one command makes false.
    exception: Option<Exception<'h>>,
    /// Whether the condition requires a certain command: the denial is about lines with it.
    requires: bool,
}

/// A test that is false for each line with a certain command.
#[derive(Clone, Copy)]
enum Exception<'h> {
    /// A quantifier over the commands.
    Quantified(&'h Quantified),
    /// A test of the commands, or of the start of the text.
    Leaf(&'h Leaf),
    /// A test of some command that names the permitted ones. An unread line has no commands.
    Unread(&'h Quantified),
}

/// Reports the first exception of a denial. `is_asked` is whether some hook asks about lines that cannot be read.
pub(super) fn check<'h>(cond: &'h Cond, known: &mut Known<'h>, is_asked: bool) -> Option<Diagnostic> {
    let exception = known.value(cond.whole(), &mut unless).exception?;
    match exception {
        Exception::Unread(_) if is_asked => None,
        exception => Some(report(exception, names_tool(cond))),
    }
}

/// What a condition says about command lines, from what its parts do.
fn unless<'h>(part: CondPart<'h>, parts: Vec<Unless<'h>>) -> Unless<'h> {
    let first = || parts.iter().find_map(|part| part.exception);
    match part.demand() {
        Demand::All => {
            let requires = parts.iter().any(|part| part.requires);
            Unless { exception: first().filter(|_| !requires), requires }
        }
        Demand::Any => Unless { exception: first(), requires: parts.iter().all(|part| part.requires) },
        Demand::Leaf(leaf) => of_leaf(leaf, part.negated != leaf.is_negated()),
        Demand::Some(inner) if leads_to_commands(&inner.path) => {
            let exception = part.parts().all(is_exception).then_some(Exception::Unread(inner));
            Unless { requires: exception.is_none(), exception }
        }
        Demand::Every(inner) if leads_to_commands(&inner.path) => {
            Unless { exception: Some(Exception::Quantified(inner)), requires: false }
        }
        _ => Unless::default(),
    }
}

fn of_leaf(leaf: &Leaf, negated: bool) -> Unless<'_> {
    let commands = leaf.path.view(ViewKind::Shell).filter(|_| leads_to_commands(&leaf.path));
    let is_text = leaf.path.is_command_line() && leaf.op.node != Op::Exists;
    match commands {
        Some(view) if leaf.op.node == Op::Exists && !selects(view) => Unless::default(),
        Some(_) if negated => Unless { exception: Some(Exception::Leaf(leaf)), requires: false },
        Some(_) => Unless { exception: None, requires: true },
        None if negated => {
            let exception = (is_text && is_start(leaf)).then_some(Exception::Leaf(leaf));
            Unless { exception, requires: false }
        }
        None => Unless { exception: None, requires: is_text },
    }
}

/// Whether a condition is true of a command for which no comparison is. The recursion depth is the nesting.
fn is_exception(part: CondPart<'_>) -> bool {
    match part.demand() {
        Demand::All | Demand::Not => part.parts().all(is_exception),
        Demand::Any => part.parts().any(is_exception),
        Demand::Leaf(leaf) => part.negated != leaf.is_negated(),
        Demand::Const(_)
        | Demand::Some(_)
        | Demand::Every(_)
        | Demand::Predicate(_)
        | Demand::Formerly(_) => false,
    }
}

/// Whether a negated test of a path, or of a leaf, is checked here.
pub(crate) fn is_about_lines(path: &Path, leaf: Option<&Leaf>) -> bool {
    leads_to_commands(path) || leaf.is_some_and(|leaf| path.is_command_line() && is_start(leaf))
}

/// Whether a path leads to commands of a line, or into them.
fn leads_to_commands(path: &Path) -> bool {
    let first = path.view(ViewKind::Shell).and_then(|view| view.rest.segments.first());
    let Some(Segment::Child(names)) = first else { return false };
    matches!(names.as_slice(), [Selector::Name(name)] if name == "commands")
}

/// Whether a path leads to members of commands, or to some of the commands.
fn selects(view: &View) -> bool {
    let is_any = |selector: &Selector| matches!(selector, Selector::Index(_) | Selector::Wildcard);
    view.rest.segments.iter().skip(1).any(|segment| match segment {
        Segment::Child(selectors) | Segment::Descendant(selectors) => !selectors.iter().all(is_any),
    })
}

/// Whether a leaf is true for a text with a certain start, whatever follows.
fn is_start(leaf: &Leaf) -> bool {
    let mut texts = leaf.texts().map(|(_, text)| text);
    match leaf.op.node {
        Op::StartsWith => texts.next().is_some(),
        Op::Glob => texts.any(|text| !text.starts_with('*') && text.contains('*')),
        Op::Regex => {
            texts.any(|text| !is_whole(text) && text::anchored(text).is_some_and(|(start, _)| start))
        }
        _ => false,
    }
}

/// Characters that separate commands, or start one in another.
const SEPARATORS: [char; 6] = [';', '&', '|', '\n', '`', '$'];

/// Whether a pattern is about a whole line, and matches no line with several commands.
pub(crate) fn is_whole(pattern: &str) -> bool {
    let Ok(hir) = regex_syntax::parse(pattern) else { return true };
    text::anchors(&hir) == (true, true) && !has_separator(&hir)
}

fn has_separator(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(text) => text.0.iter().any(|byte| SEPARATORS.contains(&char::from(*byte))),
        HirKind::Class(Class::Unicode(class)) => {
            let within =
                |c: &char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(c));
            SEPARATORS.iter().any(within)
        }
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Repetition(repetition) => has_separator(&repetition.sub),
        HirKind::Capture(capture) => has_separator(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_separator),
    }
}

/// Whether a condition tests the name of the tool.
fn names_tool(cond: &Cond) -> bool {
    let names = |leaf: &Leaf| leaf.path.is_in("tool_name");
    cond.walk().any(|part| !part.is_bound && part.leaf().is_some_and(names))
}

fn report(exception: Exception<'_>, names_tool: bool) -> Diagnostic {
    let (span, commands) = match exception {
        Exception::Quantified(inner) | Exception::Unread(inner) => {
            (inner.path.span, named::commands(&inner.cond))
        }
        Exception::Leaf(leaf) => (leaf.path.span, named::patterns([leaf])),
    };
    let commands = commands.unwrap_or_else(|| "'git status'".to_owned());
    let new = |what, label| Diagnostic::new(Code::W0659, span, what).with_label(label);
    let new = match exception {
        Exception::Quantified(inner)
            if inner.quantifier == Quantifier::Every && !is_exception(inner.cond.whole()) =>
        {
            let new = new("one other command on the line evades this", "every command must match");
            let new = new.note("the condition is false for a line with one command for which it is false");
            return new.help(format!("write `runs({commands})`, which is true if one command matches"));
        }
        Exception::Unread(_) => {
            let new = new("a command line that cannot be read evades this", "such a line has no commands");
            new.note("a condition about some of no commands is false")
        }
        Exception::Quantified(_) | Exception::Leaf(_) => {
            let new = new("a line with one such command and others evades this", "one command suffices");
            new.note("a line can contain several commands: `git status; rm -rf /`")
        }
    };
    if names_tool || matches!(exception, Exception::Unread(_)) {
        return new.help(format!("deny what is not listed: `not only(runs({commands}))`"));
    }
    let new = new.note("it is also true of tools without a command line");
    new.help(format!("deny what is not listed: `tool_name == 'Bash' and not only(runs({commands}))`"))
}
