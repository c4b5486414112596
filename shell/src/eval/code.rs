//! Text that a command reads as code.

use super::super::Opaque;
use super::super::token::{Token, Words, long, short};
use super::super::{Cause, read};
use super::state::Args;
use super::{Done, Range, Walk, names_table};

impl Walk {
    /// Follows code of a shell. `at` is the command that reads it; with `args`, it is a shell of its
    /// own.
    pub(super) fn code(
        &mut self,
        at: Option<usize>,
        code: Token,
        label: &str,
        args: Option<Words>,
    ) -> Done<()> {
        self.code_with(at, code, label, args.map(Args::Known))
    }

    /// Like `code`, with arguments that can be unknown.
    pub(super) fn code_with(
        &mut self,
        at: Option<usize>,
        code: Token,
        label: &str,
        args: Option<Args>,
    ) -> Done<()> {
        self.code_of_shell(at, code, label, args.map(|args| (args, None)))
    }

    /// Like `code_with`, with `$0`.
    pub(super) fn code_of_shell(
        &mut self,
        at: Option<usize>,
        code: Token,
        label: &str,
        args: Option<(Args, Option<Token>)>,
    ) -> Done<()> {
        let origins = self.origins_of(code);
        self.runs(at, &origins);
        let code = self.without_setup(code);
        if !self.arena.is_known(code) {
            self.opaque(Opaque::Code);
        }
        let text = self.arena.text(code).to_owned();
        self.step(1 + text.len() / 16)?;
        if names_table(&text) {
            self.opaque(Opaque::Name);
        }
        let is_bash = match args {
            Some(_) => self.is_for_bash(label, &text),
            None => self.frame.is_bash,
        };
        self.arena.has_bashism = false;
        let list = match read::read_part(&text, code.start(), self.depth, &mut self.arena) {
            Ok(list) => {
                if self.arena.has_bashism && !is_bash {
                    self.opaque(Opaque::Code);
                }
                list
            }
            Err(problem) => {
                return match problem.cause {
                    Cause::TooDeep | Cause::TooManyCommands | Cause::TooLong => Err(problem.cause),
                    // A shell runs the lines before it.
                    _ => {
                        self.opaque(Opaque::Code);
                        Ok(())
                    }
                };
            }
        };
        let names = self.state.names();
        self.step(names.functions.len().saturating_mul(names.exported.len()) / 16)?;
        self.scoped(|walk| {
            walk.push_via(label);
            if let (Some(at), Some(new)) = (at, walk.vias.last_mut()) {
                new.by = Some(short(at));
            }
            walk.frame.wants_output = false;
            let Some((args, zero)) = args else { return walk.nested(|walk| walk.list(&list)) };
            walk.frame.is_bash = is_bash;
            walk.frame.has_pipefail = walk.sets_pipefail(&list, &text, at);
            let is_traced = at.is_some_and(|at| walk.has_flag(at, &["v", "verbose", "x"]));
            walk.outside_functions(|walk| {
                walk.state.child(&walk.arena);
                walk.state.is_traced = is_traced;
                (walk.state.args, walk.state.zero) = (args, zero);
                walk.list(&list)
            })
        })
    }

    /// Runs `inner` as a shell of its own, which is in no function.
    fn outside_functions<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let (locals, returns) = (std::mem::take(&mut self.locals), std::mem::take(&mut self.returns));
        let done = self.nested(|walk| walk.in_subshell(inner))?;
        (self.locals, self.returns) = (locals, returns);
        Ok(done)
    }

    /// Whether bash reads the code of a shell of its own: by the name of the shell, or by the first line of a
    /// script that is started itself. For all other code, that is the `sh` of the machine, or a shell that the
    /// user has chosen.
    fn is_for_bash(&self, label: &str, text: &str) -> bool {
        if label.contains('/') {
            let first = text.strip_prefix("#!").and_then(|text| text.lines().next()).unwrap_or_default();
            return first.split([' ', '\t', '/']).any(|word| word == "bash");
        }
        // The `bash` of `busybox` is its own shell.
        let starter = self.vias.get(long(self.frame.via)).map_or("", |via| via.text.as_str());
        label.split(' ').next() == Some("bash") && !matches!(starter, "busybox" | "toybox")
    }

    pub(super) fn runs(&mut self, at: Option<usize>, ranges: &[Range]) {
        if let Some(seen) = at.and_then(|at| self.commands.get_mut(at)) {
            for range in ranges {
                if !seen.runs.contains(range) {
                    seen.runs.push(*range);
                }
            }
        }
    }

    /// A command reads its input as code; `shell` if it is a shell.
    pub(super) fn input_is_code(&mut self, at: usize, label: &str, shell: bool) -> Done<()> {
        self.content_is_code(at, self.input(), label, shell)
    }

    /// Like [`Self::input_is_code`], but with the number of the input.
    pub(super) fn content_is_code(&mut self, at: usize, input: u32, label: &str, shell: bool) -> Done<()> {
        let mut next = input;
        let Some(input) = self.inputs.get(long(next)).copied().filter(|_| next > 0) else { return Ok(()) };
        if let Some(file) = input.file {
            return self.input_file(at, label, shell, file);
        }
        while let Some(input) = self.inputs.get(long(next)).copied().filter(|_| next > 0) {
            if input.from != (0, 0) {
                self.runs(Some(at), &[input.from]);
            }
            next = if input.text.is_some() { 0 } else { input.outer };
        }
        match input.text {
            Some(text) if shell => {
                // Which of its words are arguments of the code depends on its options.
                let has_words = self.commands.get(at).is_some_and(|seen| seen.operands.0 < seen.operands.1);
                let args = if has_words { Args::Unknown } else { Args::Known(Words::default()) };
                // `source` reads it in this shell.
                let args = (!matches!(label, "." | "source")).then_some(args);
                self.with_input(0, |walk| walk.code_with(Some(at), text, label, args))?;
            }
            Some(text) => {
                let origins = self.origins_of(text);
                self.runs(Some(at), &origins);
                if !origins.is_empty() && !self.arena.is_known(text) {
                    self.opaque(Opaque::Input);
                }
            }
            None => self.opaque(Opaque::Input),
        }
        Ok(())
    }
}
