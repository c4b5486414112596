//! Programs that start others in terminals, or later: `tmux`, `screen`, `at`, `crontab`.

use super::super::Opaque;
use super::super::token::{Token, Words, long, short};
use super::arguments::Arguments;
use super::command::Starter;
use super::inner_command::is_setting;
use super::state::Args;
use super::written::Runner;
use super::{Done, Walk};

impl Walk {
    /// `tmux COMMAND ARGUMENTS ; COMMAND ...`
    pub(super) fn tmux(&mut self, at: usize, name: &str, words: Words, call: &Arguments) -> Done<()> {
        // `tmux -c CODE`
        for (code, _) in &call.codes {
            self.implicit_shell(name, *code, &[])?;
        }
        // `#(CODE)` in a format, and keys as numbers.
        let is_format = |word: &Token| self.arena.text(*word).contains("#(");
        if self.arena.words(words).iter().any(is_format)
            || self.is_sub(call, "send-keys") && self.has_flag(at, &["H"])
        {
            self.opaque(Opaque::Code);
        }
        let list = self.arena.words(words);
        let end = list.iter().position(|word| self.arena.text(*word).ends_with(';')).unwrap_or(list.len());
        let is_alone = list.get(end).is_some_and(|word| self.arena.text(*word) == ";");
        let before = words.take(short(if is_alone { end } else { end + 1 }));
        let Some(sub) = call.sub else { return Ok(()) };
        let label = format!("{name} {}", self.arena.text(sub));
        match call.verb.and_then(|verb| verb.row.text("operands")) {
            Some("COMMAND...") => {
                let inner = call.command.map(|first| before.skip(first)).filter(|inner| inner.len > 0);
                let code = inner.filter(|inner| inner.len == 1).and_then(|inner| self.arena.word(inner, 0));
                match (inner, code) {
                    (_, Some(code)) => self.implicit_shell(&label, code, &[])?,
                    (Some(inner), None) => self.start_inner(inner, &label, Starter::Program, false)?,
                    (None, None) => {}
                }
            }
            Some("CODE TEXT...") => {
                let limit = before.len;
                let inside = |(at, word): &(u32, Token)| (*at < limit).then_some(*word);
                let list: Vec<Token> = self.operands_of_call(call).iter().filter_map(inside).collect();
                self.tmux_code(at, &label, &list)?;
            }
            Some("TEXT") => self.typed(&label, before, call)?,
            Some("TEXT...") => {}
            // A command that is not in the table, or shortened.
            _ if self.operands_of_call(call).is_empty() => {}
            _ => self.opaque(Opaque::Code),
        }
        let after = words.skip(short(end + 1));
        if after.len > 0 {
            let mut rest: Vec<Token> = self.arena.word(words, 0).into_iter().collect();
            rest.extend_from_slice(self.arena.words(after));
            let rest = self.arena.list(&rest);
            self.start_inner(rest, name, Starter::Program, false)?;
        }
        Ok(())
    }

    /// `run-shell CODE`; `if-shell CODE COMMAND COMMAND`, whose others are commands of tmux.
    fn tmux_code(&mut self, at: usize, label: &str, operands: &[Token]) -> Done<()> {
        let is_command = self.has_flag(at, &["C", "F"]);
        for (number, operand) in operands.iter().enumerate() {
            if number == 0 && !is_command {
                self.implicit_shell(label, *operand, &[])?;
                continue;
            }
            if number == 0 && self.has_flag(at, &["F"]) {
                continue;
            }
            if !self.arena.is_known(*operand) {
                self.opaque(Opaque::Code);
            }
            let code = format!("tmux {}", self.arena.text(*operand));
            let code = self.text(&code);
            self.code(None, code, label, Some(Words::default()))?;
        }
        Ok(())
    }

    /// Keys for a program that runs in a terminal, which may be a shell.
    fn typed(&mut self, label: &str, words: Words, call: &Arguments) -> Done<()> {
        let mut text = String::new();
        for (at, word) in self.operands_of_call(call) {
            if *at >= words.len {
                break;
            }
            match self.arena.text(*word) {
                "Enter" | "KPEnter" | "C-m" | "C-j" | "^M" => text.push('\n'),
                "Space" => text.push(' '),
                "Tab" | "BTab" | "Escape" | "Up" | "Down" | "Left" | "Right" | "Home" | "End" | "BSpace" => {}
                key if key.starts_with(['C', 'M', 'S']) && key.get(1..2) == Some("-") => {}
                key => text.push_str(key),
            }
        }
        let is_known = self.operands_of_call(call).iter().all(|(_, word)| self.arena.is_known(*word));
        if !is_known {
            self.opaque(Opaque::Code);
        }
        let code = self.text(&text);
        self.code(None, code, label, Some(Words::default()))
    }

    /// `screen [OPTION...] [COMMAND]`; with some options, the operands are the name of a session.
    pub(super) fn screen(&mut self, at: usize, name: &str, words: Words, call: &Arguments) -> Done<()> {
        let Some(inner) = call.command.map(|first| words.skip(first)) else { return Ok(()) };
        if self.has_flag(at, &["X"]) {
            let first = self.arena.word(inner, 0).map(|word| self.arena.text(word));
            return match first {
                Some("stuff") => {
                    let Some(text) = self.arena.word(inner, 1) else { return Ok(()) };
                    if !self.arena.is_known(text) {
                        self.opaque(Opaque::Code);
                    }
                    let text =
                        self.arena.text(text).replace("^M", "\n").replace("\\n", "\n").replace("\\015", "\n");
                    let code = self.text(&text);
                    self.code(None, code, &format!("{name} stuff"), Some(Words::default()))
                }
                Some("screen" | "exec") => self.start_inner(inner.skip(1), name, Starter::Program, false),
                Some("eval" | "source" | "bind" | "at" | "backtick") => {
                    self.opaque(Opaque::Code);
                    Ok(())
                }
                _ => Ok(()),
            };
        }
        let attaches = self.has_flag(at, &["r", "R", "x", "D", "ls", "list", "wipe"])
            || self.has_flag(at, &["d"]) && !self.has_flag(at, &["m"]);
        if attaches {
            return Ok(());
        }
        self.start_inner(inner, name, Starter::Program, false)
    }

    /// `at TIME`, which reads code for later.
    pub(super) fn at_job(&mut self, at: usize, name: &str, call: &Arguments) -> Done<()> {
        let file = call.loads.first().copied();
        if self.has_flag(at, &["l", "r", "d", "c"]) {
            return Ok(());
        }
        match file {
            Some(file) => {
                self.run_written(at, name, (file, Runner::Shell), Some(Args::Known(Words::default())))
            }
            None => self.input_is_code(at, name, true),
        }
    }

    /// `crontab FILE`: each line is five times, or a name, and code.
    pub(super) fn crontab(&mut self, at: usize, name: &str, call: &Arguments) -> Done<()> {
        if self.has_flag(at, &["l", "e", "r"]) {
            return Ok(());
        }
        let file = self.operands_of_call(call).first().map(|(_, word)| *word);
        let origins = file.map(|file| self.origins_of(file)).unwrap_or_default();
        if !origins.is_empty() {
            // `crontab <(CODE)`
            self.runs(Some(at), &origins);
            self.opaque(Opaque::Code);
        }
        let file = file.filter(|word| !matches!(self.arena.text(*word), "-" | "/dev/stdin"));
        let input = self.inputs.get(long(self.input())).copied().filter(|_| self.input() > 0);
        let text = match file.map(|file| self.named(file)).or_else(|| input.and_then(|input| input.file)) {
            Some(file) => self.text_of_file(at, file)?,
            None => {
                self.input_is_code(at, name, false)?;
                input.and_then(|input| input.text)
            }
        };
        let Some(text) = text else { return Ok(()) };
        if !self.arena.is_known(text) {
            self.opaque(Opaque::Code);
        }
        let home = self.text("~");
        let place = self.state.place;
        self.state.place = super::Place::at(self.moved(home));
        self.with_input(0, |walk| {
            for code in walk.arena.text(text).to_owned().lines().filter_map(code_of_cron) {
                let code = walk.text(code);
                walk.code(Some(at), code, name, Some(Words::default()))?;
            }
            Ok(())
        })?;
        self.state.place = place;
        Ok(())
    }
}

/// The code of a line for `cron`, if it has some.
fn code_of_cron(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    let first = rest.split([' ', '\t']).next().unwrap_or_default();
    if rest.is_empty() || rest.starts_with('#') || is_setting(first) {
        return None;
    }
    let fields = if rest.starts_with('@') { 1 } else { 5 };
    for _ in 0..fields {
        let at = rest.find([' ', '\t'])?;
        rest = rest.get(at..)?.trim_start();
    }
    // What follows a `%` is its input.
    let mut end = rest.len();
    for (at, _) in rest.match_indices('%') {
        if !rest.get(..at).is_some_and(|before| before.ends_with('\\')) {
            end = at;
            break;
        }
    }
    rest.get(..end)
}
