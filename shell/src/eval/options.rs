//! The options of a command along the row of its program.

use super::super::Opaque;
use super::super::programs::OptionArgument;
use super::super::programs::interpreters::without_version;
use super::super::token::{Token, Words, short};
use super::arguments::{Arguments, CodeOperands, Directory, Starts};
use super::interpreters::is_code_of_git;
use super::{Done, Flag, FlagName, Walk};

/// Each option of one ASCII letter, one after another.
const LETTERS: &str = {
    const BYTES: [u8; 256] = {
        let (mut all, mut letter) = ([b'-'; 256], 0);
        let mut rest: &mut [u8] = &mut all;
        while let [_, second, after @ ..] = rest {
            *second = letter;
            letter += 1;
            rest = after;
        }
        all
    };
    match str::from_utf8(&BYTES) {
        Ok(all) => all,
        Err(_) => "",
    }
};

/// The option of a letter.
fn option_of(letter: char, bytes: &mut [u8; 5]) -> &str {
    if letter.is_ascii() {
        let at = usize::from(u8::try_from(letter).unwrap_or_default()) * 2;
        return LETTERS.get(at..at + 2).unwrap_or_default();
    }
    let Some((dash, rest)) = bytes.split_first_mut() else { return "-" };
    *dash = b'-';
    let length = letter.encode_utf8(rest).len();
    bytes.get(..=length).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or("-")
}

impl Walk {
    fn flag(&mut self, name: FlagName, value: Option<Token>, call: &mut Arguments) {
        self.flags.push(Flag { name, value, at: call.at, is_alias: false });
        let text = name.text(&self.arena);
        call.change_options(text);
        for (_, name) in call.rows().flat_map(|options| options.same(text)) {
            self.flags.push(Flag { name: FlagName::Static(name), value, at: call.at, is_alias: true });
        }
    }

    /// An option; returns the position of the next word.
    pub(super) fn option(&mut self, word: Token, next: u32, words: Words, call: &mut Arguments) -> Done<u32> {
        let long_dash = call.long_dash();
        let text = self.arena.text(word);
        // `zip -TTPROGRAM`, in a table of options of one letter.
        if let Some(two) = text.get(..3).filter(|two| text.len() > 3 && !long_dash && !two.starts_with("--"))
            && let Some(takes) = call.takes(two).filter(|takes| *takes != OptionArgument::Nothing)
        {
            let (two, length) = (two.to_owned(), text.len());
            let (name, value) = (self.arena.slice(word, 1, 3), self.arena.slice(word, 3, length));
            self.flag(FlagName::Text(name), Some(value), call);
            return self.taken(takes, &two, Some(value), (next, words), call);
        }
        if long_dash || text.starts_with("--") || text.len() > 2 && call.takes(text).is_some() {
            let text = self.copy_text(word);
            let done = self.long_option(&text, word, (next, words), call)?;
            self.reuse(text);
            if let Some(next) = done {
                return Ok(next);
            }
        }
        self.letters(word, next, words, call)
    }

    /// An option of several letters, unless these are several options.
    fn long_option(
        &mut self,
        text: &str,
        word: Token,
        (next, words): (u32, Words),
        call: &mut Arguments,
    ) -> Done<Option<u32>> {
        let long_dash = call.long_dash();
        let is_long = text.starts_with("--");
        let (option, joined) = match text.split_once('=') {
            Some((option, _)) => (option, true),
            None => (text, false),
        };
        let mut takes = call.takes(option);
        let (mut exact, mut near_name) = (None, None);
        if takes.is_none() && is_long && long_dash {
            takes = option.get(1..).and_then(|option| call.takes(option));
        }
        if takes.is_none() && is_long {
            let near = call.program.filter(|program| program.completes);
            let near = near.and_then(|_| call.rows().find_map(|options| options.abbreviated(option)));
            if let Some((full, kind)) = near {
                (exact, takes, near_name) = (Some(full.trim_start_matches('-')), Some(kind), Some(full));
            }
        }
        if takes.is_none() && (is_long || long_dash && !is_cluster(text)) {
            self.unlisted(option, call);
        }
        let dashes = if is_long { 2 } else { 1 };
        let name_of = match exact {
            Some(name) => FlagName::Static(name),
            None => FlagName::Text(self.arena.slice(word, dashes, option.len())),
        };
        let is_listed = takes.is_some();
        let takes = takes.unwrap_or(OptionArgument::Nothing);
        let full = near_name.unwrap_or(option);
        if joined {
            let value = self.arena.slice(word, option.len() + 1, text.len());
            self.flag(name_of, Some(value), call);
            return self.taken(takes, full, Some(value), (next, words), call).map(Some);
        }
        if is_long || is_listed || long_dash && !is_cluster(text) {
            let after = self.separate(takes, full, name_of, (next, words), call)?;
            // It may be an option of its own that the table lacks.
            let is_doubtful = near_name.is_some() && !call.is_strict();
            return Ok(Some(if is_doubtful { next } else { after }));
        }
        Ok(None)
    }

    /// An option that the table of a program does not have. If the program starts what its arguments name, it may take that
    /// as its value.
    fn unlisted(&mut self, option: &str, call: &Arguments) {
        let is_known = call.rows().any(|options| options.lists(option))
            || call.program.is_some_and(|program| program.elsewhere);
        if call.is_strict() && !is_known && !matches!(option, "--help" | "--version") {
            self.opaque(Opaque::Name);
        }
    }

    /// Options of one letter each.
    fn letters(&mut self, word: Token, mut next: u32, words: Words, call: &mut Arguments) -> Done<u32> {
        let (mut after, mut bytes) = (1, [0; 5]);
        loop {
            let (at, text) = (after, self.arena.text(word));
            let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) else { return Ok(next) };
            let end = text.len();
            after += letter.len_utf8();
            let option = option_of(letter, &mut bytes);
            let takes = match call.takes(option) {
                Some(takes) => takes,
                None => {
                    self.unlisted(option, call);
                    OptionArgument::Nothing
                }
            };
            let name_of = FlagName::Text(self.arena.slice(word, at, after));
            let is_flag = matches!(
                takes,
                OptionArgument::Nothing
                    | OptionArgument::FirstIsCode
                    | OptionArgument::AllAreCode
                    | OptionArgument::Prefix
            );
            if takes == OptionArgument::Digits && after < end {
                // `perl -l0ne CODE`
                let rest = self.arena.text(word).get(after..).unwrap_or_default();
                let from = after;
                after += rest.bytes().take_while(u8::is_ascii_digit).count();
                let value = (after > from).then(|| self.arena.slice(word, from, after));
                self.flag(name_of, value, call);
                continue;
            }
            if is_flag || matches!(takes, OptionArgument::Joined | OptionArgument::Digits) && after == end {
                self.flag(name_of, None, call);
                self.taken(takes, option, None, (next, words), call)?;
                continue;
            }
            if after < end && takes == OptionArgument::Data(1) && self.takes_next_word(words, call) {
                self.flag(name_of, self.arena.word(words, next), call);
                next += 1;
                continue;
            }
            if after < end {
                let value = self.arena.slice(word, after, end);
                let value = match self.arena.text(value).strip_prefix('=') {
                    Some(_) if call.kind != "cut" => self.arena.slice(word, after + 1, end),
                    _ => value,
                };
                self.flag(name_of, Some(value), call);
                return self.taken(takes, option, Some(value), (next, words), call);
            }
            return self.separate(takes, option, name_of, (next, words), call);
        }
    }

    /// An option whose value, if it takes one, is the next word.
    fn separate(
        &mut self,
        takes: OptionArgument,
        option: &str,
        name_of: FlagName,
        (next, words): (u32, Words),
        call: &mut Arguments,
    ) -> Done<u32> {
        let is_flag = matches!(
            takes,
            OptionArgument::Nothing
                | OptionArgument::Joined
                | OptionArgument::Digits
                | OptionArgument::FirstIsCode
                | OptionArgument::AllAreCode
                | OptionArgument::Prefix
                | OptionArgument::Command
        );
        let value = if is_flag { None } else { self.arena.word(words, next) };
        self.flag(name_of, value, call);
        let count = match takes {
            OptionArgument::Data(count @ 2..) => short(count),
            OptionArgument::NameAndValue => 2,
            _ => u32::from(value.is_some()),
        };
        self.taken(takes, option, value, (next + count, words), call)
    }

    /// What an option with its value means; returns the position of the next word.
    pub(super) fn taken(
        &mut self,
        takes: OptionArgument,
        option: &str,
        value: Option<Token>,
        (next, words): (u32, Words),
        call: &mut Arguments,
    ) -> Done<u32> {
        match (takes, value) {
            (OptionArgument::Code | OptionArgument::LastCode, Some(value)) => {
                call.codes.push((value, option.to_owned()));
                call.is_over |= takes == OptionArgument::LastCode;
            }
            (OptionArgument::Line, Some(value)) => call.lines.push((value, option.to_owned())),
            (OptionArgument::Program, Some(value)) => call.loads.push(value),
            (OptionArgument::Folder, Some(value)) => call.directory.set(value),
            (OptionArgument::Variable, Some(value)) => call.environment.settings.push(value),
            (OptionArgument::NameAndValue, Some(name)) => {
                let value = self.arena.word(words, next.saturating_sub(1));
                if let Some(both) = value.and_then(|value| self.pair(name, value)) {
                    call.environment.settings.push(both);
                }
            }
            (OptionArgument::Words, Some(value)) => {
                (call.split, call.command) = (Some(value), Some(next));
                return Ok(words.len);
            }
            (OptionArgument::Module, value) => {
                call.starts(Starts::Module(value));
                call.command = Some(next.saturating_sub(1));
                return Ok(words.len);
            }
            (OptionArgument::FirstIsCode, _) => call.code_operands = CodeOperands::First,
            (OptionArgument::AllAreCode, _) => call.code_operands = CodeOperands::All,
            (OptionArgument::Command, value) => {
                let list = self.arena.words(words.skip(next));
                // A `+` ends it after `{}` only.
                let text = |at: usize| list.get(at).map(|word| self.arena.text(*word));
                let ends = |at: &usize| match text(*at) {
                    Some(";") => true,
                    Some("+") => at.checked_sub(1).and_then(text) == Some("{}"),
                    _ => false,
                };
                let end = short((0..list.len()).find(ends).unwrap_or(list.len()));
                let after = words.skip(next).take(end);
                // `fd --exec=PROGRAM ARGUMENTS`
                let inner = match value {
                    Some(first) => {
                        let mut list = vec![first];
                        list.extend_from_slice(self.arena.words(after));
                        self.arena.list(&list)
                    }
                    None => after,
                };
                call.commands.push((inner, option.to_owned()));
                return Ok(next + end + 1);
            }
            _ => {}
        }
        self.option_of_program(option, value, call);
        Ok(next)
    }

    /// What an option means to one program alone.
    fn option_of_program(&mut self, option: &str, value: Option<Token>, call: &mut Arguments) {
        match call.kind {
            "git" if matches!(option, "-c" | "--config") => call.git.extend(value),
            "env" if matches!(option, "-" | "-i" | "--ignore-environment") => {
                call.environment.is_cleared = true;
            }
            "env" if matches!(option, "-u" | "--unset") => call.environment.unset.extend(value),
            "git" if option == "-C" => call.directory = Directory::Elsewhere,
            "git" if option == "--config-env" => self.config_env(value),
            "parallel" if matches!(option, "--wd" | "--workdir") => call.directory = Directory::Elsewhere,
            "nsenter" if matches!(option, "-w" | "--wd" | "-W" | "--wdns") => {
                call.directory = Directory::Elsewhere;
            }
            "su" if matches!(option, "-" | "-l" | "--login") => {
                (call.environment.is_cleared, call.directory) = (true, Directory::Elsewhere);
            }
            "su" if matches!(option, "-u" | "--user") => call.starts(Starts::Operands),
            "teller" if matches!(option, "-r" | "--reset") => call.environment.is_cleared = true,
            "xargs" | "parallel" if matches!(option, "-I" | "-J" | "-i" | "--replace") => {
                call.replaces = Some(match value {
                    Some(value) => value,
                    None => self.text("{}"),
                });
            }
            "runcon" if matches!(letter_of(option), 'c' | 't' | 'u' | 'r' | 'l') => {
                call.starts(Starts::Operands);
            }
            "command" if matches!(option, "-v" | "-V") => call.starts = Starts::Nothing,
            "sudo" | "doas" => match option {
                // `-k` with a command runs it without what is remembered.
                "-l" | "-e" | "-v" | "-K" | "--list" | "--edit" | "--validate" => {
                    call.starts = Starts::Nothing;
                }
                "-s" => call.starts(Starts::Shell),
                "-i" | "--login" | "--shell" => {
                    if option != "--shell" {
                        call.directory = Directory::Elsewhere;
                    }
                    if call.kind == "sudo" {
                        call.starts(Starts::Shell);
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
}

impl Walk {
    /// Whether an option among letters takes the next word: `bash -oc pipefail CODE`. In `zsh` and `ksh` it takes
    /// the rest of its own, also in one with a version: `zsh-5.9`, `ksh93`.
    fn takes_next_word(&self, words: Words, call: &Arguments) -> bool {
        let name = self.arena.word(words, 0).map(|name| self.arena.text(name)).unwrap_or_default();
        let name = without_version(name);
        call.program.is_some_and(|program| program.shell) && !name.ends_with("zsh") && !name.ends_with("ksh")
    }

    /// `NAME=VARIABLE`: the value of a setting of git is in a variable of the environment, which is not known.
    fn config_env(&mut self, setting: Option<Token>) {
        let Some((name, _)) = setting.and_then(|setting| self.setting(setting)) else { return };
        let name = self.arena.text(name).to_ascii_lowercase();
        if is_code_of_git(&name) || name.starts_with("alias.") {
            self.opaque(Opaque::Code);
        }
    }

    /// `NAME=VALUE` of two words that are known.
    fn pair(&mut self, name: Token, value: Token) -> Option<Token> {
        let both = format!("{}={}", self.arena.literal(name)?, self.arena.literal(value)?);
        Some(self.text(&both))
    }
}

/// The first letter of an option.
fn letter_of(option: &str) -> char {
    option.trim_start_matches('-').chars().next().unwrap_or_default()
}

/// Whether a word of a program with long options after one dash is several letters.
fn is_cluster(text: &str) -> bool {
    text.len() <= 2
}
