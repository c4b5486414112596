//! Programs that start others in ways of their own: `su`, `watch`, `nix run`, `start-stop-daemon`.

use super::super::Opaque;
use super::super::programs::interpreters::is_shell;
use super::super::programs::{Program, Role, Sub};
use super::super::token::{Mark, Special, Token, Words, short};
use super::arguments::Arguments;
use super::command::Starter;
use super::{Done, Walk};

impl Walk {
    /// `su [-] [USER [ARGUMENT...]]`: a shell gets the arguments.
    pub(super) fn su(&mut self, at: usize, name: &str, call: &Arguments) -> Done<()> {
        let operands = self.operands_of_call(call);
        let mut args: Vec<Token> = operands.iter().skip(1).map(|(_, word)| *word).collect();
        if let Some((code, _)) = call.codes.last() {
            let option = self.text("-c");
            args.splice(0..0, [option, *code]);
        }
        // `su -s PROGRAM`
        if let Some(shell) = call.loads.last().copied()
            && !is_shell(self.arena.text(shell))
        {
            args.insert(0, shell);
            let words = self.arena.list(&args);
            return self.required(|walk| walk.start_inner(words, name, Starter::Program, false));
        }
        if args.is_empty() {
            return self.input_is_code(at, name, true);
        }
        let outer = self.set_environment(call, &[]);
        self.required(|walk| walk.implicit_program(name, &args))?;
        if let Some(outer) = outer {
            self.state.take_names(outer);
        }
        Ok(())
    }

    /// Command lines for a shell in options, and those that are single operands.
    /// Whether there are any.
    pub(super) fn lines(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        call: &Arguments,
    ) -> Done<bool> {
        let mut has_lines = !call.lines.is_empty();
        for (line, option) in &call.lines {
            let follow = |walk: &mut Self| {
                walk.code(Some(at), *line, &format!("{name} {option}"), Some(Words::default()))
            };
            if program.feeds { self.fed(Some(at), follow)? } else { follow(self)? }
        }
        let options = call.verb.unwrap_or_else(|| program.options());
        if !options.has_lines || program.sub != Sub::None && call.verb.is_none() {
            return Ok(has_lines);
        }
        let operands: Vec<Token> = self.operands_of_call(call).iter().map(|(_, word)| *word).collect();
        let label = self.label_of(name, call);
        let places = options.places.iter().flatten().filter(|place| place.role != Role::Set);
        for (number, place) in places.enumerate() {
            let count = match place.role {
                Role::Line if !place.repeats => 1,
                Role::Lines => usize::MAX,
                _ => 0,
            };
            for line in operands.iter().skip(number).take(count) {
                let line = match options.row.text("placeholders") {
                    Some(placeholders) => self.with_placeholders(*line, placeholders),
                    None => *line,
                };
                self.implicit_shell(&label, line, &[])?;
                has_lines = true;
            }
        }
        Ok(has_lines)
    }

    /// A line whose placeholders are unknown parts: those of `{*}` are in braces.
    fn with_placeholders(&mut self, line: Token, placeholders: &str) -> Token {
        let (open, close) = placeholders.split_once('*').unwrap_or((placeholders, ""));
        let text = self.arena.text(line);
        let mut marks: Vec<Mark> = Vec::new();
        for (at, _) in text.match_indices(open) {
            let rest = text.get(at + open.len()..).unwrap_or_default();
            let end = rest.find(close).filter(|end| !rest.get(..*end).is_some_and(|name| name.contains(' ')));
            if let Some(end) = end {
                let length = open.len() + end + close.len();
                marks.push(Mark { at: short(at), len: short(length), kind: Special::Unknown });
            }
        }
        if marks.is_empty() {
            return line;
        }
        let text = text.to_owned();
        marks.extend_from_slice(self.arena.marks(line));
        marks.sort_by_key(|mark| mark.at);
        self.arena.push(&text, &marks, true)
    }

    /// The name of a program with its subcommand.
    pub(super) fn label_of(&self, name: &str, call: &Arguments) -> String {
        match call.sub {
            Some(sub) => format!("{name} {}", self.arena.text(sub)),
            None => name.to_owned(),
        }
    }

    /// `capsh [OPTION...] -- [ARGUMENT...]`: a shell gets the arguments.
    pub(super) fn capsh(&mut self, name: &str, words: Words) -> Done<()> {
        let dashes = self.arena.words(words).iter().position(|word| self.arena.text(*word) == "--");
        let Some(dashes) = dashes else { return Ok(()) };
        let args: Vec<Token> = self.arena.words(words).iter().skip(dashes + 1).copied().collect();
        self.implicit_program(name, &args)
    }

    /// Addresses of `socat` that start a program: `EXEC:LINE`, `SYSTEM:CODE`, each up to a comma.
    pub(super) fn socat(&mut self, at: usize, call: &Arguments) -> Done<()> {
        for (_, address) in self.operands_of_call(call).to_vec() {
            let text = self.arena.text(address);
            let Some((kind, rest)) = text.split_once(':') else { continue };
            if !["exec", "system", "shell"].iter().any(|starter| starter.eq_ignore_ascii_case(kind)) {
                continue;
            }
            let (from, length) = (kind.len() + 1, rest.find(',').unwrap_or(rest.len()));
            let code = self.arena.slice(address, from, from + length);
            self.code(Some(at), code, "socat", Some(Words::default()))?;
        }
        Ok(())
    }

    /// `nix run PACKAGE#NAME -- ARGUMENTS`: the program has the name of what is run.
    pub(super) fn nix_run(&mut self, name: &str, words: Words, call: &Arguments) -> Done<()> {
        let Some((_, package)) = self.operands_of_call(call).first().copied() else { return Ok(()) };
        let text = self.arena.text(package);
        let (source, output) = text.split_once('#').unwrap_or((text, ""));
        let output = output.split('^').next().unwrap_or_default();
        let program = output.rsplit('.').next().unwrap_or_default();
        if program.is_empty() || !self.arena.is_known(package) {
            // What the project in a directory runs is a script of its own.
            let is_local =
                source.is_empty() || source.starts_with(['.', '/', '~']) || source.starts_with("path:");
            if !is_local || !self.arena.is_known(package) {
                self.opaque(Opaque::Name);
            }
            return Ok(());
        }
        let from = text.rfind(program).unwrap_or_default();
        let program = self.arena.slice(package, from, from + program.len());
        let mut list = vec![program];
        if let Some(first) = call.command {
            list.extend_from_slice(self.arena.words(words.skip(first)));
        }
        let list = self.arena.list(&list);
        self.start_inner(list, &format!("{name} run"), Starter::Program, false)
    }

    /// `start-stop-daemon --exec PROGRAM -- ARGUMENTS`
    pub(super) fn daemon(&mut self, name: &str, words: Words, call: &Arguments) -> Done<()> {
        let Some(program) = call.loads.last().copied() else { return Ok(()) };
        let mut list = vec![program];
        let dashes = self.arena.words(words).iter().position(|word| self.arena.text(*word) == "--");
        if let Some(dashes) = dashes {
            list.extend(self.arena.words(words).iter().skip(dashes + 1));
        }
        let list = self.arena.list(&list);
        self.start_inner(list, name, Starter::Program, false)
    }
}
