//! The command that the arguments of another one start, and its words.

use super::super::token::{Mark, Special, Token, Words, short, within};
use super::arguments::{Arguments, CodeOperands, Environment};
use super::command::{Start, Starter, appended};
use super::state::{State, Value};
use super::{Done, Flow, Walk};

impl Walk {
    /// Runs a command that another one starts.
    pub(super) fn start_inner(
        &mut self,
        words: Words,
        label: &str,
        starter: Starter,
        more: bool,
    ) -> Done<()> {
        self.without_output(|walk| {
            walk.push_via(label);
            walk.nested(|walk| walk.run(words, Start { more, ..Start::by(starter) }))?;
            Ok(())
        })
    }

    pub(super) fn inner_command(
        &mut self,
        name: &str,
        inner: Words,
        call: &Arguments,
        more: bool,
    ) -> Done<()> {
        self.required(|walk| walk.follow_inner(name, inner, call, more))
    }

    fn follow_inner(&mut self, name: &str, inner: Words, call: &Arguments, more: bool) -> Done<()> {
        let mut inner = self.own_form(name, inner);
        let starter = match call.kind {
            "command" | "builtin" | "exec" | "coproc" => Starter::Builtin,
            "jobs" => Starter::Shell,
            _ => Starter::Program,
        };
        let (label, mut more) = (self.label_of(name, call), more);
        if call.kind == "xargs" {
            match call.replaces {
                Some(text) => {
                    let text = self.arena.text(text).to_owned();
                    inner = self.replaced(inner, &text);
                }
                None => more = true,
            }
        }
        let first = self.arena.word(inner, 0).map(|word| self.arena.text(word));
        if call.kind == "flock" && matches!(first, Some("-c" | "--command")) {
            return match self.arena.word(inner, 1) {
                Some(code) => self.implicit_shell(name, code, &[]),
                None => Ok(()),
            };
        }
        let mut settings: Vec<(Token, Token)> =
            call.environment.settings.iter().filter_map(|word| self.setting(*word)).collect();
        let outer = (starter == Starter::Program).then(|| self.set_environment(call, &settings)).flatten();
        let first = self.commands.len();
        if call.code_operands == CodeOperands::All {
            if let Some(code) = self.join(inner) {
                self.implicit_shell(&label, code, &[])?;
            }
        } else if call.kind == "entr" && call.code_operands == CodeOperands::First {
            if let Some(code) = self.arena.word(inner, 0) {
                let args = self.arena.words(inner.skip(1)).to_vec();
                self.implicit_shell(name, code, &args)?;
            }
        } else if matches!(call.kind, "noglob" | "repeat") {
            // Reserved words of zsh, in whose shell the command runs.
            self.maybe(|walk| walk.start_inner(inner, &label, Starter::Shell, more).map(|()| Flow::Same))?;
        } else if call.kind == "builtin" && !self.frame.is_bash {
            self.maybe(|walk| walk.start_inner(inner, &label, starter, more).map(|()| Flow::Same))?;
        } else {
            self.start_inner(inner, &label, starter, more)?;
        }
        if !settings.is_empty() {
            self.optional(|walk| {
                walk.push_via(&label);
                walk.code_of_variables(Some(first), &settings)
            })?;
        }
        if let Some(outer) = outer {
            self.state.take_names(outer);
        }
        if let Some(seen) = self.commands.get_mut(first).filter(|_| !settings.is_empty()) {
            settings.extend_from_slice(within(&self.settings, seen.env));
            seen.env = appended(&mut self.settings, &mut settings);
        }
        Ok(())
    }

    /// The words of a command as its program starts it.
    pub(crate) fn own_form(&mut self, name: &str, mut inner: Words) -> Words {
        while self.arena.word(inner, 0).is_some_and(|word| self.arena.text(word) == "--") {
            inner = inner.skip(1);
        }
        match name {
            "entr" => return self.replaced(inner, "/_"),
            "hatch" => {}
            _ => return inner,
        }
        // `hatch run ENVIRONMENT:COMMAND`
        let Some(first) = self.arena.word(inner, 0) else { return inner };
        let text = self.arena.text(first);
        let Some(at) = text.find(':') else { return inner };
        let first = self.arena.slice(first, at + 1, text.len());
        let mut words = self.arena.words(inner).to_vec();
        if let Some(program) = words.first_mut() {
            *program = first;
        }
        self.arena.list(&words)
    }

    /// Gives variables the values that a started program gets; returns those of this shell.
    pub(super) fn set_environment(&mut self, call: &Arguments, settings: &[(Token, Token)]) -> Option<State> {
        let is_filtered = matches!(call.kind, "sudo" | "doas" | "run0" | "pkexec");
        let Environment { unset, is_cleared, .. } = &call.environment;
        let changes = *is_cleared || !unset.is_empty() || is_filtered && self.state.has_names();
        if !changes && settings.is_empty() {
            return None;
        }
        let outer = self.state.of_names();
        match call.kind {
            // What they pass on is a matter of their configuration.
            _ if is_filtered => self.state.set_all(Value::Unknown),
            "su" if *is_cleared => self.state.set_all(Value::Unknown),
            _ if *is_cleared => self.state.set_all(Value::Unset),
            _ => {}
        }
        for name in unset {
            let name = self.arena.text(*name).to_owned();
            let name = self.arena.symbol(&name);
            self.state.set(name, Value::Unset);
        }
        for (name, value) in settings {
            let name = self.arena.text(*name).to_owned();
            let name = self.arena.symbol(&name);
            self.state.export(name, Value::Text(*value));
        }
        Some(outer)
    }

    /// Code for the shell that a program starts without naming it.
    pub(super) fn implicit_shell(&mut self, name: &str, code: Token, args: &[Token]) -> Done<()> {
        let mut words = vec![self.text("-c"), code];
        words.extend_from_slice(args);
        self.implicit_program(name, &words)
    }

    /// A shell with these arguments that a program starts without naming it.
    pub(super) fn implicit_program(&mut self, name: &str, args: &[Token]) -> Done<()> {
        let mut words = vec![self.text("sh")];
        words.extend_from_slice(args);
        let words = self.arena.list(&words);
        let first = self.commands.len();
        self.start_inner(words, name, Starter::Program, false)?;
        if let Some(shell) = self.commands.get_mut(first) {
            shell.implicit = true;
        }
        Ok(())
    }

    /// `NAME=VALUE`.
    pub(super) fn setting(&mut self, word: Token) -> Option<(Token, Token)> {
        let text = self.arena.text(word);
        let (at, length) = (text.find('=')?, text.len());
        Some((self.arena.slice(word, 0, at), self.arena.slice(word, at + 1, length)))
    }

    /// Words in which a placeholder is an unknown part.
    pub(super) fn replaced(&mut self, words: Words, placeholder: &str) -> Words {
        let command = self.arena.words(words).to_vec();
        if placeholder.is_empty() || !command.iter().any(|word| self.arena.text(*word).contains(placeholder))
        {
            return words;
        }
        let mut new = Vec::with_capacity(command.len());
        for word in command {
            let text = self.arena.text(word).to_owned();
            if !text.contains(placeholder) {
                new.push(word);
                continue;
            }
            let mut marks: Vec<Mark> = self.arena.marks(word).to_vec();
            let places = text.match_indices(placeholder);
            marks.extend(places.map(|(at, found)| Mark {
                at: short(at),
                len: short(found.len()),
                kind: Special::Unknown,
            }));
            marks.sort_by_key(|mark| mark.at);
            new.push(self.arena.push(&text, &marks, true));
        }
        self.arena.list(&new)
    }
}

/// Whether a word in front of the command that a program starts is `NAME=VALUE`. The name can be any text; for
/// `sudo`, a path is the command.
pub(super) fn is_variable(program: &str, text: &str) -> bool {
    text.find('=').is_some_and(|at| at > 0) && !(program == "sudo" && text.starts_with('/'))
}

pub(super) fn is_setting(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
