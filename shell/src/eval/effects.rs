//! What a command starts, along the row of its program.

use super::super::Opaque;
use super::super::programs::Program;
use super::super::token::{Token, Words, short, within};
use super::arguments::Call;
use super::command::Starter;
use super::state::Place;
use super::{Done, Flow, Walk};

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
        call: &mut Call,
    ) -> Done<()> {
        if call.idle {
            return Ok(());
        }
        if call.kind == "tar" && self.has_old_options(words) {
            self.opaque(Opaque::Code);
        }
        if program.elsewhere {
            self.local_options(call)?;
            return self.remote(at, words, call);
        }
        if !matches!(call.kind, "git" | "less") && !program.acts && call.starts_nothing() {
            return Ok(());
        }
        let (place, lost) = (self.state.place, self.state.lost);
        match call.folder {
            _ if call.is_elsewhere => self.lose_place(),
            Some(folder) => match self.moved(folder) {
                Some(dir) => self.state.place = Place::at(Some(dir)),
                None => self.lose_place(),
            },
            None => {}
        }
        if call.kind == "git" {
            self.git(at, words, call)?;
        } else {
            let name = self.copy_text(name);
            self.act(at, program, &name, words, call)?;
            self.reuse(name);
        }
        // Otherwise `command cd` changes the directory of this shell.
        if call.is_elsewhere || call.folder.is_some() {
            (self.state.place, self.state.lost) = (place, lost);
        }
        Ok(())
    }

    /// What a program other than git starts.
    fn act(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &mut Call,
    ) -> Done<()> {
        let more = self.commands.get(at).is_some_and(|seen| seen.more);
        if program.shell {
            return self.shell(at, name, words, call, more);
        }
        if more && OPERANDS_ARE_CODE.contains(&call.kind) {
            self.opaque(Opaque::Code);
        }
        self.commands_of_options(name, call)?;
        self.escapes(at, name, words, call)?;
        // `bun x PACKAGE`
        let starts = call.command.is_some() && call.verb.is_some() && !call.module;
        if program.interpreter && !starts {
            return self.interpreter(at, program, name, words, call);
        }
        if program.feeds {
            self.fed(Some(at), |walk| walk.options_with_code(at, name, call))?;
        } else {
            self.options_with_code(at, name, call)?;
        }
        if matches!(call.kind, "hg" | "svn") {
            return self.fed(Some(at), |walk| walk.settings_of_clients(at, name, call));
        }
        match call.kind {
            "watch" | "watchexec" => return self.watch(name, words, call),
            "parallel" => return self.parallel(at, name, call),
            "hyperfine" | "concurrently" | "mprocs" | "pee" => return self.each_operand(name, call),
            "tmux" => return self.tmux(at, name, words, call),
            "screen" => return self.screen(at, name, words, call),
            "at" => return self.at_job(at, name, call),
            "crontab" => return self.crontab(at, name, call),
            "su" if !call.direct => return self.su(at, name, call),
            "sops" => return self.operand_is_code(name, call, 2),
            "sg" if !call.coded && self.operands_of_call(call).len() > 1 => {
                return self.operand_is_code(name, call, 1);
            }
            "yarn" if self.is_sub(call, "exec") => return self.watch(name, words, call),
            "capsh" => return self.capsh(name, words),
            "socat" => return self.fed(Some(at), |walk| walk.socat(at, call)),
            "nix" if self.is_sub(call, "run") => return self.nix_run(name, words, call),
            "start-stop-daemon" => return self.daemon(name, words, call),
            _ => {}
        }
        let inner = self.inner_of(at, program, words, call);
        match inner {
            Some(inner) if self.can_be_invalid(at, call) => {
                self.perhaps(|walk| walk.inner_command(name, inner, call, more).map(|()| Flow::Same))?;
            }
            Some(inner) => self.inner_command(name, inner, call, more)?,
            // `xargs` with nothing to start runs `echo`.
            None if call.kind == "xargs" && !more => {}
            None if more && (call.kind == "xargs" || program.starts) => self.opaque(Opaque::Name),
            None if call.reads_input || self.is_default_shell(call) => self.input_is_code(at, name, true)?,
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
        call: &mut Call,
    ) -> Option<Words> {
        let row = call.verb.map_or(program.row, |verb| verb.row);
        let command = match call.command {
            None if row.is_dashed() => {
                let dashes = self.arena.words(words).iter().position(|word| self.arena.text(*word) == "--");
                dashes.map(|dashes| short(dashes + 1))
            }
            command => command,
        };
        let command = match self.operands_of_call(call).first() {
            // `runuser -u USER COMMAND`; `runcon -t TYPE COMMAND`
            Some((first, _)) if call.direct => Some(*first),
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
        match (call.split, command) {
            (Some(split), command) => Some(self.split(split, command.map(|at| words.skip(at)), call)),
            (None, Some(first)) => Some(self.command_of(words, first, call)),
            (None, None) => None,
        }
    }

    /// Whether a builtin that starts another one may start nothing, because it does not have an option.
    fn can_be_invalid(&self, at: usize, call: &Call) -> bool {
        let known: &[&str] = match call.kind {
            "command" => &["p", "v", "V"],
            "exec" => &["a", "c", "l"],
            "builtin" => &[],
            _ => return false,
        };
        let flags = self.commands.get(at).map(|seen| within(&self.flags, seen.flags)).unwrap_or_default();
        flags.iter().any(|flag| !known.contains(&flag.name.text(&self.arena)))
    }

    /// The commands behind options: `find -exec`, `just --command`.
    fn commands_of_options(&mut self, name: &str, call: &Call) -> Done<()> {
        for (inner, option) in &call.commands {
            let inner = self.replaced(*inner, "{}");
            let (place, lost) = (self.state.place, self.state.lost);
            if option.ends_with("dir") {
                // That of each file.
                self.lose_place();
            }
            self.started(inner, &format!("{name} {option}"), Starter::Program, false)?;
            (self.state.place, self.state.lost) = (place, lost);
        }
        Ok(())
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

    fn options_with_code(&mut self, at: usize, name: &str, call: &Call) -> Done<()> {
        for (code, option) in call.codes.iter().filter(|_| !NOT_SHELL.contains(&call.kind)) {
            if IMPLICIT_SHELL.contains(&call.kind) {
                self.implicit_shell(name, *code, &[])?;
                continue;
            }
            let mut code = *code;
            if matches!(call.kind, "scp" | "sftp") && option == "-o" {
                self.local_setting(call.kind, option, code)?;
                continue;
            }
            if call.kind == "sshfs" {
                self.mount_options(name, code)?;
                continue;
            }
            if call.kind == "fzf" && option != "--preview" {
                // `--bind 'enter:execute(CODE)'`
                if self.is_bound_code(code, option) {
                    self.opaque(Opaque::Code);
                }
                continue;
            }
            if call.kind == "strace" {
                // `-o '|CODE'`; another text is the name of a file.
                let text = self.arena.text(code);
                if !text.starts_with(['|', '!']) {
                    continue;
                }
                code = self.arena.slice(code, 1, text.len());
            }
            if call.kind == "cargo" && !matches!(option.as_str(), "-s" | "--shell") {
                // `--config 'build.rustc-wrapper="PROGRAM"'`
                if CARGO_SETTINGS.iter().any(|key| self.arena.text(code).contains(key)) {
                    self.opaque(Opaque::Code);
                }
                continue;
            }
            if option.starts_with("--checkpoint-a") {
                // Other actions start nothing.
                if !self.arena.text(code).starts_with("exec=") {
                    continue;
                }
                code = self.arena.slice(code, "exec=".len(), self.arena.text(code).len());
            }
            self.code(Some(at), code, &format!("{name} {option}"), Some(Words::default()))?;
        }
        Ok(())
    }

    /// Settings of `hg`, and programs that `svn` starts.
    fn settings_of_clients(&mut self, at: usize, name: &str, call: &Call) -> Done<()> {
        for (code, option) in &call.codes {
            let text = self.arena.text(*code);
            match option.as_str() {
                "--config" | "--config-option" => {
                    let is_code = HG_SETTINGS.iter().any(|key| text.contains(key))
                        || ["helpers:", "tunnels:"].iter().any(|section| text.contains(section));
                    if is_code || !self.arena.is_known(*code) {
                        self.opaque(Opaque::Code);
                    }
                }
                _ => self.code(Some(at), *code, &format!("{name} {option}"), Some(Words::default()))?,
            }
        }
        Ok(())
    }

    pub(super) fn is_sub(&self, call: &Call, name: &str) -> bool {
        call.sub.is_some_and(|sub| self.arena.text(sub) == name)
    }

    /// Whether a program with nothing else to start starts a shell.
    fn is_default_shell(&self, call: &Call) -> bool {
        let is_nix = call.kind == "nix" && (self.is_sub(call, "develop") || self.is_sub(call, "shell"));
        !call.coded && (DEFAULT_SHELL.contains(&call.kind) || is_nix)
    }

    /// Programs that options of a program for another machine start on this one.
    fn local_options(&mut self, call: &Call) -> Done<()> {
        for (code, option) in &call.codes {
            match (call.kind, option.as_str()) {
                ("ssh", "-o") => self.local_setting(call.kind, option, *code)?,
                ("mosh", "--ssh" | "--client") => {
                    self.code(None, *code, &format!("{} {option}", call.kind), Some(Words::default()))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A setting of ssh, `KEY=VALUE` or `KEY VALUE`.
    pub(super) fn local_setting(&mut self, name: &str, option: &str, setting: Token) -> Done<()> {
        if self.arena.is_unknown(setting) {
            self.opaque(Opaque::Code);
        }
        let text = self.arena.text(setting);
        let is_space = |c: char| matches!(c, ' ' | '\t');
        let own = text.trim_start_matches(|c| is_space(c) || c == '"');
        let key = own.split(|c| is_space(c) || matches!(c, '=' | '"')).next().unwrap_or_default();
        let value = own.get(key.len()..).unwrap_or_default();
        let value = value.strip_prefix('"').unwrap_or(value).trim_start_matches(is_space);
        let value = value.strip_prefix('=').unwrap_or(value).trim_start_matches(is_space);
        let (start, length) = (text.len() - value.len(), text.len());
        if !LOCAL_SETTINGS.iter().any(|own| own.eq_ignore_ascii_case(key)) {
            return Ok(());
        }
        let code = self.arena.slice(setting, start, length);
        self.code(None, code, &format!("{name} {option}"), Some(Words::default()))
    }
}

/// Settings of ssh whose value is code for a shell of this machine.
const LOCAL_SETTINGS: [&str; 3] = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];

/// Programs whose options are code of another language, or settings.
const NOT_SHELL: [&str; 14] = [
    "gdb",
    "lldb",
    "cgdb",
    "xvfb-run",
    "systemd-run",
    "rlwrap",
    "hg",
    "svn",
    "valgrind",
    "su",
    "tmux",
    "screen",
    "sandbox-exec",
    "run0",
];

/// Programs that pass code to a shell that no word names: `sh`, or that of the user.
const IMPLICIT_SHELL: [&str; 3] = ["sg", "script", "flock"];

/// Programs that start a shell if there is nothing else to start.
const DEFAULT_SHELL: [&str; 13] = [
    "script",
    "run0",
    "chroot",
    "unshare",
    "nsenter",
    "nix-shell",
    "sg",
    "newgrp",
    "fakeroot",
    "firejail",
    "proot",
    "setarch",
    "linux32",
];

/// Programs that take code or a command among operands that `xargs` can add.
const OPERANDS_ARE_CODE: [&str; 11] = [
    "watch",
    "watchexec",
    "parallel",
    "hyperfine",
    "concurrently",
    "tmux",
    "screen",
    "su",
    "sg",
    "script",
    "flock",
];

/// Options of `chrt` for policies without a priority.
const UNRANKED: [&str; 8] = ["b", "batch", "d", "deadline", "i", "idle", "o", "other"];

/// Settings of hg whose value is code, or loads code.
const HG_SETTINGS: [&str; 9] = [
    "alias.",
    "hooks.",
    "extensions.",
    "extdiff.",
    "merge-tools.",
    "defaults.",
    "editor",
    "pager.pager",
    "ssh",
];

/// Settings of cargo whose value is a program.
const CARGO_SETTINGS: [&str; 8] =
    ["wrapper", "runner", "linker", "rustc", "rustdoc", "credential", "alias.", "[alias"];
