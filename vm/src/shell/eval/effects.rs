//! What a command starts, along the row of its program.

use super::super::arena::{Token, Words, short};
use super::super::tables::Program;
use super::arguments::Call;
use super::command::Starter;
use super::state::Place;
use super::{Done, Walk};

impl Call {
    /// Whether no option, subcommand or operand is code or a command.
    fn starts_nothing(&self) -> bool {
        self.codes.is_empty()
            && self.commands.is_empty()
            && self.command.is_none()
            && self.split.is_none()
            && !self.reads_input
            && !self.verb.is_some_and(|verb| verb.dashed)
    }
}

impl Walk {
    pub(super) fn effects(
        &mut self,
        at: usize,
        program: &'static Program,
        name: Token,
        words: Words,
        call: &Call,
    ) -> Done<()> {
        if program.elsewhere || call.idle {
            return Ok(());
        }
        if call.kind == "git" {
            return self.git(at, words, call);
        }
        if !program.acts && call.starts_nothing() {
            return Ok(());
        }
        let name = self.copy_text(name);
        self.act(at, program, &name, words, call)?;
        self.reuse(name);
        Ok(())
    }

    /// What a program other than git starts.
    fn act(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &Call,
    ) -> Done<()> {
        let more = self.commands.get(at).is_some_and(|seen| seen.more);
        if program.shell {
            return self.shell(at, name, words, call, more);
        }
        if program.interpreter {
            return self.interpreter(at, program, name, words, call);
        }
        let codes = call.codes.iter().filter(|_| !NOT_SHELL.contains(&call.kind));
        for (code, option) in codes {
            if IMPLICIT_SHELL.contains(&call.kind) {
                self.implicit_shell(name, *code)?;
                continue;
            }
            let label = format!("{name} {option}");
            self.code(Some(at), *code, &label, Some(Words::default()))?;
        }
        for (inner, option) in &call.commands {
            let inner = self.replaced(*inner, "{}");
            self.started(inner, &format!("{name} {option}"), Starter::Program, false)?;
        }
        match call.kind {
            "watch" => {
                let all: Vec<Token> = self.operands_of_call(call).iter().map(|(_, word)| *word).collect();
                let all = self.arena.list(&all);
                if call.direct {
                    return self.started(all, name, Starter::Program, false);
                }
                if let Some(code) = self.join(all).filter(|_| all.len > 0) {
                    self.implicit_shell(name, code)?;
                }
                return Ok(());
            }
            "parallel" | "sem" => return self.parallel(at, name, words),
            _ => {}
        }
        let row = call.verb.and_then(|verb| verb.row).or_else(|| program.row());
        let command = match call.command {
            None if row.is_some_and(|row| row.operands == "dashed") => {
                let dashes = self.arena.words(words).iter().position(|word| self.arena.text(*word) == "--");
                dashes.map(|dashes| short(dashes + 1))
            }
            command => command,
        };
        let place = self.state.place;
        if let Some(folder) = call.folder {
            let dir = self.moved(folder);
            self.state.place = Place { dir, other: None };
        }
        let before = words.take(command.unwrap_or_default()).skip(1);
        self.loose |= self.arena.words(before).iter().any(|word| !word.quoted && !self.arena.is_known(*word));
        let inner = match (call.split, command) {
            (Some(split), command) => Some(self.split(split, command.map(|at| words.skip(at)))),
            (None, Some(first)) => Some(words.skip(first)),
            (None, None) => None,
        };
        match inner {
            Some(inner) => self.inner_command(name, inner, call, more)?,
            // `xargs` with nothing to start runs `echo`.
            None if call.kind == "xargs" && !more => {}
            None if more && (call.kind == "xargs" || program.starts) => self.opaque(0),
            None if call.reads_input || DEFAULT_SHELL.contains(&call.kind) && !call.coded => {
                self.input_is_code(at, name, true)?;
            }
            None => {}
        }
        self.state.place = place;
        Ok(())
    }
}

/// Programs whose options are code of another language, or settings.
const NOT_SHELL: [&str; 10] =
    ["gdb", "lldb", "cgdb", "strace", "xvfb-run", "systemd-run", "rlwrap", "hg", "svn", "valgrind"];

/// Programs that pass code to a shell that no word names: `sh`, or that of the user.
const IMPLICIT_SHELL: [&str; 4] = ["su", "sg", "script", "flock"];

/// Programs that start a shell if there is nothing else to start.
const DEFAULT_SHELL: [&str; 7] = ["su", "script", "run0", "chroot", "unshare", "nsenter", "nix-shell"];
