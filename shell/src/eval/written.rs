//! Files that the line writes before it runs them.

use super::super::Opaque;
use super::super::token::{Range, Special, Token, Words, long, short, within};
use super::command::Starter;
use super::file_name::{Base, FileName, Match};
use super::state::{Args, Place};
use super::writer::Output;
use super::{Done, Walk};

/// A word for a file, and where it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) word: Token,
    pub(super) place: Place,
    /// The number of the directory, if its path is unknown.
    pub(super) lost: u32,
}

/// A file that commands of the line write.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) name: FileName,
    /// Its name if the directory is the other one.
    other: Option<FileName>,
    /// It can be a directory too, in which files are written.
    pub(super) is_folder: bool,
    pub(super) by: Vec<Range>,
    /// All of its text, if the words of the command determine it.
    pub(super) text: Option<Token>,
    /// The file that it is a copy of, which the line has not written.
    pub(super) program: Option<Token>,
}

/// How a file is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// A shell reads it.
    Shell,
    /// A program of another language reads it.
    Other,
    /// The first line says what reads it.
    Itself,
}

/// Where a file is run from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'l> {
    /// The number of the command.
    pub(super) at: usize,
    pub(super) label: &'l str,
    pub(super) runner: Runner,
    /// What is unknown if the text is.
    pub(super) kind: Opaque,
}

/// The number of a directory that is the same as no other one.
const NOWHERE: u32 = u32::MAX;

impl Walk {
    pub(super) fn named(&self, word: Token) -> Named {
        Named { word, place: self.state.place, lost: self.state.lost }
    }

    /// The commands from `first` on, and those whose output they read through a pipe.
    fn writers(&self, first: u32) -> Range {
        let from = self.inputs.get(long(self.input())).map(|input| input.from).filter(|from| from.0 < from.1);
        (from.map_or(first, |from| from.0.min(first)), self.here())
    }

    /// Remembers the files of redirections. `text` is what the commands from `first` on write, if it is known.
    pub(super) fn remember_targets(
        &mut self,
        first: u32,
        redirects: Range,
        text: Option<Token>,
        (place, lost): (Place, u32),
    ) -> Done<()> {
        self.remember_each(self.writers(first), redirects, text, (place, lost))
    }

    fn remember_each(
        &mut self,
        by: Range,
        redirects: Range,
        text: Option<Token>,
        (place, lost): (Place, u32),
    ) -> Done<()> {
        for at in redirects.0..redirects.1 {
            let Some(target) = self.targets.get(long(at)).copied() else { break };
            if target.op.starts_with(['>', '&']) || target.op == "<>" {
                let replaces = matches!(target.op, ">" | ">|") && target.fd == 1;
                let named = Named { word: target.word, place, lost };
                let text = text.filter(|_| replaces);
                self.remember(named, Output { text, by: vec![by], ..Output::file(target.word) })?;
            }
        }
        Ok(())
    }

    /// Remembers the files that the commands from `first` on write by `words` and their redirections.
    pub(super) fn remember_files(
        &mut self,
        first: u32,
        words: Words,
        redirects: Range,
        place: (Place, u32),
    ) -> Done<()> {
        if redirects.0 < redirects.1 {
            let text = if self.writes(redirects) { self.text_of(words, redirects) } else { None };
            let (from, to) = self.writers(first);
            // `exec > FILE` is for the commands after it.
            let is_open = self.is_exec_alone(words);
            self.remember_each((from, if is_open { u32::MAX } else { to }), redirects, text, place)?;
        }
        for at in long(first)..self.commands.len() {
            // The code of a shell has remembered its own already.
            let Some(program) = self.commands.get_mut(at).and_then(|seen| seen.writer.take()) else {
                continue;
            };
            self.step(1)?;
            let Some(seen) = self.commands.get(at) else { break };
            let lost = if seen.place == self.state.place { self.state.lost } else { NOWHERE };
            let (place, by) = (seen.place, self.writers(first));
            for output in self.outputs(at, program, (place, lost))? {
                let mut commands = vec![by];
                commands.extend_from_slice(&output.by);
                self.remember(Named { word: output.word, place, lost }, Output { by: commands, ..output })?;
            }
        }
        Ok(())
    }

    /// Whether one of these redirections writes a file.
    pub(super) fn writes(&self, redirects: Range) -> bool {
        within(&self.targets, redirects).iter().any(|target| target.op.starts_with('>'))
    }

    fn remember(&mut self, named: Named, output: Output) -> Done<()> {
        let Output { word: _, is_folder, text, program, by } = output;
        if is_device(self.arena.text(named.word)) && self.arena.is_known(named.word) {
            return Ok(());
        }
        let (name, other) = self.names(named);
        let new = Written { name, other, is_folder, by, text, program };
        self.step(self.ran.len())?;
        let ran = std::mem::take(&mut self.ran);
        // What was run before can run again, or later than it was read.
        let least = if new.program.is_some() { Match::Same } else { Match::Maybe };
        if ran.iter().any(|(named, _)| new.compare(&self.names(*named)) >= least) {
            self.opaque(Opaque::Code);
        }
        self.ran = ran;
        self.written.push(new);
        Ok(())
    }

    /// The names of a file, by its directory and by the other one that this can be.
    pub(super) fn names(&self, named: Named) -> (FileName, Option<FileName>) {
        let Named { word, place, lost } = named;
        let is_relative = !self.arena.text(word).starts_with(['/', '~']);
        let name = self.name_in(word, place.dir, lost);
        if !is_relative {
            return (name, None);
        }
        let name = if place.is_either || lost == NOWHERE { name.doubtful() } else { name };
        (name, place.other.map(|dir| self.name_in(word, dir, NOWHERE).doubtful()))
    }

    /// The name of a file in a directory.
    fn name_in(&self, word: Token, dir: Option<u32>, lost: u32) -> FileName {
        let text = self.arena.text(word);
        let dir = dir.and_then(|dir| self.dirs.get(long(dir))).map(String::as_str);
        let (base, dir) = match (text.as_bytes().first(), dir) {
            (Some(b'/'), _) => (Base::Root, ""),
            (Some(b'~'), _) => (Base::Home, ""),
            (_, Some(dir)) if dir.starts_with('/') => (Base::Root, dir),
            (_, Some(dir)) if dir.starts_with('~') => (Base::Home, dir.trim_start_matches('~')),
            (_, Some(dir)) => (Base::Event, dir),
            // A trap can change it at any time.
            (_, None) if !self.traps.is_empty() => (Base::Lost(NOWHERE), ""),
            (_, None) => (Base::Lost(lost), ""),
        };
        let is_open = |kind: Special| kind.is_open() || kind == Special::Glob;
        if !self.arena.has(word, is_open) {
            let path = if base == Base::Home { text.strip_prefix('~') } else { Some(text) };
            return match path {
                Some(path) if base != Base::Home || matches!(path.as_bytes().first(), None | Some(b'/')) => {
                    let links = ["/cwd/", "/root/", "/fd/"].iter().any(|link| text.contains(link));
                    if text.starts_with("/proc/") && links {
                        let after = text.rfind('/').and_then(|at| text.get(at..)).unwrap_or_default();
                        return FileName::open(text.to_owned(), String::new(), after, false);
                    }
                    let name = FileName::known(base, dir, path);
                    if base == Base::Lost(NOWHERE) { name.doubtful() } else { name }
                }
                // The home of another user.
                _ => {
                    let after = text.find('/').and_then(|at| text.get(at..)).unwrap_or_default();
                    FileName::open(text.to_owned(), String::new(), after, true)
                }
            };
        }
        let (mut from, mut to, mut stable, mut inner) = (text.len(), 0, true, true);
        for mark in self.arena.marks(word).iter().filter(|mark| is_open(mark.kind)) {
            let (start, end) = (long(mark.at), long(mark.at + mark.len));
            let raw = text.get(start..end).unwrap_or_default();
            let is_glob = mark.kind == Special::Glob;
            // `[` is a part of a pattern up to its bracket.
            let rest = text.get(end..).unwrap_or_default();
            let end = if raw == "[" { end + rest.find('/').unwrap_or(rest.len()) } else { end };
            (from, to) = (from.min(start), to.max(end));
            inner &= is_glob || is_number(raw);
            stable &= !is_glob && self.is_constant(word, raw, mark.kind);
        }
        let mut start = String::new();
        if inner && base == Base::Root {
            let before = text.get(..from).unwrap_or_default();
            let slash = before.rfind('/').map_or(0, |at| at + 1);
            let directory = FileName::known(base, dir, before.get(..slash).unwrap_or_default());
            start = format!("{}/{}", directory.text(), before.get(slash..).unwrap_or_default());
        }
        let mut key = format!("{base:?} {dir} {text}");
        for mark in self.arena.marks(word) {
            if let Special::Origin(id) = mark.kind {
                key.push_str(&format!(" {id}"));
            }
        }
        let stable = stable && base != Base::Lost(NOWHERE);
        FileName::open(key, start, text.get(to..).unwrap_or_default(), stable)
    }

    /// Whether an unknown part of a word is the same text each time.
    fn is_constant(&self, word: Token, raw: &str, kind: Special) -> bool {
        if !kind.is_unknown() {
            return false;
        }
        if raw.starts_with("$(") || raw.starts_with('`') {
            return !self.origins_of(word).is_empty();
        }
        let Some(name) = raw.strip_prefix('$') else { return false };
        if name == "$" {
            return true;
        }
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        let is_name =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_other = VARYING.contains(&name) || name.starts_with("BASH") || name == "_";
        if !is_name
            || is_other
            || name.starts_with(|c: char| c.is_ascii_digit())
            || self.state.names().has_references
        {
            return false;
        }
        let symbol = self.arena.known_symbol(name);
        symbol.is_none_or(|symbol| self.state.variable(symbol).value.is_none())
    }

    /// What a command writes to its redirection, if its words alone determine it.
    fn text_of(&mut self, words: Words, redirects: Range) -> Option<Token> {
        let name = self.copy_text(self.arena.word(words, 0)?);
        let names = self.state.names();
        let is_other = self.state.has_names()
            && self.arena.known_symbol(&name).is_some_and(|name| {
                names.functions.iter().any(|(known, _)| *known == name)
                    || names.aliases.iter().any(|(known, _)| *known == name)
            });
        let text = match name.as_str() {
            _ if is_other => None,
            "cat" if words.len == 1 => {
                let mut inputs = within(&self.targets, redirects).iter().filter(|target| target.fd == 0);
                inputs.next_back().and_then(|last| last.body.or((last.op == "<<<").then_some(last.word)))
            }
            "echo" | "printf" => self.literal_output(&name, words, Range::default()),
            _ => None,
        };
        self.reuse(name);
        text
    }

    /// Follows a file that the line has written.
    pub(super) fn run_written(
        &mut self,
        at: usize,
        label: &str,
        (file, runner): (Token, Runner),
        args: Option<Args>,
    ) -> Done<()> {
        let file = self.named(file);
        self.run_file(&Run { at, label, runner, kind: Opaque::Code }, file, args)
    }

    /// Follows a file that is the input of a shell, or of a program of another language.
    pub(super) fn input_file(&mut self, at: usize, label: &str, is_shell: bool, file: Named) -> Done<()> {
        let runner = if is_shell { Runner::Shell } else { Runner::Other };
        // Which of its words are arguments of the code depends on its options.
        let has_words = self.commands.get(at).is_some_and(|seen| seen.operands.0 < seen.operands.1);
        let args = if has_words { Args::Unknown } else { Args::Known(Words::default()) };
        let args = (!matches!(label, "." | "source")).then_some(args);
        self.with_input(0, |walk| walk.run_file(&Run { at, label, runner, kind: Opaque::Input }, file, args))
    }

    /// Like `run_written`, for a file that was named elsewhere.
    pub(super) fn run_file(&mut self, run: &Run<'_>, file: Named, args: Option<Args>) -> Done<()> {
        if self.repeats + self.lasting > 0 && run.runner != Runner::Other {
            self.ran.push((file, self.lasting > 0));
        }
        if self.written.is_empty() {
            return Ok(());
        }
        self.step(self.written.len())?;
        let names = self.names(file);
        let Found { texts, programs, is_same } = self.find_written(run.at, &names);
        if run.runner == Runner::Itself {
            programs.into_iter().try_for_each(|program| self.run_copy(run, program))?;
        }
        if texts.is_empty() || run.runner == Runner::Other {
            return Ok(());
        }
        if let ([Some(text)], Runner::Itself) = (texts.as_slice(), run.runner)
            && is_same
            && let Some(interpreter) = other_interpreter(self.arena.text(*text))
        {
            let interpreter = interpreter.map(str::to_owned);
            return self.run_by_interpreter(run, interpreter, file.word);
        }
        if let ([Some(text)], true) = (texts.as_slice(), is_same) {
            return self.code_with(Some(run.at), *text, run.label, args);
        }
        // It can be any of these, and what was there before.
        self.opaque(run.kind);
        for text in texts.into_iter().flatten().take(MOST_TEXTS) {
            self.in_subshell(|walk| walk.code_with(Some(run.at), text, run.label, args))?;
        }
        Ok(())
    }

    /// Starts the program that a file is a copy of, with the arguments of the command.
    fn run_copy(&mut self, run: &Run<'_>, program: Token) -> Done<()> {
        let last = |text: &str| text.rsplit('/').next().unwrap_or_default().to_owned();
        // The command has its name.
        if last(self.arena.text(program)) == last(run.label) && self.arena.is_known(program) {
            return Ok(());
        }
        let Some(seen) = self.commands.get(run.at) else { return Ok(()) };
        let (words, more) = (seen.words, seen.more);
        let mut list = vec![program];
        list.extend_from_slice(self.arena.words(words.skip(1)));
        let list = self.arena.list(&list);
        self.start_inner(list, run.label, Starter::Program, more)
    }

    /// Starts the program that the first line of a script names, with the script and the arguments of the command.
    fn run_by_interpreter(&mut self, run: &Run<'_>, interpreter: [String; 2], script: Token) -> Done<()> {
        let Some(seen) = self.commands.get(run.at) else { return Ok(()) };
        let (words, more) = (seen.words, seen.more);
        let named = interpreter.iter().filter(|word| !word.is_empty());
        let mut list: Vec<Token> = named.map(|word| self.text(word)).collect();
        list.push(script);
        list.extend_from_slice(self.arena.words(words.skip(1)));
        let list = self.arena.list(&list);
        self.start_inner(list, run.label, Starter::Program, more)
    }

    /// Follows a program by its name, if the line has written a file of this name where programs are searched for.
    pub(super) fn run_searched(&mut self, at: usize, name: Token, args: Args) -> Done<()> {
        self.step(self.written.len())?;
        let path = self.arena.known_symbol("PATH");
        let is_set = path.is_some_and(|path| self.state.variable(path).value.is_some());
        let text = self.copy_text(name);
        let is_found =
            |written: &&Written| written.name.last() == text && (is_set || written.name.is_program());
        let found: Vec<(Option<Token>, Option<Token>, Vec<Range>)> = self
            .written
            .iter()
            .filter(is_found)
            .map(|written| (written.text, written.program, written.by.clone()))
            .collect();
        let run = Run { at, label: &text, runner: Runner::Itself, kind: Opaque::Code };
        for (code, program, by) in found.into_iter().take(MOST_TEXTS) {
            match (code, program) {
                (_, Some(program)) => self.run_copy(&run, program)?,
                (Some(code), None) => {
                    self.runs(Some(at), &by);
                    match other_interpreter(self.arena.text(code)).map(|words| words.map(str::to_owned)) {
                        Some(interpreter) => self.run_by_interpreter(&run, interpreter, name)?,
                        None => self.in_subshell(|walk| walk.code_with(Some(at), code, &text, Some(args)))?,
                    }
                }
                (None, None) => {
                    self.runs(Some(at), &by);
                    self.opaque(Opaque::Code);
                }
            }
        }
        self.reuse(text);
        Ok(())
    }
}

/// What the line has written to a file.
struct Found {
    /// One for each time that it was written.
    texts: Vec<Option<Token>>,
    /// What it is a copy of.
    programs: Vec<Token>,
    /// It was this file each time.
    is_same: bool,
}

impl Walk {
    /// What the line has written to a file that a command runs.
    fn find_written(&mut self, at: usize, names: &(FileName, Option<FileName>)) -> Found {
        let (mut by, mut texts, mut programs, mut is_same) = (Vec::new(), Vec::new(), Vec::new(), true);
        let here = short(at);
        for written in &self.written {
            let exact = written.compare(names);
            let inside = if written.is_folder { written.contains(names) } else { Match::No };
            if exact.max(inside) == Match::No {
                continue;
            }
            if let Some(program) = written.program {
                let last = self.arena.text(program).rsplit('/').next().unwrap_or_default();
                if exact == Match::Same || self.arena.is_known(program) && self.programs.find(last).is_some()
                {
                    programs.push(program);
                }
                continue;
            }
            by.extend(written.by.iter().map(|(from, to)| (*from, (*to).min(here))));
            is_same &= exact == Match::Same && inside == Match::No;
            texts.push(written.text);
        }
        self.runs(Some(at), &by);
        Found { texts, programs, is_same }
    }

    /// The known texts that the line has written to a file.
    pub(super) fn known_texts_of_file(&mut self, at: usize, file: Named) -> Done<Vec<Token>> {
        if self.written.is_empty() {
            return Ok(Vec::new());
        }
        self.step(self.written.len())?;
        let names = self.names(file);
        let found = self.find_written(at, &names);
        Ok(found.texts.into_iter().flatten().take(MOST_TEXTS).collect())
    }

    /// The text of a file that the line has written; unknown parts are opaque.
    pub(super) fn text_of_file(&mut self, at: usize, file: Named) -> Done<Option<Token>> {
        self.step(self.written.len())?;
        let names = self.names(file);
        let found = self.find_written(at, &names);
        match found.texts.as_slice() {
            [] => Ok(None),
            [text] if found.is_same && text.is_some() => Ok(*text),
            [first, ..] => {
                self.opaque(Opaque::Code);
                Ok(*first)
            }
        }
    }
}

impl Written {
    pub(super) fn compare(&self, (name, other): &(FileName, Option<FileName>)) -> Match {
        let mut best = self.name.compare(name);
        for one in [Some(&self.name), self.other.as_ref()].into_iter().flatten() {
            for two in [Some(name), other.as_ref()].into_iter().flatten() {
                best = best.max(one.compare(two).min(Match::Maybe));
            }
        }
        best
    }

    fn contains(&self, (name, other): &(FileName, Option<FileName>)) -> Match {
        let mut best = Match::No;
        for one in [Some(&self.name), self.other.as_ref()].into_iter().flatten() {
            for two in [Some(name), other.as_ref()].into_iter().flatten() {
                best = best.max(one.contains(two));
            }
        }
        best
    }
}

/// How many texts of one file are followed.
const MOST_TEXTS: usize = 8;

/// Variables whose value changes without an assignment.
const VARYING: [&str; 13] = [
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "PWD",
    "OLDPWD",
    "DIRSTACK",
    "FUNCNAME",
    "REPLY",
    "OPTARG",
    "OPTIND",
];

/// Whether a parameter is a number.
fn is_number(raw: &str) -> bool {
    matches!(raw, "$$" | "$?" | "$!" | "$#" | "${$}" | "${?}" | "${!}" | "${#}")
}

/// Whether what is written there cannot be read again.
fn is_device(path: &str) -> bool {
    let Some(name) = path.strip_prefix("/dev/") else { return false };
    let kinds = ["fd/", "tcp/", "udp/", "pts/", "tty", "std", "loop", "sd", "nvme", "disk/", "mapper/"];
    matches!(name, "null" | "zero" | "full" | "random" | "urandom" | "console")
        || kinds.iter().any(|kind| name.starts_with(kind))
}

/// The program that the first line of a script names, and its argument, if it is not a shell.
fn other_interpreter(text: &str) -> Option<[&str; 2]> {
    let line = text.strip_prefix("#!")?.lines().next()?.trim();
    let is_shell = line.split([' ', '\t', '/']).any(|word| word.ends_with("sh"));
    // The kernel passes all that follows the program as one argument.
    let (program, argument) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    (!is_shell && !program.is_empty()).then(|| [program, argument.trim()])
}
