//! The command that the arguments of another one start, and its words.

use super::super::arena::{Mark, Special, Token, Words, short, within};
use super::arguments::Call;
use super::command::{Starter, appended};
use super::{Done, Walk};

impl Walk {
    pub(super) fn inner_command(&mut self, name: &str, inner: Words, call: &Call, more: bool) -> Done<()> {
        let mut inner = inner;
        while self.arena.word(inner, 0).is_some_and(|word| self.arena.text(word) == "--") {
            inner = inner.skip(1);
        }
        let starter = match call.kind {
            "command" | "builtin" | "exec" | "coproc" => Starter::Builtin,
            _ => Starter::Program,
        };
        let (mut label, mut more) = (name.to_owned(), more);
        if let Some(sub) = call.sub {
            label = format!("{name} {}", self.arena.text(sub));
        }
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
                Some(code) => self.implicit_shell(name, code),
                None => Ok(()),
            };
        }
        let mut settings: Vec<(Token, Token)> =
            call.env.iter().filter_map(|word| self.setting(*word)).collect();
        let first = self.commands.len();
        self.started(inner, &label, starter, more)?;
        if let Some(seen) = self.commands.get_mut(first).filter(|_| !settings.is_empty()) {
            settings.extend_from_slice(within(&self.settings, seen.env));
            seen.env = appended(&mut self.settings, &mut settings);
        }
        Ok(())
    }

    /// Code for the shell that a program starts without naming it.
    pub(super) fn implicit_shell(&mut self, name: &str, code: Token) -> Done<()> {
        let words = [self.text("sh"), self.text("-c"), code];
        let words = self.arena.list(&words);
        let first = self.commands.len();
        self.started(words, name, Starter::Program, false)?;
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

    /// The words of `env -S`, and those behind.
    pub(super) fn split(&mut self, text: Token, behind: Option<Words>) -> Words {
        let mut all: Vec<Token> = Vec::new();
        if self.arena.is_known(text) {
            let own = self.arena.text(text).to_owned();
            let plain = |part: &str| part.replace(['\'', '"', '\\'], "");
            let parts: Vec<String> = own.split_ascii_whitespace().map(plain).collect();
            let mut settings = true;
            for part in parts {
                settings &= is_setting(&part) || part.starts_with('-');
                if !settings {
                    all.push(self.text(&part));
                }
            }
        } else {
            all.push(text);
        }
        if let Some(behind) = behind {
            all.extend_from_slice(self.arena.words(behind));
        }
        self.arena.list(&all)
    }

    /// Words in which a placeholder is an unknown part.
    pub(super) fn replaced(&mut self, words: Words, placeholder: &str) -> Words {
        let all = self.arena.words(words).to_vec();
        if placeholder.is_empty() || !all.iter().any(|word| self.arena.text(*word).contains(placeholder)) {
            return words;
        }
        let mut new = Vec::with_capacity(all.len());
        for word in all {
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

pub(super) fn is_setting(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
