//! Lists of arguments that no shell reads: where a text from elsewhere would be code, an option, or the name of a program.
//!
//! They are read as those of a command line: along the row of the program, then along the rows of the programs that it starts.
//! A text is data only where a row says so, and in every argument of a program without a row.

mod command;

use std::borrow::Cow;

use super::arguments::Argument;
use super::eval::{Started, Walk};
use super::limits;
use super::programs::{self, Program, Programs, Role, Row, base_name};
use super::token::{Mark, Special, Token, Words, long, short};
use super::typed::{Commands, Word};
use command::ArgvCommand;

/// An argument: a text, which one from elsewhere can follow.
#[derive(Clone, Debug)]
pub struct ArgumentText<'t> {
    /// Its text.
    pub text: Cow<'t, str>,
    /// Whether a text from elsewhere follows.
    pub is_open: bool,
}

/// What a text from elsewhere could control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Risk {
    /// Which program runs.
    Program,
    /// What the program does: its subcommand.
    Verb,
    /// It is read as code.
    Code,
    /// What is run or loaded, by this option.
    Loaded(String),
    /// The value of this variable; without a name, any variable.
    Variable(String),
    /// It can be an option.
    Option,
    /// Anything: nothing is known about what follows this word.
    Unknown(String),
    /// Which file a relative path names.
    Folder(String),
}

/// A text from elsewhere that is not known to be data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The number of its argument; `None` is the working directory.
    pub at: Option<usize>,
    /// The program that reads it.
    pub program: String,
    /// What it could control.
    pub risk: Risk,
}

/// Who names the working directory in which a program starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartedIn {
    /// The policy.
    KnownDirectory,
    /// A text from elsewhere.
    OpenDirectory,
}

/// The texts from elsewhere that are not known to be data.
#[must_use]
pub fn scan(arguments: &[ArgumentText<'_>], start: StartedIn, programs: &Programs) -> Vec<Finding> {
    let size = arguments.iter().map(|argument| argument.text.len().saturating_add(8)).sum();
    Walk::with(size, None, programs, |walk| {
        let words = walk.argument_list(arguments);
        let mut scan = Scan { walk, found: Vec::new(), pending: Vec::new() };
        let folder = (start == StartedIn::OpenDirectory).then_some(Folder::Caller);
        scan.pending.push(Inner { words, folder, depth: 0 });
        scan.run();
        scan.found.sort_by_key(|finding| finding.at);
        scan.found.dedup();
        scan.found
    })
}

/// Which argument is the program that the ones in front of it start: 3 for `nice -n 5 make`. Programs of other machines and
/// containers are left out.
#[must_use]
pub fn last_program(arguments: &[ArgumentText<'_>]) -> usize {
    let size = arguments.iter().map(|argument| argument.text.len()).sum();
    Walk::with(size, None, Default::default(), |walk| {
        let mut words = walk.argument_list(arguments);
        while let Some(inner) = walk.last_words(words) {
            words = inner;
        }
        arguments.len().saturating_sub(long(words.len))
    })
}

/// Whether a path depends on the working directory.
fn is_relative(path: &str) -> bool {
    !path.starts_with('/')
}

/// What names the working directory of a command, if that is a text from elsewhere.
#[derive(Clone, Copy)]
enum Folder {
    /// The caller, for the first command.
    Caller,
    Argument(usize),
}

impl Folder {
    fn argument(self) -> Option<usize> {
        match self {
            Self::Caller => None,
            Self::Argument(at) => Some(at),
        }
    }
}

/// A command, and how many programs start it.
#[derive(Clone, Copy)]
struct Inner {
    words: Words,
    folder: Option<Folder>,
    depth: usize,
}

struct Scan<'s> {
    walk: &'s mut Walk,
    found: Vec<Finding>,
    pending: Vec<Inner>,
}

impl Walk {
    fn argument_list(&mut self, arguments: &[ArgumentText<'_>]) -> Words {
        let words = arguments.iter().enumerate().map(|(at, argument)| self.argument(at, argument));
        let words: Vec<Token> = words.collect();
        self.arena.list(&words)
    }

    /// The last words of a command, if they are one that it starts here.
    fn last_words(&mut self, words: Words) -> Option<Words> {
        let name = self.arena.literal(self.arena.word(words, 0)?)?.to_owned();
        let program = self.programs.find(base_name(&name))?;
        if program.elsewhere || !program.row.starts() {
            return None;
        }
        let number = self.add_command(words);
        let inner = *self.started_by(number, program, &name, words)?.commands.last()?;
        let is_end = |inner: &Words| inner.start + inner.len == words.start + words.len;
        Some(inner).filter(|inner| is_end(inner) && (1..words.len).contains(&inner.len))
    }

    /// An argument as a word. The text from elsewhere is a hole with the number of the argument.
    fn argument(&mut self, at: usize, argument: &ArgumentText<'_>) -> Token {
        let text = &*argument.text;
        if !argument.is_open {
            return self.text(text);
        }
        let hole = format!("${{{at}}}");
        let mark = Mark { at: short(text.len()), len: short(hole.len()), kind: Special::Unknown };
        self.arena.push(&format!("{text}{hole}"), &[mark], true)
    }
}

/// The number of the argument whose text from elsewhere is in a word.
fn hole(word: Word<'_>) -> Option<usize> {
    word.holes().find_map(|hole| hole.text.strip_prefix("${")?.strip_suffix('}')?.parse().ok())
}

/// The text of a word in front of the text from elsewhere.
fn prefix(word: Word<'_>) -> &str {
    let end = word.holes().next().map_or(word.text().len(), |hole| hole.range.start);
    word.text().get(..end).unwrap_or_default()
}

/// Whether a row is that of an interpreter.
fn is_interpreter(row: &Row) -> bool {
    row.starts() && row.text("operands").is_some_and(|list| list.starts_with("SCRIPT"))
}

impl Scan<'_> {
    fn run(&mut self) {
        while let Some(command) = self.pending.pop() {
            self.command(command);
        }
    }

    fn word(&self, token: Token) -> Word<'_> {
        Word::new(&self.walk.arena, token)
    }

    fn report(&mut self, at: Option<usize>, program: &str, risk: Risk) {
        self.found.push(Finding { at, program: program.to_owned(), risk });
    }

    /// Nothing is known about these words.
    fn taint(&mut self, words: Words, program: &str, after: &str) {
        let words = self.walk.arena.words(words).iter();
        let holes: Vec<usize> = words.filter_map(|token| hole(self.word(*token))).collect();
        for at in holes {
            self.report(Some(at), program, Risk::Unknown(after.to_owned()));
        }
    }

    fn command(&mut self, command: Inner) {
        let Inner { words, folder, depth } = command;
        let Some(first) = self.walk.arena.word(words, 0) else { return };
        let first = self.word(first);
        let (at, name) = (hole(first), prefix(first).to_owned());
        if at.is_some() {
            self.report(at, "", Risk::Program);
        }
        if at.is_some() || name.starts_with('-') || depth > limits::PROGRAM_NESTING {
            return self.taint(words.skip(1), &name, &name);
        }
        if let Some(at) = folder.map(Folder::argument)
            && name.contains('/')
            && is_relative(&name)
        {
            self.report(at, &name, Risk::Folder(name.clone()));
        }
        match self.walk.programs.find(base_name(&name)).filter(|program| program.row.starts()) {
            Some(program) => self.call(&name, program, command),
            None => self.unknown(words),
        }
    }

    /// The arguments of a program without a row: data, but for code of an interpreter that it may start: `sandbox sh -c CODE`.
    fn unknown(&mut self, words: Words) {
        let is_named = |token: &Token| {
            self.walk.arena.literal(*token).and_then(programs::find).is_some_and(is_interpreter)
        };
        let tokens = self.walk.arena.words(words);
        let starts = (0..).zip(tokens).skip(1).filter(|(_, token)| is_named(token)).map(|(at, _)| at);
        for at in starts.take(limits::PROGRAM_NESTING).collect::<Vec<u32>>() {
            let mut inner = Scan { walk: self.walk, found: Vec::new(), pending: Vec::new() };
            inner.command(Inner { words: words.skip(at), folder: None, depth: 0 });
            let is_code = |finding: &Finding| {
                finding.risk == Risk::Code && programs::find(&finding.program).is_some_and(is_interpreter)
            };
            self.found.extend(inner.found.into_iter().filter(is_code));
        }
    }

    fn call(&mut self, name: &str, program: &'static Program, command: Inner) {
        let Inner { words, folder, depth } = command;
        let number = self.walk.add_command(words);
        let Some(started) = self.walk.started_by(number, program, name, words) else {
            return self.taint(words.skip(1), name, name);
        };
        let Some(call) = ArgvCommand::new(self.walk, number, &started) else { return };
        let folder = call.folder().or(folder);
        let (is_read, mut risks) = (call.unread().is_none(), call.risks());
        risks.extend(call.relative_scripts(folder));
        self.found.extend(risks.into_iter().map(|(at, risk)| Finding { at, program: name.to_owned(), risk }));
        let inner = started.commands.into_iter().filter(|_| is_read);
        self.pending.extend(inner.map(|words| Inner { words, folder, depth: depth.saturating_add(1) }));
    }
}

impl Walk {
    /// What a program starts and sets by its words; none if that is too much work.
    fn started_by(
        &mut self,
        number: usize,
        program: &'static Program,
        name: &str,
        words: Words,
    ) -> Option<Started> {
        let mut started = self.starts_by_words(number, program, name, words)?;
        if started.may_have_more {
            let first = self.first_command(number).map(|at| words.skip(at));
            started.commands.extend(first.map(|inner| self.own_form(base_name(name), inner)));
        }
        Some(started)
    }

    /// The first operand that is a program by its role: `git bisect run PROGRAM`.
    fn first_command(&self, number: usize) -> Option<u32> {
        let arguments = Commands::new(self).get(number)?.arguments();
        let is_command =
            |argument: &&Argument<'_>| argument.flag.is_none() && argument.role == Some(Role::Command);
        arguments.iter().find(is_command).map(|argument| short(argument.at))
    }
}
