//! What a command starts, along the row of its program.

use super::super::Opaque;
use super::super::programs::globs::matches;
use super::super::programs::{If, Program, Row};
use super::super::token::{Token, Words, short, within};
use super::arguments::{Arguments, CodeOperands, Directory, Starts};
use super::command::Starter;
use super::state::Place;
use super::{Done, Flow, Walk};

impl Arguments {
    /// Whether no option, subcommand or operand is code or a command.
    fn starts_nothing(&self) -> bool {
        self.codes.is_empty()
            && self.lines.is_empty()
            && self.commands.is_empty()
            && self.command.is_none()
            && self.split.is_none()
            && self.starts != Starts::Shell
            && !self.verb.is_some_and(|verb| verb.dashed || verb.has_lines || verb.row.is("assigns"))
    }
}

impl Walk {
    pub(super) fn start_by_row(
        &mut self,
        at: usize,
        program: &'static Program,
        name: Token,
        words: Words,
        call: &mut Arguments,
    ) -> Done<()> {
        if call.starts == Starts::Nothing {
            return Ok(());
        }
        if call.kind == "tar" && self.has_old_options(words) {
            self.opaque(Opaque::Code);
        }
        let is_here = call.verb.is_some_and(|verb| verb.row.text("elsewhere") == Some("false"));
        if program.elsewhere && !is_here {
            self.local_options(call)?;
            return self.remote(at, words, call);
        }
        if call.kind != "git" && !program.acts && call.starts_nothing() {
            return Ok(());
        }
        self.at_directory(call.directory, |walk| {
            if call.kind == "git" {
                return walk.git(at, words, call);
            }
            let name = walk.copy_text(name);
            walk.start_other(at, program, &name, words, call)?;
            walk.reuse(name);
            Ok(())
        })
    }

    /// Runs `inner` in the directory of a program.
    fn at_directory(&mut self, directory: Directory, inner: impl FnOnce(&mut Self) -> Done<()>) -> Done<()> {
        let directory = match directory {
            // `command cd` changes the directory of this shell.
            Directory::Same => return inner(self),
            Directory::Elsewhere => None,
            Directory::At(directory) => self.moved(directory),
        };
        self.in_directory(|walk| {
            match directory {
                Some(dir) => walk.state.place = Place::at(Some(dir)),
                None => walk.forget_cwd(),
            }
            inner(walk)
        })
    }

    /// What a program other than git starts.
    fn start_other(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &mut Arguments,
    ) -> Done<()> {
        let more = self.commands.get(at).is_some_and(|seen| seen.more);
        if program.shell {
            return self.shell(at, name, words, call, more);
        }
        let has_lines = call.verb.unwrap_or_else(|| program.options()).has_lines;
        if more && (has_lines || program.row.is("added_code")) {
            self.opaque(Opaque::Code);
        }
        let row = call.verb.map_or(program.row, |verb| verb.row);
        self.commands_of_options(name, row, call)?;
        let has_escapes = self.escapes(at, program, name, words, call)?;
        for (setting, option) in call.codes.iter().filter(|(_, option)| call.is_setting(option)) {
            let follow = |walk: &mut Self| walk.setting_of(Some(at), name, option, *setting, call);
            if program.feeds { self.fed(Some(at), follow)? } else { follow(self)? }
        }
        let has_lines = self.lines(at, program, name, call)?;
        if row.is("assigns") || program.row.is("assigns") {
            let operands = self.operands_of_call(call).to_vec();
            let settings: Vec<_> = operands.into_iter().filter_map(|(_, word)| self.setting(word)).collect();
            self.code_of_variables(Some(at), &settings)?;
        }
        // `bun x PACKAGE`
        let is_bin = program.row.is("starts_bins") || program.row.is("starts_programs");
        let starts = call.command.is_some()
            && (call.verb.is_some() || is_bin)
            && !matches!(call.starts, Starts::Module(_));
        if program.interpreter && !starts {
            return self.interpreter(at, program, name, words, call);
        }
        if has_escapes {
            // Its code is in another language.
        } else if program.feeds {
            self.fed(Some(at), |walk| walk.options_with_code(at, name, call))?;
        } else {
            self.options_with_code(at, name, call)?;
        }
        match call.kind {
            "parallel" => return self.parallel(at, name, call),
            "tmux" => return self.tmux(at, name, words, call),
            "screen" => return self.screen(at, name, words, call),
            "at" => return self.at_job(at, name, call),
            "crontab" => return self.crontab(at, name, call),
            "su" if call.starts != Starts::Operands => return self.su(at, name, call),
            "capsh" => return self.capsh(name, words),
            "socat" => return self.fed(Some(at), |walk| walk.socat(at, call)),
            "nix" if self.is_sub(call, "run") => return self.nix_run(name, words, call),
            "start-stop-daemon" => return self.daemon(name, words, call),
            _ => {}
        }
        let inner = self.inner_of(at, program, words, call);
        match inner {
            Some(inner) if self.can_be_invalid(at, call) => {
                self.maybe(|walk| walk.inner_command(name, inner, call, more).map(|()| Flow::Same))?;
            }
            Some(inner) => {
                if row.is("one_is_line") && inner.len == 1 {
                    call.code_operands = CodeOperands::All;
                }
                self.inner_command(name, inner, call, more)?;
            }
            // `xargs` with nothing to start runs `echo`.
            None if call.kind == "xargs" && !more => {}
            None if more && (call.kind == "xargs" || program.starts) => self.opaque(Opaque::Name),
            None if call.starts == Starts::Shell || !has_lines && is_default_shell(call) => {
                self.input_is_code(at, name, true)?
            }
            None => {}
        }
        Ok(())
    }
}

impl Walk {
    /// The command that a call starts, with its words.
    pub(super) fn inner_of(
        &mut self,
        at: usize,
        program: &'static Program,
        words: Words,
        call: &mut Arguments,
    ) -> Option<Words> {
        let row = call.verb.map_or(program.row, |verb| verb.row);
        let command = match call.command {
            None if row.is_dashed() => {
                if row.text("after") == Some("LINE...") {
                    call.code_operands = CodeOperands::All;
                }
                let dashes = self.arena.words(words).iter().position(|word| self.arena.text(*word) == "--");
                dashes.map(|dashes| short(dashes + 1))
            }
            command => command,
        };
        let command = match self.operands_of_call(call).first() {
            // `runuser -u USER COMMAND`; `runcon -t TYPE COMMAND`
            Some((first, _)) if call.starts == Starts::Operands => Some(*first),
            // `chrt --idle COMMAND`
            Some((first, priority))
                if call.kind == "chrt" && self.has_flag(at, &UNRANKED) && self.is_name(*priority) =>
            {
                Some(*first)
            }
            _ => command,
        };
        let before = words.take(command.unwrap_or_default()).skip(1);
        self.loose |= self.arena.words(before).iter().any(|word| !word.quoted && !self.arena.is_known(*word));
        if call.code_operands == CodeOperands::All && self.is_direct(at, row) {
            call.code_operands = CodeOperands::None;
        }
        match (call.split, command) {
            (Some(split), command) => Some(self.split(split, command.map(|at| words.skip(at)), call)),
            (None, Some(first)) => Some(self.command_of(words, first, call)),
            (None, None) => None,
        }
    }

    /// Whether a builtin that starts another one may start nothing, because it does not have an option.
    fn can_be_invalid(&self, at: usize, call: &Arguments) -> bool {
        let known: &[&str] = match call.kind {
            "command" => &["p", "v", "V"],
            "exec" => &["a", "c", "l"],
            "builtin" => &[],
            _ => return false,
        };
        let flags = self.commands.get(at).map(|seen| within(&self.flags, seen.flags)).unwrap_or_default();
        flags.iter().any(|flag| !known.contains(&flag.name.text(&self.arena)))
    }

    /// Whether an option says that its operands are a program with its arguments, and no line: `watch -x`.
    fn is_direct(&self, at: usize, row: &Row) -> bool {
        let is_command = |condition: &If| {
            condition.text("operands").is_some_and(|list| list.ends_with("COMMAND..."))
                && condition.flags("flag").any(|name| self.has_flag(at, &[name.trim_start_matches('-')]))
        };
        row.ifs().iter().any(is_command)
    }

    /// The commands after options: `find -exec`, `just --command`.
    fn commands_of_options(&mut self, name: &str, row: &Row, call: &Arguments) -> Done<()> {
        for (inner, option) in &call.commands {
            let inner = if row.is("appends") { self.with_found(*inner) } else { *inner };
            let inner = self.replaced(inner, "{}");
            let label = format!("{name} {option}");
            self.in_directory(|walk| {
                if option.ends_with("dir") {
                    // That of each file.
                    walk.forget_cwd();
                }
                match walk.arena.word(inner, 0).filter(|_| inner.len == 1 && row.is("one_is_line")) {
                    Some(line) => walk.implicit_shell(&label, line, &[]),
                    None => walk.start_inner(inner, &label, Starter::Program, false),
                }
            })?;
        }
        Ok(())
    }

    /// The words of a command with the name that its program adds if no word has a place for it: `fd -x rm`.
    fn with_found(&mut self, inner: Words) -> Words {
        let mut words = self.arena.words(inner).to_vec();
        if words.iter().any(|word| self.arena.text(*word).contains('{')) {
            return inner;
        }
        words.push(self.text("{}"));
        self.arena.list(&words)
    }

    /// Whether a word is known, and no number.
    fn is_name(&self, word: Token) -> bool {
        self.arena.literal(word).is_some_and(|text| text.parse::<i64>().is_err())
    }

    /// Whether `tar` gets code in options without a dash: `tar cIf CODE FILE`.
    fn has_old_options(&self, words: Words) -> bool {
        let first = self.arena.word(words, 1).map_or("", |word| self.arena.text(word));
        !first.starts_with('-') && !first.contains(['.', '/']) && first.contains(['I', 'F'])
    }

    fn options_with_code(&mut self, at: usize, name: &str, call: &Arguments) -> Done<()> {
        let reader = call.program.and_then(|program| program.row.text("option_code"));
        for (code, option) in call.codes.iter().filter(|_| reader != Some("other")) {
            if reader == Some("shell") {
                self.implicit_shell(name, *code, &[])?;
                continue;
            }
            if call.kind == "sshfs" {
                self.mount_options(name, *code, call)?;
                continue;
            }
            if call.is_setting(option) {
                continue;
            }
            self.code(Some(at), *code, &format!("{name} {option}"), Some(Words::default()))?;
        }
        Ok(())
    }

    pub(super) fn is_sub(&self, call: &Arguments, name: &str) -> bool {
        call.sub.is_some_and(|sub| self.arena.text(sub) == name)
    }

    /// Programs that options of a program for another machine start on this one.
    fn local_options(&mut self, call: &Arguments) -> Done<()> {
        for (code, option) in &call.codes {
            if call.is_setting(option) {
                self.setting_of(None, call.kind, option, *code, call)?;
            }
        }
        for (line, option) in &call.lines {
            self.code(None, *line, &format!("{} {option}", call.kind), Some(Words::default()))?;
        }
        Ok(())
    }

    /// A setting, `KEY=VALUE` or `KEY VALUE`, along the key `settings` of the row of its program.
    pub(super) fn setting_of(
        &mut self,
        at: Option<usize>,
        name: &str,
        option: &str,
        setting: Token,
        call: &Arguments,
    ) -> Done<()> {
        let rows = [call.verb.map(|verb| verb.row), call.program.map(|program| program.row)];
        let listed = rows.into_iter().flatten().flat_map(|row| row.named("settings"));
        if self.arena.is_unknown(setting) {
            self.opaque(Opaque::Code);
        }
        let text = self.arena.text(setting);
        let is_space = |c: char| matches!(c, ' ' | '\t');
        let assignment = text.trim_start_matches(|c| is_space(c) || c == '"');
        let key = assignment.split(|c| is_space(c) || matches!(c, '=' | '"')).next().unwrap_or_default();
        let value = assignment.get(key.len()..).unwrap_or_default();
        let value = value.strip_prefix('"').unwrap_or(value).trim_start_matches(is_space);
        let value = value.strip_prefix('=').unwrap_or(value).trim_start_matches(is_space);
        let (start, length) = (text.len() - value.len(), text.len());
        let from = text.find(key).unwrap_or_default();
        let place = from..from + key.len();
        let (key, whole) = (key.to_ascii_lowercase(), text.to_ascii_lowercase());
        let name_of_setting = self.arena.slice(setting, place.start, place.end);
        let is_open = !self.arena.is_known(name_of_setting);
        let is_in = |glob: &str, text: &str| matches(&glob.to_ascii_lowercase(), text);
        let (mut is_line, mut is_code) = (false, false);
        for (glob, role) in listed {
            is_line |= role == "LINE" && is_in(glob, &key);
            is_code |= role == "CODE" && is_in(glob, &whole);
        }
        if is_code || is_open {
            self.opaque(Opaque::Code);
        }
        if !is_line {
            return Ok(());
        }
        let code = self.arena.slice(setting, start, length);
        self.code(at, code, &format!("{name} {option}"), Some(Words::default()))
    }
}

/// Whether a program with nothing else to start starts a shell.
fn is_default_shell(call: &Arguments) -> bool {
    let rows = [call.verb.map(|verb| verb.row), call.program.map(|program| program.row)];
    call.codes.is_empty() && rows.into_iter().flatten().any(|row| row.is("default_shell"))
}

/// Options of `chrt` for policies without a priority.
const UNRANKED: [&str; 8] = ["b", "batch", "d", "deadline", "i", "idle", "o", "other"];
