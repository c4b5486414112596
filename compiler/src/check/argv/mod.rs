//! Templates where a program would read the event as code: a shell command line, the name of a
//! program, code in an argument of an interpreter, a variable that controls what a program loads,
//! the directory of a relative program.
//!
//! What programs do with their arguments is data: the tables of the reader of command
//! lines. A template is accepted where it is known to be
//! data, and in every argument of a program without a row. `trusted_args` of an action accepts it
//! elsewhere.

mod report;

use std::borrow::Cow;
use std::collections::BTreeSet;

use hookc_base::action;
use hookc_schema::tree::{Action, Path, print};
use hookc_schema::value::{Kind, Value};
use hookc_shell::argv::{self, ArgumentText, Finding, Risk, StartedIn};
use hookc_shell::programs::{Programs, variables};
use hookc_shell::units::{self, Unit};

use super::Cx;
use super::template::Draft;

/// The parameters of an action.
pub(super) struct Params<'d>(pub(super) Vec<(&'d str, &'d Draft)>);

impl<'d> Params<'d> {
    fn get(&self, name: &str) -> Option<&'d Draft> {
        self.0.iter().find(|(listed, _)| *listed == name).map(|(_, draft)| *draft)
    }

    fn hole(&self, name: &str) -> Option<&'d Path> {
        self.get(name).and_then(Draft::first_path)
    }
}

/// Reports the templates of an action that would be read as code; `false` then.
pub(super) fn check(action: &Action, params: &Params<'_>, cx: &mut Cx<'_>) -> bool {
    let before = cx.out.reported();
    match action.known() {
        Some(action::Kind::Run) => run(params, cx),
        Some(action::Kind::Script) => {
            if let Some(path) = params.hole("file") {
                cx.report(report::script(path));
            }
        }
        _ => {}
    }
    cx.out.reported() == before
}

fn run(params: &Params<'_>, cx: &mut Cx<'_>) {
    let (command, args) = (params.get("command"), params.get("args"));
    if let (Some(path), None) = (params.hole("command"), args) {
        cx.report(report::line(path));
    }
    if let Some(path) = params.hole("shell") {
        cx.report(report::shell(path));
    }
    if let Some(draft) = params.get("env") {
        environment(draft, cx);
    }
    let items = match (params.get("argv"), command, args) {
        (Some(argv), ..) => items(argv),
        (None, Some(command), Some(args)) => [item(command)].into_iter().chain(items(args)).collect(),
        _ => Vec::new(),
    };
    let trusted = trusted(&items, params, cx);
    let moved = params.hole("cwd");
    let arguments: Vec<_> = items.iter().map(Item::argument).collect();
    let start = if moved.is_some() { StartedIn::OpenDirectory } else { StartedIn::KnownDirectory };
    for found in scan(&arguments, start, &cx.programs) {
        if found.at.is_some_and(|at| trusted.contains(&at)) {
            continue;
        }
        let path = match found.at {
            Some(at) => items.get(at).and_then(|item| item.path),
            None => moved,
        };
        if let Some(path) = path {
            cx.report(report::finding(&found, path));
        }
    }
    let Some(path) = moved else { return };
    let line = command.filter(|_| args.is_none() && params.get("argv").is_none());
    for program in
        relative(params.get("shell")).map(str::to_owned).into_iter().chain(in_line(line, &cx.programs))
    {
        let risk = Risk::Folder(program.clone());
        cx.report(report::finding(&Finding { at: None, program, risk }, path));
    }
}

/// The templates among arguments that are not known to be data.
fn scan(arguments: &[ArgumentText<'_>], start: StartedIn, programs: &Programs) -> Vec<Finding> {
    let mut found = argv::scan(arguments, start, programs);
    found.retain(|finding| !matches!(&finding.risk, Risk::Folder(file) if is_below_variable(file)));
    found
}

/// Whether a path is below a directory that the agent names.
fn is_below_variable(path: &str) -> bool {
    path.starts_with("${CLAUDE_")
}

/// The first relative program, or script, of a shell's line.
fn in_line(line: Option<&Draft>, programs: &Programs) -> Option<String> {
    let Some(Draft::Const(line)) = line else { return None };
    let commands = units::read(line.as_str()?).ok()?.commands;
    // What another command starts, the walk along its words reaches.
    let direct = commands.iter().filter(|command| !command.is_started);
    let found = direct.flat_map(|command| {
        let words = command.words.iter().map(|word| Cow::Owned(text(word)));
        let words: Vec<_> = words.map(|text| ArgumentText { text, is_open: false }).collect();
        scan(&words, StartedIn::OpenDirectory, programs)
    });
    found
        .filter_map(|found| match found.risk {
            Risk::Folder(program) => Some(program),
            _ => None,
        })
        .next()
}

/// A word of a line. The result of its expansions is usually an absolute directory.
fn text(word: &[Unit]) -> String {
    let char = |unit: &Unit| match unit {
        Unit::Char(char) | Unit::Glob(char) => *char,
        Unit::Unknown => '/',
    };
    word.iter().map(char).collect()
}

/// A shell that is searched for in the working directory.
fn relative(shell: Option<&Draft>) -> Option<&str> {
    let Some(Draft::Const(shell)) = shell else { return None };
    shell.as_str().filter(|shell| shell.contains('/') && !shell.starts_with('/') && !is_below_variable(shell))
}

/// An argument: its text up to the first template, and that.
struct Item<'d> {
    text: Cow<'d, str>,
    path: Option<&'d Path>,
}

impl<'d> Item<'d> {
    fn argument(&self) -> ArgumentText<'_> {
        ArgumentText { text: Cow::Borrowed(&self.text), is_open: self.path.is_some() }
    }

    fn constant(value: &'d Value) -> Self {
        let text = value.as_str().map_or_else(|| Cow::Owned(print::json(value)), Cow::Borrowed);
        Self { text, path: None }
    }
}

/// The arguments of a list; a list that the event brings is one of them.
fn items(draft: &Draft) -> Vec<Item<'_>> {
    match draft {
        Draft::Seq(items) => items.iter().map(item).collect(),
        Draft::Const(Value { kind: Kind::Seq(items), .. }) => items.iter().map(Item::constant).collect(),
        draft => vec![item(draft)],
    }
}

fn item(draft: &Draft) -> Item<'_> {
    let text = match draft {
        Draft::Const(value) => return Item::constant(value),
        Draft::Text(parts) => match parts.first() {
            Some(Draft::Const(text)) => text.as_str().unwrap_or_default(),
            _ => "",
        },
        Draft::Hole(..) => "",
        // They become JSON.
        Draft::Seq(_) => "[",
        Draft::Map(_) => "{",
    };
    Item { text: Cow::Borrowed(text), path: draft.first_path() }
}

/// The arguments that the author declares safe for any event.
fn trusted(items: &[Item<'_>], params: &Params<'_>, cx: &mut Cx<'_>) -> BTreeSet<usize> {
    let mut trusted = BTreeSet::new();
    let Some(draft) = params.get("trusted_args") else { return trusted };
    if let Some(path) = draft.first_path() {
        cx.report(report::trusted_by_template(path));
        return trusted;
    }
    let Draft::Const(Value { kind: Kind::Seq(numbers), .. }) = draft else { return trusted };
    for number in numbers {
        let at = match &number.kind {
            Kind::Num(text) => text.0.parse::<usize>().ok(),
            _ => None,
        };
        let has_template = |at: &usize| *at > 0 && items.get(*at).is_some_and(|item| item.path.is_some());
        match at.filter(has_template).filter(|at| !trusted.contains(at)) {
            Some(at) => {
                trusted.insert(at);
            }
            None => cx.report(report::nothing_to_trust(
                number,
                items.len(),
                at.is_some_and(|at| trusted.contains(&at)),
            )),
        }
    }
    trusted
}

fn environment(draft: &Draft, cx: &mut Cx<'_>) {
    let Draft::Map(members) = draft else {
        if let Some(path) = draft.first_path() {
            cx.report(report::all_variables(path));
        }
        return;
    };
    for (name, value) in members.iter().filter(|(name, _)| variables::loads(&name.node)) {
        if let Some(path) = value.first_path() {
            cx.report(report::variable(&name.node, path));
        }
    }
}
