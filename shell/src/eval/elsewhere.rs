//! Commands that run on another machine or in a container: of them, the view has what they run as code.

use super::super::token::{Range, Token, Words, long, short};
use super::arguments::Arguments;
use super::command::Starter;
use super::{Done, Walk};

/// Images whose default command is a shell.
const SHELL_IMAGES: [&str; 10] = [
    "alpine",
    "ubuntu",
    "debian",
    "busybox",
    "fedora",
    "centos",
    "rockylinux",
    "almalinux",
    "archlinux",
    "amazonlinux",
];

impl Walk {
    /// Adds the programs of this machine that write code for a command elsewhere to `runs`.
    pub(super) fn remote(&mut self, at: usize, words: Words, call: &Arguments) -> Done<()> {
        let is_marked = |word: &Token| word.is_marked();
        if self.input() == 0 && !self.arena.words(words).iter().any(is_marked) {
            return Ok(());
        }
        let is_detached = match call.kind {
            "ssh" => self.has_flag(at, &["n", "f"]),
            // Compose attaches the input by default.
            "docker" | "kubectl" if !self.has_word(words, "compose") => {
                !self.has_flag(at, &["i", "interactive", "stdin"])
            }
            _ => false,
        };
        let operands: Vec<Token> = self.operands_of_call(call).iter().map(|(_, word)| *word).collect();
        let code = match call.kind {
            "ssh" | "mosh" | "adb" => {
                let operands_after = operands.get(usize::from(call.kind != "adb")..).unwrap_or_default();
                if operands_after.is_empty() { None } else { Some(self.join_with(operands_after, " ")) }
            }
            _ if self.is_vagrant(words) => self.value_after(words, &["-c", "--command"]),
            _ => None,
        };
        let command = self.remote_command(words, &operands, call);
        self.framed(|walk| {
            if is_detached {
                walk.open_input(0);
            }
            walk.isolated(at, |walk| match (code, command) {
                (Some(code), _) => walk.code(Some(at), code, call.kind, Some(Words::default())),
                (None, Some(command)) => walk.start_inner(command, call.kind, Starter::Program, false),
                // A shell for a user.
                (None, None) if call.kind == "ssh" && !operands.is_empty() => {
                    walk.input_is_code(at, "ssh", true)
                }
                (None, None) => Ok(()),
            })
        })
    }

    /// The command that a program starts in a container.
    fn remote_command(&mut self, words: Words, operands: &[Token], call: &Arguments) -> Option<Words> {
        let entry = call.codes.iter().find(|(_, option)| option == "--entrypoint").map(|(entry, _)| *entry);
        let list = self.arena.words(words);
        let dashes = list.iter().position(|word| self.arena.text(*word) == "--");
        let command = call.command.map(|first| words.skip(first));
        let command = command.or_else(|| dashes.map(|dashes| words.skip(short(dashes + 1))));
        if let Some(entry) = entry {
            let mut list = vec![entry];
            list.extend_from_slice(command.map_or(&[][..], |command| self.arena.words(command)));
            return Some(self.arena.list(&list));
        }
        if command.is_some() || !self.is_sub(call, "run") {
            return command;
        }
        // The name of an image says what it starts.
        let image = *operands.first()?;
        let text = self.arena.text(image);
        let from = text.rfind('/').map_or(0, |at| at + 1);
        let length = text.get(from..)?.find([':', '@']).unwrap_or(text.len() - from);
        let name = text.get(from..from + length)?;
        let program = self.programs.find(name).filter(|program| program.shell || program.interpreter);
        let token = match program {
            Some(_) => self.arena.slice(image, from, from + length),
            None if SHELL_IMAGES.contains(&name) => self.text("sh"),
            None => return None,
        };
        Some(self.arena.list(&[token]))
    }

    fn has_word(&self, words: Words, text: &str) -> bool {
        self.arena.words(words).iter().any(|word| self.arena.text(*word) == text)
    }

    fn is_vagrant(&self, words: Words) -> bool {
        self.arena.word(words, 0).is_some_and(|word| self.arena.text(word).ends_with("vagrant"))
    }

    /// The word after one of these options.
    fn value_after(&self, words: Words, options: &[&str]) -> Option<Token> {
        let at = self.arena.words(words).iter().position(|word| options.contains(&self.arena.text(*word)))?;
        self.arena.word(words, short(at + 1))
    }

    /// Walks commands that do not belong to this line, and adds the commands of the line that write their code to the
    /// `runs` of one.
    fn isolated(&mut self, at: usize, inner: impl FnOnce(&mut Self) -> Done<()>) -> Done<()> {
        let first = self.here();
        let (opaque, loose, outer) = (self.opaque, self.loose, self.state.clone());
        let (functions, traps, written, ran) =
            (self.functions.len(), self.traps.len(), self.written.len(), self.ran.len());
        let output = self.output.take();
        self.forget_cwd();
        self.without_output(|walk| walk.nested(inner))?;
        let ranges: Vec<Range> = self
            .commands
            .drain(long(first)..)
            .flat_map(|seen| seen.runs)
            .filter(|(from, _)| *from < first)
            .map(|(from, to)| (from, to.min(first)))
            .collect();
        self.runs(Some(at), &ranges);
        (self.opaque, self.loose, self.state) = (opaque, loose, outer);
        self.functions.truncate(functions);
        self.traps.truncate(traps);
        self.written.truncate(written);
        self.ran.truncate(ran);
        self.output = output;
        Ok(())
    }
}
