//! Walks the words of a command along the row of its program, and along the rows of the programs
//! that it starts.
//!
//! Linear in the words: nested programs are followed up to a limit. `call.rs` uses the row,
//! `option.rs` the meaning of an option, `value.rs` its values.

use std::borrow::Cow;

use hookc_shell::programs::{Operand, Programs, Row, find_starting as find};

use super::call::Call;
use super::option::{Read, read};
use crate::limits;

/// An argument: its text up to the first template, if it has one.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    /// Its position among the arguments; the program is 0.
    pub(super) at: usize,
    pub(super) text: Cow<'a, str>,
    /// Whether a template follows the text.
    pub(super) open: bool,
}

/// What an event could control at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Risk {
    /// Which program runs.
    Program,
    /// What the program does (a subcommand).
    Verb,
    /// Be read as code.
    Code,
    /// What is run or loaded, by this option.
    Loaded(String),
    /// What programs load, by this variable.
    Variable(String),
    /// Be an option, which can be code.
    Option,
    /// Anything, after this word, which is unknown.
    Unknown(String),
    /// Which file a relative path refers to.
    Folder(String),
}

/// A template in a position that is not known to be data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The argument; `None` is the working directory.
    pub(super) at: Option<usize>,
    /// The program that reads it.
    pub(super) program: String,
    pub(super) risk: Risk,
}

impl Finding {
    /// A program that is searched for in a directory that the event controls.
    pub(super) fn of_folder(program: &str) -> Self {
        Self { at: None, program: program.to_owned(), risk: Risk::Folder(program.to_owned()) }
    }
}

/// The templates of a command that are not known to be data. `moved` states that the event controls
/// its working directory; `programs` are those of the policy.
pub(super) fn scan<'a>(words: Vec<Word<'a>>, moved: bool, programs: &'a Programs) -> Vec<Finding> {
    let folder = moved.then_some(None);
    let mut scan = Scan { found: Vec::new(), pending: vec![(words, folder, 0)], depth: 0, programs };
    while let Some((words, folder, depth)) = scan.pending.pop() {
        scan.depth = depth;
        scan.command(&words, folder);
    }
    scan.found.sort_by_key(|finding| finding.at);
    scan.found.dedup();
    scan.found
}

/// The argument with the working directory, if the event controls it: the action's own `cwd` is
/// `None`.
pub(super) type Folder = Option<Option<usize>>;

pub(super) struct Scan<'a> {
    found: Vec<Finding>,
    /// Commands that are to be walked, and how many programs start each.
    pending: Vec<(Vec<Word<'a>>, Folder, usize)>,
    depth: usize,
    /// The programs of the policy, and the shipped ones.
    programs: &'a Programs,
}

impl<'a> Scan<'a> {
    pub(super) fn report(&mut self, at: Option<usize>, program: &str, risk: Risk) {
        self.found.push(Finding { at, program: program.to_owned(), risk });
    }

    /// All templates of `words` are in unknown positions.
    pub(super) fn taint(&mut self, words: &[Word<'a>], program: &str, behind: &str) {
        for word in words.iter().filter(|word| word.open) {
            self.report(Some(word.at), program, Risk::Unknown(behind.to_owned()));
        }
    }

    /// A command that a program starts.
    pub(super) fn start(&mut self, words: Vec<Word<'a>>, call: &Call<'_>) {
        if self.depth >= limits::PROGRAM_NESTING {
            return self.taint(&words, call.name, call.name);
        }
        self.pending.push((words, call.folder, self.depth + 1));
    }

    fn command(&mut self, words: &[Word<'a>], folder: Folder) {
        let Some((first, rest)) = words.split_first() else { return };
        if first.open {
            self.report(Some(first.at), "", Risk::Program);
            return self.taint(rest, &first.text, &first.text);
        }
        let name = first.text.clone();
        if name.starts_with('-') {
            return self.taint(rest, &name, &name);
        }
        if let Some(at) = folder
            && name.contains('/')
            && is_relative(&name)
        {
            self.report(at, &name, Risk::Folder(name.to_string()));
        }
        if let Some(row) = self.programs.find_starting(&name) {
            let call = Call::new(&name, row, folder);
            self.arguments(rest, call);
        } else {
            self.unknown(rest);
        }
    }

    /// After a program without a row: data, except code that is plainly passed to an interpreter it
    /// may start (`sandbox sh -c ...`).
    fn unknown(&mut self, words: &[Word<'a>]) {
        let is_interpreter = |row: &Row| row.text("operands").is_some_and(|list| list.starts_with("SCRIPT"));
        let named = |word: &Word<'_>| !word.open && find(&word.text).is_some_and(is_interpreter);
        let starts = words.iter().enumerate().filter(|(_, word)| named(word)).map(|(at, _)| at);
        for at in starts.take(limits::PROGRAM_NESTING) {
            let (found, pending) = (Vec::new(), Vec::new());
            let mut inner = Scan { found, pending, depth: self.depth, programs: self.programs };
            inner.command(words.get(at..).unwrap_or_default(), None);
            self.found.extend(inner.found.into_iter().filter(|found| {
                found.risk == Risk::Code && find(&found.program).is_some_and(is_interpreter)
            }));
        }
    }

    fn arguments(&mut self, words: &[Word<'a>], mut call: Call<'_>) {
        let mut rest = words;
        while let Some((word, behind)) = rest.split_first() {
            rest = behind;
            if call.done {
                continue;
            }
            if call.options && !word.open && word.text == "--" && !call.long_dash() {
                call.options = false;
            } else if call.options && call.is_option(word) {
                match self.option(word, behind, &mut call) {
                    Some(behind) => rest = behind,
                    None => return,
                }
            } else if !self.operand(word, behind, &mut call) {
                return;
            }
        }
    }

    /// An option; returns the words after it and its values, if they still need to be walked.
    fn option<'w>(
        &mut self,
        word: &Word<'a>,
        behind: &'w [Word<'a>],
        call: &mut Call<'_>,
    ) -> Option<&'w [Word<'a>]> {
        let read = read(&word.text, word.open, call);
        match read {
            Read::Done => Some(behind),
            // A template alone can also be an operand.
            Read::Open
                if word.text.is_empty() && (call.is_to_choose() || call.operand_kind() != Operand::Data) =>
            {
                self.operand(word, behind, call).then_some(behind)
            }
            // All of its arguments are code, with any options.
            Read::Open | Read::Unknown if call.rule().is_all_code() => {
                for word in [word].into_iter().chain(behind).filter(|word| word.open) {
                    self.report(Some(word.at), call.name, Risk::Code);
                }
                None
            }
            Read::Open => {
                self.report(Some(word.at), call.name, Risk::Option);
                call.operands += usize::from(word.text.is_empty());
                Some(behind)
            }
            Read::Unknown if call.is_lenient() => {
                if let Some(next) = behind.first().filter(|next| next.open && next.text.is_empty()) {
                    self.report(Some(next.at), call.name, Risk::Unknown(word.text.to_string()));
                }
                Some(behind)
            }
            Read::Unknown => {
                let all: Vec<_> = [word.clone()].into_iter().chain(behind.iter().cloned()).collect();
                self.taint(&all, call.name, &word.text);
                None
            }
            Read::Rest(takes, from) => {
                let text = word.text.get(from..).unwrap_or_default().to_owned();
                let option = word.text.get(..from).unwrap_or_default().trim_end_matches('=');
                let value = Word { at: word.at, text: Cow::Owned(text), open: word.open };
                self.values(takes, option, (Some(value), behind), call)
            }
            Read::Next(takes) => self.values(takes, &word.text, (None, behind), call),
        }
    }

    /// An operand; `false` if the following words do not belong to this program.
    fn operand(&mut self, word: &Word<'a>, behind: &[Word<'a>], call: &mut Call<'_>) -> bool {
        if call.row.sets() && call.operands == 0 && word.text.contains('=') {
            self.variable(word, call);
            // Options end at the first variable.
            call.options = false;
            return true;
        }
        if call.is_to_choose() {
            // `perf stat PROGRAM`, beside `perf stat record PROGRAM`.
            let is_program = call.row.is_wrapper() && !word.open && call.row.sub(&word.text).is_none();
            if !is_program {
                return self.verb(word, behind, call);
            }
            call.chosen = true;
        }
        if call.rule().stops() {
            call.options = false;
        }
        let kind = call.operand_kind();
        if kind == Operand::Command {
            if word.text == "--" && !word.open {
                return true;
            }
            let inner = [word.clone()].into_iter().chain(behind.iter().cloned()).collect();
            self.start(inner, call);
            return false;
        }
        let risk = match kind {
            Operand::Data | Operand::Command => None,
            Operand::Script { .. } => Some(Risk::Program),
            Operand::Code { .. } => Some(Risk::Code),
        };
        if let Some(risk) = risk.filter(|_| word.open) {
            self.report(Some(word.at), call.name, risk);
        }
        if let Some(at) = call.folder
            && matches!(kind, Operand::Script { .. })
            && !word.open
            && is_relative(&word.text)
        {
            self.report(at, call.name, Risk::Folder(word.text.to_string()));
        }
        call.operands += 1;
        true
    }

    /// The word that chooses a subcommand.
    fn verb(&mut self, word: &Word<'a>, behind: &[Word<'a>], call: &mut Call<'_>) -> bool {
        if word.open {
            self.report(Some(word.at), call.name, Risk::Verb);
            self.taint(behind, call.name, &word.text);
            return false;
        }
        // `docker container run` is `docker run`.
        if call.row.text("same_group") == Some(&*word.text) {
            return true;
        }
        match call.row.sub(&word.text) {
            // A group of subcommands.
            Some(inner) if !inner.subs().is_empty() => call.row = inner,
            inner => {
                call.verb = inner;
                call.chosen = true;
            }
        }
        true
    }
}

/// Whether a path depends on the working directory.
pub(super) fn is_relative(path: &str) -> bool {
    !path.starts_with('/') && !path.starts_with("${CLAUDE_")
}
