//! Variables of the environment: those that contain code, and `HOME`.

use super::super::Opaque;
use super::super::programs::Program;
use super::super::programs::interpreters::is_shell;
use super::super::programs::variables::Content;
use super::super::token::{Mark, Range, Symbol, Token, Words, long, short, within};
use super::command::appended;
use super::interpreters::{alias_name, corrects, is_code_of_git};
use super::state::{Args, Value};
use super::written::Runner;
use super::{Done, Walk};

impl Walk {
    /// The value of `HOME`, if the line sets it.
    fn home(&self) -> Option<Value> {
        if !self.state.has_names() {
            return None;
        }
        self.state.variable(self.arena.known_symbol("HOME")?).value
    }

    /// Texts with `~` are about the old value of `HOME`, which changes.
    pub(super) fn forget_home(&mut self) {
        let has =
            |words: Words| self.arena.words(words).iter().any(|word| self.arena.text(*word).contains('~'));
        if matches!(self.state.args, Args::Known(words) if has(words)) {
            self.state.args = Args::Unknown;
        }
        let variables = self.state.names().variables.iter().filter(|variable| match variable.value {
            Some(Value::Text(text)) => self.arena.text(text).contains('~'),
            Some(Value::List(words)) => has(words),
            _ => false,
        });
        let names: Vec<Symbol> = variables.map(|variable| variable.name).collect();
        names.into_iter().for_each(|name| self.state.set(name, Value::Unknown));
    }

    /// A word whose `~` is a directory that the line sets. Quotes around it are not seen.
    pub(super) fn at_home(&mut self, word: Token) -> Token {
        let text = self.arena.text(word);
        // `~+` and `~-` are directories where the shell was.
        if stacked(text) {
            let raw = text.to_owned();
            return self.unknown(&raw);
        }
        let Some(rest) = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'))
        else {
            return word;
        };
        match self.home() {
            // Without one, a shell asks for that of the user.
            None | Some(Value::Unset) => word,
            Some(Value::Text(home)) if self.arena.is_known(home) && self.arena.is_known(word) => {
                let home = self.arena.text(home);
                let home = if rest.is_empty() { home } else { home.trim_end_matches('/') };
                let (path, after) = (format!("{home}{rest}"), short(home.len()));
                let marks = self.arena.marks(word).iter();
                let marks: Vec<Mark> =
                    marks.map(|mark| Mark { at: (mark.at + after).saturating_sub(1), ..*mark }).collect();
                self.arena.push(&path, &marks, true)
            }
            Some(_) => {
                let raw = text.to_owned();
                self.unknown(&raw)
            }
        }
    }

    /// Like `at_home`, for all words.
    pub(super) fn all_at_home(&mut self, words: Words) -> Words {
        let is_there = |word: &Token| self.arena.text(*word).starts_with('~');
        if !self.arena.words(words).iter().any(is_there) {
            return words;
        }
        let is_stack = |word: &Token| stacked(self.arena.text(*word));
        if self.home().is_none() && !self.arena.words(words).iter().any(is_stack) {
            return words;
        }
        let homes: Vec<Token> =
            self.arena.words(words).to_vec().into_iter().map(|word| self.at_home(word)).collect();
        self.arena.list(&homes)
    }

    /// The variables that the line exports and that a command gets which starts now: a range of [`Walk::exports`].
    pub(super) fn exported(&mut self) -> Range {
        if !self.state.has_names() {
            return (0, 0);
        }
        let variables = self.state.names().variables.iter().filter(|variable| variable.exported);
        let exports = variables.filter_map(|variable| match variable.value? {
            Value::Text(text) => Some((variable.name, Some(text))),
            Value::Unset => None,
            _ => Some((variable.name, None)),
        });
        // Most commands get what the one before them got.
        let last = self.commands.last().map_or((0, 0), |seen| seen.exports);
        if exports.clone().eq(within(&self.exports, last).iter().copied()) {
            return last;
        }
        let mut exports = exports.collect();
        appended(&mut self.exports, &mut exports)
    }

    /// Follows the code in variables that a command gets, each with its value.
    pub(super) fn code_of_variables(&mut self, at: Option<usize>, variables: &[(Token, Token)]) -> Done<()> {
        for (name, value) in variables {
            let label = self.arena.text(*name).to_owned();
            let Some(content) = self.programs.variable(&label) else { continue };
            let text = self.arena.text(*value);
            match content {
                Content::Line if is_plain(text) => {}
                // `SHELL=$(which zsh)`
                Content::Shell if is_shell(text) || !self.arena.is_known(*value) => {}
                Content::Line | Content::Shell => {
                    // `LESSOPEN='|COMMAND %s'`
                    let code = text.trim_start_matches('|').trim_start_matches('-');
                    let code = self.arena.slice(*value, text.len() - code.len(), text.len());
                    self.fed(at, |walk| walk.code(at, code, &label, Some(Words::default())))?;
                }
                Content::Text if is_plain_prompt(text) && self.arena.is_known(*value) => {}
                Content::Words => {}
                Content::Escaped(program) => self.escapes_of_variable(at, program, &label, *value)?,
                Content::File(program) => self.file_of_variable(at, program, &label, *value)?,
                Content::Text | Content::Opaque => self.opaque(Opaque::Code),
                Content::GitKey(number) => {
                    let other = format!("GIT_CONFIG_VALUE_{number}");
                    let other = variables.iter().find(|(name, _)| self.arena.text(*name) == other);
                    self.setting_of_git(at, &label, *value, other.map(|(_, value)| *value))?;
                }
            }
        }
        Ok(())
    }

    /// Follows the file that a program runs because of a variable.
    fn file_of_variable(&mut self, at: Option<usize>, program: &str, label: &str, file: Token) -> Done<()> {
        let origins = self.origins_of(file);
        if !origins.is_empty() {
            self.runs(at, &origins);
            self.opaque(Opaque::Code);
            return Ok(());
        }
        let is_shell = self.programs.find(program).is_some_and(|program| program.shell);
        let runner = if is_shell { Runner::Shell } else { Runner::Other };
        let Some(at) = at else { return Ok(()) };
        self.script(at, label, (file, runner), Some(Args::Unknown))?;
        if is_shell {
            return Ok(());
        }
        for text in self.texts_of_script(at, file)? {
            self.escapes_of_variable(Some(at), program, label, text)?;
        }
        Ok(())
    }

    /// The words of a command with those that its program reads from variables of the environment: in front of its
    /// own, or after the subcommand whose row has the variable.
    pub(super) fn with_variables(&mut self, program: &'static Program, words: Words) -> Words {
        if !program.has_variables || !self.state.has_names() {
            return words;
        }
        let mut listed = self.arena.words(words).to_vec();
        let verb = (1..words.len).find_map(|at| {
            let text = self.arena.literal(self.arena.word(words, at)?)?;
            Some((long(at), program.verb(text)?.row))
        });
        for (at, row) in verb.into_iter().chain([(0, program.row)]) {
            let names = row.named("variables").filter(|(_, role)| *role == "WORDS");
            let mut given = Vec::new();
            for (name, _) in names {
                given.extend(self.words_of_variable(name));
            }
            listed.splice(at + 1..at + 1, given);
        }
        if listed.len() == long(words.len) { words } else { self.arena.list(&listed) }
    }

    /// The words of a variable that a program gets.
    fn words_of_variable(&mut self, name: &str) -> Vec<Token> {
        let variable = self.arena.known_symbol(name).map(|symbol| self.state.variable(symbol));
        let Some(Value::Text(text)) =
            variable.filter(|variable| variable.exported).and_then(|exported| exported.value)
        else {
            return Vec::new();
        };
        let value = self.arena.text(text);
        let start = value.as_ptr().addr();
        let places: Vec<_> =
            value.split_ascii_whitespace().map(|word| (word.as_ptr().addr() - start, word.len())).collect();
        places.into_iter().map(|(at, length)| self.arena.slice(text, at, at + length)).collect()
    }

    /// A setting of git whose key and value are variables.
    fn setting_of_git(
        &mut self,
        at: Option<usize>,
        label: &str,
        key: Token,
        value: Option<Token>,
    ) -> Done<()> {
        if !self.arena.is_known(key) {
            self.opaque(Opaque::Code);
            return Ok(());
        }
        let key = self.arena.text(key).to_ascii_lowercase();
        let is_other =
            key == "help.autocorrect" && value.is_none_or(|value| corrects(self.arena.text(value)));
        if is_other || key == "include.path" || key.starts_with("includeif.") {
            self.opaque(Opaque::Code);
        }
        let is_alias = alias_name(&key).is_some();
        if !is_alias && !is_code_of_git(&key) {
            return Ok(());
        }
        let Some(value) = value else {
            self.opaque(Opaque::Code);
            return Ok(());
        };
        let text = self.arena.text(value);
        let code = match text.strip_prefix('!') {
            _ if !is_alias && is_plain(text) => return Ok(()),
            Some(code) => self.arena.slice(value, text.len() - code.len(), text.len()),
            None if !is_alias => value,
            None if self.arena.is_known(value) => {
                let code = format!("git {text}");
                self.text(&code)
            }
            None => {
                self.opaque(Opaque::Code);
                return Ok(());
            }
        };
        self.code(at, code, label, Some(Words::default()))
    }
}

/// Whether the expansion of a prompt runs nothing and sets nothing: `${x:=y}`, `$((x++))`.
pub(super) fn is_plain_prompt(text: &str) -> bool {
    let sets = text.contains("${") && text.contains(['=', '@', '[', '!']);
    let runs = ["`", "$(", "$["].into_iter().any(|start| text.contains(start));
    !sets && !runs
}

/// Whether a word starts with `~+`, `~-` or `~1`, as a directory.
fn stacked(text: &str) -> bool {
    let Some(name) = text.strip_prefix('~').and_then(|text| text.split('/').next()) else { return false };
    let number = name.strip_prefix(['+', '-']).unwrap_or(name);
    !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a value of a variable or of a setting of git starts nothing of interest, or is a word of git.
pub(super) fn is_plain(value: &str) -> bool {
    matches!(
        value,
        "" | ":"
            | "true"
            | "false"
            | "cat"
            | "store"
            | "cache"
            | "osxkeychain"
            | "manager"
            | "checkout"
            | "merge"
            | "rebase"
            | "none"
    )
}
