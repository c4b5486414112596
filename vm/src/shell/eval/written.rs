//! Files that the line writes before it runs them.

use super::super::arena::{Range, Token, Words, long, within};
use super::state::Args;
use super::{Done, Walk};

/// A file that commands of the line write.
#[derive(Debug)]
pub(super) struct Written {
    /// By text.
    path: String,
    by: Range,
    /// All of its text, if the words of the command determine it.
    text: Option<Token>,
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

impl Walk {
    /// Remembers the files that the commands from `first` on write by `words` and their redirections.
    pub(super) fn remember_files(&mut self, first: u32, words: Words, redirects: Range) -> Done<()> {
        // What a pipe brings comes from the commands in front of it.
        let from = self.inputs.get(long(self.input)).map(|input| input.from).filter(|from| from.0 < from.1);
        let by = (from.map_or(first, |from| from.0.min(first)), self.here());
        let targets =
            within(&self.targets, redirects).iter().filter(|target| target.op.starts_with(['>', '&']));
        let targets: Vec<(Token, bool)> =
            targets.map(|target| (target.word, matches!(target.op, ">" | ">|"))).collect();
        let text = if targets.is_empty() { None } else { self.text_of(words, redirects) };
        for (file, replaces) in targets {
            self.remember(file, by, text.filter(|_| replaces));
        }
        self.step(long(by.1.saturating_sub(first)) / 8)?;
        for at in first..by.1 {
            for file in self.files_of(long(at)) {
                self.step(1)?;
                self.remember(file, by, None);
            }
        }
        Ok(())
    }

    /// The files that the arguments of a command name, for programs that copy what they read to them.
    fn files_of(&self, at: usize) -> Vec<Token> {
        let Some(seen) = self.commands.get(at) else { return Vec::new() };
        let name = self.arena.word(seen.words, 0).map(|word| self.arena.text(word)).unwrap_or_default();
        match name.rsplit('/').next() {
            Some("tee") => within(&self.operands, seen.operands).iter().map(|(_, file)| *file).collect(),
            Some("curl" | "wget") => {
                let names = ["o", "output", "O", "output-document"];
                let flags = within(&self.flags, seen.flags).iter();
                let flags = flags.filter(|flag| names.contains(&flag.name.text(&self.arena)));
                flags.filter_map(|flag| flag.value).collect()
            }
            _ => Vec::new(),
        }
    }

    fn remember(&mut self, file: Token, by: Range, text: Option<Token>) {
        let path = self.moved(file).and_then(|path| self.dirs.get(long(path)));
        if let Some(path) = path.filter(|path| !path.starts_with("/dev/")).cloned() {
            self.written.push(Written { path, by, text });
        }
    }

    /// What a command writes to its redirection, if its words alone determine it.
    fn text_of(&mut self, words: Words, redirects: Range) -> Option<Token> {
        let name = self.copy_text(self.arena.word(words, 0)?);
        let text = match name.as_str() {
            "cat" if words.len == 1 => {
                let mut inputs = within(&self.targets, redirects).iter().filter(|target| target.input);
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
        if self.written.is_empty() {
            return Ok(());
        }
        self.step(self.written.len())?;
        let path = self.moved(file).and_then(|path| self.dirs.get(long(path))).cloned().unwrap_or_default();
        let own = self.written.iter().filter(|own| own.path == path);
        let (by, texts): (Vec<Range>, Vec<Option<Token>>) = own.map(|own| (own.by, own.text)).unzip();
        self.runs(Some(at), &by);
        match (texts.as_slice(), runner) {
            ([], _) | (_, Runner::Other) => Ok(()),
            ([Some(text)], Runner::Itself) if is_of_another_language(self.arena.text(*text)) => Ok(()),
            ([Some(text)], _) => self.code_with(Some(at), *text, label, args),
            _ => {
                self.opaque(1);
                Ok(())
            }
        }
    }
}

/// Whether the first line of a script names a program that is no shell.
fn is_of_another_language(text: &str) -> bool {
    let Some(line) = text.strip_prefix("#!").and_then(|text| text.lines().next()) else { return false };
    !line.split([' ', '\t', '/']).any(|word| word.ends_with("sh"))
}
