//! What shells, interpreters and `git` do with their arguments.

use memchr::memmem;

use super::super::Opaque;
use super::super::programs::{self, Program};
use super::super::token::{Symbol, Token, Words, long, short, within};
use super::arguments::{Arguments, CodeOperands, Starts};
use super::command::Starter;
use super::environment::is_plain;
use super::state::Args;
use super::written::Runner;
use super::{Done, Walk};

/// What the name of a file says about where its text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// An open descriptor; none if it is one of another process.
    Descriptor(Option<u32>),
    File,
}

const INPUT: Source = Source::Descriptor(Some(0));

impl Source {
    /// Of a path without `.`, `..` and `//`, or `-`.
    fn from_path(path: &str) -> Self {
        let number = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"];
        match path {
            "-" | "/dev/stdin" => Self::Descriptor(Some(0)),
            "/dev/stdout" => Self::Descriptor(Some(1)),
            "/dev/stderr" => Self::Descriptor(Some(2)),
            _ if path.starts_with("/dev/fd/") || path.starts_with("/proc/") => {
                let number = number.iter().find_map(|start| path.strip_prefix(start));
                Self::Descriptor(number.and_then(|number| number.parse().ok()))
            }
            _ => Self::File,
        }
    }
}

impl Walk {
    /// Code that a program reads from a file or a descriptor.
    pub(super) fn script(
        &mut self,
        at: usize,
        name: &str,
        (script, runner): (Token, Runner),
        args: Option<Args>,
    ) -> Done<()> {
        match self.source_of(script) {
            Source::Descriptor(Some(fd)) => {
                let input = self.input_of(fd);
                self.content_is_code(at, input, name, runner == Runner::Shell)
            }
            Source::Descriptor(None) => {
                self.opaque(Opaque::Input);
                Ok(())
            }
            Source::File => self.run_written(at, name, (script, runner), args),
        }
    }

    /// Where the text of a file comes from.
    pub(super) fn source_of(&mut self, file: Token) -> Source {
        let text = self.arena.text(file);
        let last = text.rsplit('/').next().unwrap_or_default();
        let is_special =
            matches!(last, "stdin" | "stdout" | "stderr") || last.bytes().all(|byte| byte.is_ascii_digit());
        if text == "-" || !is_special || !self.arena.is_known(file) {
            return Source::from_path(text);
        }
        match self.moved(file).and_then(|path| self.dirs.get(long(path))) {
            Some(path) => Source::from_path(path),
            None => Source::File,
        }
    }

    pub(super) fn shell(
        &mut self,
        at: usize,
        name: &str,
        words: Words,
        call: &Arguments,
        more: bool,
    ) -> Done<()> {
        for load in &call.loads {
            let origins = self.origins_of(*load);
            if !origins.is_empty() {
                self.runs(Some(at), &origins);
                self.opaque(Opaque::Code);
            }
            // `bash --rcfile FILE`
            self.script(at, name, (*load, Runner::Shell), Some(Args::Known(Words::default())))?;
        }
        let first = self.operands_of_call(call).first().copied();
        if self.can_be_code(words, first) {
            self.opaque(Opaque::Code);
        }
        if call.code_operands == CodeOperands::First {
            let Some((place, code)) = first else {
                if more {
                    self.opaque(Opaque::Code);
                }
                return Ok(());
            };
            let zero = self.arena.word(words, place + 1);
            // What can be several words moves those after it.
            let is_moved = zero.is_some_and(|zero| !self.arena.is_one(zero)) || !self.arena.is_one(code);
            let args = if more || is_moved { Args::Unknown } else { Args::Known(words.skip(place + 2)) };
            let zero = zero.filter(|_| !is_moved);
            let label = format!("{name} -c");
            return self.required(|walk| walk.code_of_shell(Some(at), code, &label, Some((args, zero))));
        }
        let flags = self.commands.get(at).map(|seen| within(&self.flags, seen.flags)).unwrap_or_default();
        let reads = flags.iter().any(|flag| flag.name.text(&self.arena) == "s");
        match first {
            Some((place, script)) if !reads => {
                let origins = self.origins_of(script);
                if !origins.is_empty() {
                    self.runs(Some(at), &origins);
                    self.opaque(Opaque::Code);
                }
                let args = if more { Args::Unknown } else { Args::Known(words.skip(place + 1)) };
                self.script(at, name, (script, Runner::Shell), Some(args))?;
            }
            _ if more => self.opaque(Opaque::Code),
            _ => self.input_is_code(at, name, true)?,
        }
        Ok(())
    }

    /// Whether an unknown word can be the option `-c`, with code after it: `bash $x 'rm y'`, `bash -$x 'rm y'`.
    fn can_be_code(&self, words: Words, first: Option<(u32, Token)>) -> bool {
        let is_open = |word: Token| !self.arena.is_known(word);
        let place = first.map_or(words.len, |(place, _)| place);
        let options = self.arena.words(words.take(place).skip(1));
        let is_option = options.iter().any(|word| self.arena.text(*word).starts_with('-') && is_open(*word));
        let after = self.arena.words(words.skip(place + 1));
        let code = after.iter().any(|word| self.arena.text(*word).contains([' ', ';', '|', '&']));
        is_option || code && first.is_some_and(|(_, word)| self.arena.is_unknown(word))
    }

    pub(super) fn interpreter(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &Arguments,
    ) -> Done<()> {
        let row = call.verb.map_or(program.row, |verb| verb.row);
        if self.is_code_of_other_shell(program.kind, words, call) {
            self.opaque(Opaque::Code);
        }
        if matches!(name, "make" | "gmake" | "bmake" | "remake") {
            return self.makefile(at, words, call);
        }
        if let Starts::Module(_) = call.starts {
            if let Some(first) = call.command {
                let inner = self.command_of(words, first, call);
                let label = format!("{name} -m");
                return self.required(|walk| walk.start_inner(inner, &label, Starter::Program, false));
            }
            return Ok(());
        }
        let first = self.operands_of_call(call).first().map(|(_, word)| *word);
        let operands = row.text("operands").unwrap_or("CODE...");
        let is_code = !operands.starts_with("TEXT");
        let code = call.codes.iter().map(|(code, _)| *code).chain(call.loads.iter().copied());
        for word in code.chain(first.filter(|_| is_code)).collect::<Vec<_>>() {
            let origins = self.origins_of(word);
            self.runs(Some(at), &origins);
            if !origins.is_empty() && !self.is_setup(word) {
                self.opaque(Opaque::Code);
            }
        }
        if let Some(file) = first.filter(|_| operands.starts_with("SCRIPT") && call.codes.is_empty()) {
            self.run_written(at, name, (file, Runner::Other), None)?;
        }
        let source = first.map_or(INPUT, |word| self.source_of(word));
        if let (true, Source::Descriptor(Some(fd))) =
            (operands.starts_with("SCRIPT") && call.codes.is_empty(), source)
        {
            let input = self.input_of(fd);
            self.content_is_code(at, input, name, false)?;
        }
        Ok(())
    }

    /// Whether there is code for a shell whose lines are not read.
    fn is_code_of_other_shell(&self, kind: &str, words: Words, call: &Arguments) -> bool {
        let texts =
            || self.arena.words(words.skip(1)).iter().map(|word| self.arena.text(*word).to_ascii_lowercase());
        match kind {
            "fish" => !call.codes.is_empty(),
            "csh" => call.code_operands == CodeOperands::First,
            "nu" => texts().any(|text| matches!(text.as_str(), "-c" | "-e" | "--commands" | "--execute")),
            "cmd" => texts()
                .any(|text| text.starts_with("/c") || text.starts_with("/k") || text.starts_with("//c")),
            "pwsh" => {
                let begins = |text: &str, option: &str| text.len() > 1 && option.starts_with(text);
                let is_code = |text: &String| {
                    ["-command", "-commandwithargs", "-encodedcommand", "-ec"]
                        .iter()
                        .any(|start| begins(text, start))
                };
                let is_file = |text: &String| begins(text, "-file") || text.ends_with(".ps1");
                texts().any(|text| is_code(&text))
                    || texts().any(|text| !text.starts_with('-')) && !texts().any(|text| is_file(&text))
            }
            _ => false,
        }
    }

    /// Code of make on the line itself. Its recipes are commands, which are not read.
    fn makefile(&mut self, at: usize, words: Words, call: &Arguments) -> Done<()> {
        // `X=$(shell CODE)`, `X!=CODE`, the shell of recipes, `-E CODE`.
        let is_code = |word: &Token| {
            let text = self.arena.text(*word);
            // An unknown part is as a shell reads it.
            let is_made =
                |what: &str| text.match_indices(what).any(|(at, _)| self.arena.is_known_at(*word, at));
            let is_set = text.contains('=') && ["$(", "${", "!="].into_iter().any(is_made);
            is_set || text.starts_with("SHELL=") || text.starts_with("-E")
        };
        if self.arena.words(words.skip(1)).iter().any(is_code) {
            self.opaque(Opaque::Code);
        }
        for (code, _) in call.codes.iter().filter(|(_, option)| option == "--eval") {
            let origins = self.origins_of(*code);
            self.runs(Some(at), &origins);
            self.opaque(Opaque::Code);
        }
        for file in &call.loads {
            let origins = self.origins_of(*file);
            self.runs(Some(at), &origins);
            let reads = self.source_of(*file) == INPUT;
            if reads {
                self.input_is_code(at, "make", false)?;
            }
            if reads || !origins.is_empty() {
                self.opaque(Opaque::Code);
            }
        }
        Ok(())
    }

    /// Aliases of git on the line, and options that are code.
    pub(super) fn git(&mut self, at: usize, words: Words, call: &Arguments) -> Done<()> {
        // The transport `ext` runs what follows.
        let external = self.arena.words(words).iter().filter_map(|word| {
            let at = memmem::find(self.arena.text(*word).as_bytes(), b"ext::")?;
            (at == 0 || self.arena.text(*word).get(..at).is_some_and(|before| before.ends_with('=')))
                .then_some((*word, at + 5))
        });
        for (word, from) in external.collect::<Vec<_>>() {
            let length = self.arena.text(word).len();
            let command = self.arena.slice(word, from, length);
            if !self.arena.is_known(command) {
                self.opaque(Opaque::Code);
            }
            let words: Vec<Token> =
                external_words(self.arena.text(command)).iter().map(|word| self.text(word)).collect();
            let words = self.arena.list(&words);
            self.fed(Some(at), |walk| walk.start_inner(words, "git ext::", Starter::Program, false))?;
        }
        let sub = call.sub.map_or("", |sub| self.arena.text(sub));
        let has_no_code = call.codes.is_empty() && call.git.is_empty() && self.state.names().git.is_empty();
        if has_no_code && !matches!(sub, "bisect" | "submodule" | "config") {
            return Ok(());
        }
        for (code, option) in &call.codes {
            // A server of `git send-email` is a program if it is a path.
            let is_host = option == "--smtp-server" && !self.arena.text(*code).starts_with(['/', '~']);
            if !is_host && !matches!(option.as_str(), "-c" | "--config" | "--config-env") {
                let label = format!("git {option}");
                self.fed(Some(at), |walk| walk.code(Some(at), *code, &label, Some(Words::default())))?;
            }
        }
        let sub = call.sub.map(|sub| self.arena.text(sub).to_owned()).unwrap_or_default();
        let mut aliases = Vec::new();
        for setting in &call.git {
            let Some((key, value)) = self.setting(*setting) else {
                // `git -c "$X"`
                if self.arena.is_unknown(*setting) {
                    self.opaque(Opaque::Code);
                }
                continue;
            };
            if !self.arena.is_known(key) {
                self.opaque(Opaque::Code);
            }
            let key = self.arena.text(key).to_ascii_lowercase();
            if key == "help.autocorrect"
                && corrects(self.arena.text(value))
                && !programs::has_subcommand("git", &sub)
            {
                // `git -c help.autocorrect=immediate psuh`
                self.opaque(Opaque::Name);
            }
            // The file has more settings.
            if key == "include.path" || key.starts_with("includeif.") {
                self.opaque(Opaque::Code);
            }
            if key.strip_prefix("alias.").is_some_and(|name| name.eq_ignore_ascii_case(&sub)) {
                aliases.push(value);
            } else if is_code_of_git(&key) {
                let text = self.arena.text(value);
                let skip = usize::from(text.starts_with('!'));
                let length = text.len();
                if !is_plain(text) {
                    let code = self.arena.slice(value, skip, length);
                    self.fed(Some(at), |walk| walk.code(Some(at), code, "git -c", Some(Words::default())))?;
                }
            }
        }
        self.git_sub(at, &sub, words, call)?;
        if aliases.is_empty()
            && let Some(symbol) = self.arena.known_symbol(&sub)
        {
            // Different ways through the line can define different ones.
            let git_aliases = self.state.names().git.iter().filter(|(defined, _)| *defined == symbol);
            aliases.extend(git_aliases.map(|(_, value)| *value));
        }
        aliases.into_iter().try_for_each(|alias| self.git_alias(at, alias, words, call))
    }

    /// Subcommands that start something, or define what does.
    fn git_sub(&mut self, at: usize, sub: &str, words: Words, call: &Arguments) -> Done<()> {
        let operands = self.operands_of_call(call).to_vec();
        let is_first = |text: &str| operands.first().is_some_and(|(_, word)| self.arena.text(*word) == text);
        match sub {
            "bisect" if is_first("run") => {
                if let Some((at, _)) = operands.get(1).copied() {
                    self.start_inner(words.skip(at), "git bisect", Starter::Program, false)?;
                }
            }
            "submodule" if is_first("foreach") => {
                let mut inner =
                    operands.first().map_or_else(Words::default, |(first, _)| words.skip(*first + 1));
                while self.arena.word(inner, 0).is_some_and(|word| self.arena.text(word).starts_with('-')) {
                    inner = inner.skip(1);
                }
                // One word is code, several are a program with its arguments.
                match self.arena.word(inner, 0) {
                    Some(code) if inner.len == 1 => {
                        self.code(Some(at), code, "git submodule", Some(Words::default()))?;
                    }
                    _ => self.start_inner(inner, "git submodule", Starter::Program, false)?,
                }
            }
            "config" => {
                for pair in operands.windows(2) {
                    let [(_, key), (_, value)] = pair else { continue };
                    let is_code = is_code_of_git(&self.arena.text(*key).to_ascii_lowercase());
                    if is_code && !is_plain(self.arena.text(*value)) {
                        // `git config core.pager CODE`
                        let skip = usize::from(self.arena.text(*value).starts_with('!'));
                        let code = self.arena.slice(*value, skip, self.arena.text(*value).len());
                        self.code(Some(at), code, "git config", Some(Words::default()))?;
                    }
                }
                let is_alias = |word: Token| alias_name(self.arena.text(word)).is_some();
                let key = operands.iter().position(|(_, word)| is_alias(*word));
                if let Some(at) = key
                    && let (Some((_, key)), Some((_, value))) =
                        (operands.get(at).copied(), operands.get(at + 1).copied())
                {
                    let name = alias_name(self.arena.text(key)).unwrap_or_default().to_owned();
                    let name = self.arena.symbol(&name);
                    self.state.names_mut().git.make_mut().push((name, value));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn git_alias(&mut self, at: usize, alias: Token, words: Words, call: &Arguments) -> Done<()> {
        if !self.arena.is_known(alias) {
            self.opaque(Opaque::Code);
        }
        let text = self.arena.text(alias).to_owned();
        let place = call.sub.and_then(|sub| {
            let sub = self.arena.text(sub);
            self.arena.words(words).iter().position(|word| self.arena.text(*word) == sub)
        });
        let after = words.skip(short(place.unwrap_or_default() + 1));
        let rest: Vec<String> = self.arena.words(after).iter().map(|word| self.quoted(*word)).collect();
        let code = match text.strip_prefix('!') {
            Some(code) => format!("{code} {}", rest.join(" ")),
            None => format!("git {text} {}", rest.join(" ")),
        };
        // An alias can name another one, but not itself.
        let current = call.sub.map(|sub| self.arena.text(sub).to_owned()).unwrap_or_default();
        let outer = self.state.names().git.clone();
        let mut others: Vec<(Symbol, Token)> = outer.to_vec();
        for setting in &call.git {
            if let Some((key, value)) = self.setting(*setting)
                && let Some(name) = alias_name(self.arena.text(key)).map(str::to_owned)
            {
                others.push((self.arena.symbol(&name), value));
            }
        }
        let current = self.arena.symbol(&current);
        others.retain(|(name, _)| *name != current);
        *self.state.names_mut().git.make_mut() = others;
        let code = self.text(&code);
        self.code(Some(at), code, "git alias", Some(Words::default()))?;
        self.state.names_mut().git = outer;
        Ok(())
    }
}

/// The words of a command for `git remote-ext`, which spaces separate: `% ` is a space in a word, `%%` a percent sign,
/// `%s` and `%S` are the service, and `%G` and `%V` are not passed on.
fn external_words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut chars) = (Vec::new(), String::new(), text.chars());
    while let Some(char) = chars.next() {
        match char {
            ' ' => words.push(std::mem::take(&mut word)),
            '%' => match chars.next() {
                Some('s') => word.push_str("upload-pack"),
                Some('S') => word.push_str("git-upload-pack"),
                Some('G' | 'V') if word.is_empty() => {
                    let _ = chars.by_ref().take_while(|char| *char != ' ').count();
                }
                other => word.extend(other),
            },
            char => word.push(char),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a value of `help.autocorrect` runs another subcommand than the one on the line.
pub(super) fn corrects(value: &str) -> bool {
    !["0", "false", "no", "off", "never", "show"].iter().any(|off| off.eq_ignore_ascii_case(value))
}

/// The alias that a setting of git defines.
pub(super) fn alias_name(key: &str) -> Option<&str> {
    let (section, name) = key.split_once('.')?;
    section.eq_ignore_ascii_case("alias").then_some(name)
}

/// Settings of git whose value is code for a shell, in lower case.
pub(super) fn is_code_of_git(key: &str) -> bool {
    let Some((section, name)) = key.split_once('.') else { return false };
    let last = name.rsplit('.').next().unwrap_or_default();
    match section {
        "core" => matches!(
            name,
            "sshcommand" | "pager" | "editor" | "fsmonitor" | "askpass" | "gitproxy" | "alternaterefscommand"
        ),
        "sequence" => name == "editor",
        "credential" => last == "helper",
        "diff" => matches!(last, "external" | "command" | "textconv"),
        "filter" => matches!(last, "clean" | "smudge" | "process"),
        "merge" => last == "driver",
        "difftool" | "mergetool" | "browser" | "man" | "guitool" => matches!(last, "cmd" | "path"),
        "remote" => matches!(last, "uploadpack" | "receivepack"),
        "pager" => true,
        "gpg" => matches!(last, "program" | "defaultkeycommand"),
        "interactive" => name == "difffilter",
        "sendemail" => matches!(last, "sendmailcmd" | "tocmd" | "cccmd" | "headercmd" | "smtpserver"),
        "trailer" => matches!(last, "command" | "cmd"),
        "uploadpack" => name == "packobjectshook",
        "tar" => last == "command",
        "submodule" => last == "update",
        "imap" => name == "tunnel",
        _ => false,
    }
}
