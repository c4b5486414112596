//! Walks the words of a command along the row of its program, and along the rows of the programs
//! that it starts.
//!
//! Linear in the words: nested programs are followed up to a limit.

use std::borrow::Cow;

use hookc_vm::format::shell::tables::model::{Operand, OptionArgument, Row, find};

use super::variables;
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
/// its working directory.
pub(super) fn scan(words: Vec<Word<'_>>, moved: bool) -> Vec<Finding> {
    let folder = moved.then_some(None);
    let mut scan = Scan { found: Vec::new(), pending: vec![(words, folder, 0)], depth: 0 };
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
type Folder = Option<Option<usize>>;

struct Scan<'a> {
    found: Vec<Finding>,
    /// Commands that are to be walked, and how many programs start each.
    pending: Vec<(Vec<Word<'a>>, Folder, usize)>,
    depth: usize,
}

/// A program whose arguments are walked.
struct Call<'r> {
    name: &'r str,
    row: &'static Row,
    verb: Option<&'static Row>,
    /// Its subcommand is determined, or it has none in the row.
    chosen: bool,
    folder: Folder,
    /// Words are still options.
    options: bool,
    /// An option brought the code.
    coded: bool,
    first_is_code: bool,
    all_are_code: bool,
    /// After the last code or script: data.
    done: bool,
    operands: usize,
}

impl Call<'_> {
    fn rows(&self) -> impl Iterator<Item = &'static Row> + use<> {
        self.verb.into_iter().chain([self.row])
    }

    fn rule(&self) -> &'static Row {
        self.verb.unwrap_or(self.row)
    }

    fn long_dash(&self) -> bool {
        self.rule().long_dash
    }

    fn is_lenient(&self) -> bool {
        let rule = self.rule();
        rule.lenient || self.row.lenient && rule.operands == "data*"
    }

    /// Whether the next operand chooses a subcommand.
    fn is_to_choose(&self) -> bool {
        !self.chosen && !self.row.verbs.is_empty()
    }

    fn operand_kind(&self) -> Operand {
        if self.all_are_code || self.first_is_code && self.operands == 0 {
            return Operand::Code { unless_given: false };
        }
        match self.rule().operand(self.operands) {
            Operand::Code { unless_given: true } | Operand::Script { unless_given: true } if self.coded => {
                Operand::Data
            }
            kind => kind,
        }
    }

    fn takes(&self, option: &str) -> Option<OptionArgument> {
        let long = option.strip_prefix("--").filter(|_| self.long_dash());
        let same = |own: &str| own == option || long.is_some() && own.strip_prefix('-') == long;
        self.rows()
            .find_map(|row| row.known().find(|(own, takes)| *takes != OptionArgument::Prefix && same(own)))
            .map(|(_, takes)| takes)
    }

    /// A long option can be abbreviated: the worst of its possible meanings applies.
    fn abbreviated(&self, option: &str) -> Option<OptionArgument> {
        if !option.starts_with("--") || option.len() < 4 {
            return None;
        }
        let all = self.rows().flat_map(Row::known);
        let mut near = all.filter(|(own, _)| own.starts_with(option)).map(|(_, takes)| takes);
        let first = near.next()?;
        Some(near.fold(first, |worst, takes| if is_harmless(worst) { takes } else { worst }))
    }

    fn has_prefix(&self, text: &str) -> bool {
        self.rows().any(|row| {
            row.known().any(|(own, takes)| takes == OptionArgument::Prefix && text.starts_with(own))
        })
    }

    fn has_plus(&self) -> bool {
        self.rows().any(|row| row.known().any(|(own, _)| own.starts_with('+')))
    }

    /// Whether a word is an option, or can become one.
    fn is_option(&self, word: &Word<'_>) -> bool {
        let first = word.text.chars().next();
        match first {
            None => word.open,
            Some('-') => word.text != "-" || word.open || self.takes("-") == Some(OptionArgument::Nothing),
            Some('+') => self.has_plus(),
            Some(first) => self.long_dash() && matches!(first, '(' | '!' | ','),
        }
    }
}

fn is_harmless(takes: OptionArgument) -> bool {
    matches!(
        takes,
        OptionArgument::Nothing | OptionArgument::Data(_) | OptionArgument::Joined | OptionArgument::Digits
    )
}

/// The effect of an option on its own word and the following ones.
enum Read {
    /// It has no argument.
    Done,
    /// Its argument is the rest of its word.
    Rest(OptionArgument, usize),
    /// Its arguments are the following words.
    Next(OptionArgument),
    /// It ends in a template that would go on with it.
    Open,
    /// It is unknown.
    Unknown,
}

impl<'a> Scan<'a> {
    fn report(&mut self, at: Option<usize>, program: &str, risk: Risk) {
        self.found.push(Finding { at, program: program.to_owned(), risk });
    }

    /// All templates of `words` are in unknown positions.
    fn taint(&mut self, words: &[Word<'a>], program: &str, behind: &str) {
        for word in words.iter().filter(|word| word.open) {
            self.report(Some(word.at), program, Risk::Unknown(behind.to_owned()));
        }
    }

    /// A command that a program starts.
    fn start(&mut self, words: Vec<Word<'a>>, call: &Call<'_>) {
        if self.depth >= limits::PROGRAMS_IN_ONE_ANOTHER {
            return self.taint(&words, call.name, call.name);
        }
        self.pending.push((words, call.folder, self.depth + 1));
    }

    fn command(&mut self, words: &[Word<'a>], folder: Folder) {
        let Some((first, rest)) = words.split_first() else { return };
        if first.open {
            self.report(Some(first.at), &first.text, Risk::Program);
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
        if let Some(row) = find(&name) {
            let call = Call {
                name: &name,
                row,
                verb: None,
                chosen: false,
                folder,
                options: true,
                coded: false,
                first_is_code: false,
                all_are_code: false,
                done: false,
                operands: 0,
            };
            self.arguments(rest, call);
        } else {
            self.unknown(rest);
        }
    }

    /// After a program without a row: data, except code that is plainly passed to an interpreter it
    /// may start (`sandbox sh -c ...`).
    fn unknown(&mut self, words: &[Word<'a>]) {
        let is_interpreter = |row: &Row| row.operands.starts_with("script");
        let named = |word: &Word<'_>| !word.open && find(&word.text).is_some_and(is_interpreter);
        let starts = words.iter().enumerate().filter(|(_, word)| named(word)).map(|(at, _)| at);
        for at in starts.take(limits::PROGRAMS_IN_ONE_ANOTHER) {
            let mut inner = Scan { found: Vec::new(), pending: Vec::new(), depth: self.depth };
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
            // All of its arguments are code, whatever its options.
            Read::Open | Read::Unknown if call.rule().operands == "code" => {
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

    /// The values of an option: one joined to it, the others after it.
    fn values<'w>(
        &mut self,
        takes: OptionArgument,
        option: &str,
        (joined, behind): (Option<Word<'a>>, &'w [Word<'a>]),
        call: &mut Call<'_>,
    ) -> Option<&'w [Word<'a>]> {
        let own = joined.is_some();
        let (value, rest) = match joined {
            Some(value) => (Some(value), behind),
            None => behind.split_first().map_or((None, behind), |(value, rest)| (Some(value.clone()), rest)),
        };
        let at = value.as_ref().filter(|value| value.open).map(|value| value.at);
        match takes {
            OptionArgument::Data(2) => return Some(rest.get(1..).unwrap_or_default()),
            OptionArgument::Code | OptionArgument::LastCode => {
                if let Some(at) = at {
                    self.report(Some(at), call.name, Risk::Code);
                }
                call.coded = true;
                call.done = takes == OptionArgument::LastCode;
            }
            OptionArgument::Program => {
                if let Some(at) = at {
                    self.report(Some(at), call.name, Risk::Loaded(option.to_owned()));
                }
            }
            OptionArgument::Folder => {
                if let Some(at) = at {
                    call.folder = Some(Some(at));
                }
            }
            OptionArgument::Variable => {
                if let Some(value) = value {
                    self.variable(&value, call);
                }
            }
            OptionArgument::NameAndValue => {
                let (name, second) = (value, rest.first());
                let named = name.as_ref().filter(|name| !name.open).map(|name| name.text.clone());
                let named = named.unwrap_or_default();
                for word in name.iter().chain(second).filter(|word| word.open) {
                    if named.is_empty() || variables::loads(&named) {
                        self.report(Some(word.at), call.name, Risk::Variable(named.to_string()));
                    }
                }
                return Some(rest.get(1..).unwrap_or_default());
            }
            OptionArgument::Words => return self.split(value, rest, call),
            OptionArgument::Module => {
                let rest = if own { behind } else { rest };
                let inner = value.into_iter().chain(rest.iter().cloned()).collect();
                self.start(inner, call);
                return None;
            }
            OptionArgument::Command => {
                let ends = |word: &Word<'_>| !word.open && matches!(&*word.text, ";" | "+");
                let end = behind.iter().position(ends).unwrap_or(behind.len());
                let inner = behind.get(..end).unwrap_or_default().to_vec();
                self.start(inner, call);
                return Some(behind.get(end + 1..).unwrap_or_default());
            }
            OptionArgument::Prefix => {
                if let Some(at) = at {
                    self.report(Some(at), call.name, Risk::Loaded(option.to_owned()));
                }
            }
            OptionArgument::Data(_)
            | OptionArgument::Joined
            | OptionArgument::Digits
            | OptionArgument::Nothing
            | OptionArgument::FirstIsCode
            | OptionArgument::AllAreCode => {}
        }
        Some(if own { behind } else { rest })
    }

    /// `env -S`: several words in one, before the others.
    fn split<'w>(
        &mut self,
        value: Option<Word<'a>>,
        rest: &'w [Word<'a>],
        call: &Call<'_>,
    ) -> Option<&'w [Word<'a>]> {
        let value = value?;
        if value.open {
            self.report(Some(value.at), call.name, Risk::Code);
        }
        let plain = !value.open && !value.text.contains(['"', '\'', '\\', '$', '#']);
        if !plain {
            self.taint(rest, call.name, "-S");
            return None;
        }
        let name = Word { at: value.at, text: Cow::Owned(call.name.to_owned()), open: false };
        let words = value.text.split_ascii_whitespace();
        let words = words.map(|text| Word { at: value.at, text: Cow::Owned(text.to_owned()), open: false });
        let all = [name].into_iter().chain(words).chain(rest.iter().cloned()).collect();
        self.start(all, call);
        None
    }

    fn variable(&mut self, word: &Word<'a>, call: &Call<'_>) {
        let text = word.text.trim_start_matches('=');
        let name = text.split('=').next().unwrap_or_default();
        if word.open && (name.len() == text.len() || variables::loads(name)) {
            self.report(Some(word.at), call.name, Risk::Variable(name.to_owned()));
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
            return self.verb(word, behind, call);
        }
        if !call.rule().permutes {
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
        match call.row.verb(&word.text) {
            // A group of subcommands.
            Some(inner) if !inner.verbs.is_empty() => call.row = inner,
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

/// The meaning of an option, by its word.
fn read(text: &str, open: bool, call: &mut Call<'_>) -> Read {
    let found = match text.split_once('=') {
        Some((name, _)) if text.starts_with("--") || call.long_dash() => {
            let takes = call.takes(name).or_else(|| call.abbreviated(name));
            takes.map(|takes| Read::Rest(takes, name.len() + 1))
        }
        _ if open => None,
        _ => call.takes(text).or_else(|| call.abbreviated(text)).map(|takes| flag(takes, call)),
    };
    if let Some(found) = found {
        return found;
    }
    if call.has_prefix(text) {
        return if open { Read::Rest(OptionArgument::Prefix, text.len()) } else { Read::Done };
    }
    if text.starts_with("--") && text.contains('=') {
        // The following words do not belong to it.
        return if open && !call.is_lenient() { Read::Unknown } else { Read::Done };
    }
    if text.starts_with("--") || call.long_dash() {
        return if open { Read::Open } else { Read::Unknown };
    }
    cluster(text, open, call)
}

fn flag(takes: OptionArgument, call: &mut Call<'_>) -> Read {
    match takes {
        OptionArgument::Nothing
        | OptionArgument::Joined
        | OptionArgument::Digits
        | OptionArgument::Prefix => Read::Done,
        OptionArgument::FirstIsCode => {
            call.first_is_code = true;
            Read::Done
        }
        OptionArgument::AllAreCode => {
            call.all_are_code = true;
            Read::Done
        }
        takes => Read::Next(takes),
    }
}

/// Short options in one word.
fn cluster(text: &str, open: bool, call: &mut Call<'_>) -> Read {
    let dash = text.get(..1).unwrap_or_default();
    let mut rest = text.get(1..).unwrap_or_default();
    if let Some(takes) = call.takes("+").filter(|_| dash == "+") {
        return Read::Rest(takes, 1);
    }
    let digits = call.takes("-") == Some(OptionArgument::Digits);
    while let Some(letter) = rest.chars().next() {
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        let from = text.len() - behind.len();
        let takes = call.takes(&format!("{dash}{letter}"));
        match takes {
            _ if letter.is_ascii_digit() && takes.is_none() && digits => {}
            None => return Read::Unknown,
            Some(OptionArgument::Digits) => {
                rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
                continue;
            }
            Some(OptionArgument::Joined) => return Read::Rest(OptionArgument::Joined, from),
            Some(takes) => match flag(takes, call) {
                Read::Next(takes) if behind.is_empty() && !open => return Read::Next(takes),
                Read::Next(takes) => return Read::Rest(takes, from),
                _ => {}
            },
        }
        rest = behind;
    }
    if open { Read::Open } else { Read::Done }
}
