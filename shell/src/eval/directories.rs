//! Changes of the working directory.

use super::super::token::{Special, Token, Words, long, short, within};
use super::state::{Place, Value};
use super::{Flow, Walk};
use crate::paths;

impl Walk {
    /// Whether a relative directory may be one in a directory of `CDPATH`.
    fn is_searched(&self, at: usize, word: Token) -> bool {
        let text = self.arena.text(word);
        let first = text.split('/').next().unwrap_or_default();
        if matches!(first, "" | "." | ".." | "~") {
            return false;
        }
        let env = self.commands.get(at).map(|seen| within(&self.settings, seen.env)).unwrap_or_default();
        env.iter().any(|(name, _)| self.arena.text(*name) == "CDPATH")
            || ["CDPATH", "cdpath"].into_iter().any(|name| {
                let name = self.arena.known_symbol(name);
                name.is_some_and(|name| !matches!(self.state.variable(name).value, None | Some(Value::Unset)))
            })
    }

    /// A change of the directory sets variables.
    pub(super) fn moves(&mut self) {
        if self.state.has_names() {
            ["PWD", "OLDPWD"].into_iter().for_each(|name| {
                let symbol = self.arena.known_symbol(name);
                if symbol.is_some_and(|symbol| self.state.variable(symbol).value.is_some()) {
                    self.unknown_name(name);
                }
            });
        }
    }

    /// Whether bash changes the directory to the one operand.
    fn is_plain_change(&mut self, words: Words, pushes: bool) -> bool {
        if words.len <= 2
            && self.arena.word(words, 1).is_none_or(|word| !self.arena.text(word).starts_with('-'))
        {
            return true;
        }
        let (options, operands) = self.own_options(words, "");
        let allowed = if pushes { "" } else { "LPe@" };
        options.iter().all(|(letter, _)| allowed.contains(*letter)) && operands.len() <= 1
    }

    pub(super) fn change(&mut self, at: usize, words: Words, pushes: bool) -> Flow {
        let arguments = self.arena.words(words.skip(1));
        let is_option = |text: &str| text.len() > 1 && text.starts_with(['-', '+']);
        let target = arguments.iter().find(|word| !is_option(self.arena.text(**word))).copied();
        let before = self.state.clone();
        let old = self.state.place.dir;
        let dir = match target {
            None if pushes => None,
            // An invalid option, `pushd -n`, or what only zsh does with two operands.
            _ if !self.is_plain_change(words, pushes) => None,
            None => {
                let home = self.text("~");
                let home = self.at_home(home);
                self.moved(home)
            }
            Some(word) if self.arena.text(word) == "-" => before.old,
            Some(word) if self.is_searched(at, word) => None,
            Some(word) => self.moved(word),
        };
        if pushes {
            self.state.names_mut().stack.make_mut().push(old);
        }
        self.state.old = old;
        self.moves();
        let is_relative = target.is_some_and(|word| !self.arena.text(word).starts_with(['/', '~']));
        self.state.place = Place { is_either: is_relative && before.place.is_either, ..Place::at(dir) };
        let other = before.place.other;
        // From either of two directories, a relative change leads to two.
        if let (Some(other), Some(word)) = (other, target.filter(|_| is_relative)) {
            let now = std::mem::replace(&mut self.state.place, Place::at(other));
            let dir = self.moved(word);
            self.state.place = Place { other: (dir != now.dir).then_some(dir), ..now };
        }
        Flow::Split(before)
    }

    /// The directory that a word is.
    pub(super) fn moved(&mut self, word: Token) -> Option<u32> {
        if !self.arena.is_known(word) || self.arena.has(word, |kind| kind == Special::Glob) {
            return None;
        }
        let text = self.copy_text(word);
        let dir = self.directory_of(&text);
        self.reuse(text);
        dir
    }

    fn directory_of(&mut self, text: &str) -> Option<u32> {
        // A resolved path is its own target.
        let old = if text.starts_with('/') { self.recent(text) } else { None };
        if old.is_some() {
            return old;
        }
        let mut path = self.spare_text();
        let base = match self.state.place.dir {
            Some(dir) => self.dirs.get(long(dir))?.as_str(),
            None if text.starts_with(['/', '~']) => "",
            None => return None,
        };
        paths::resolve(base, text, &mut path)?;
        let old = self.recent(&path);
        if old.is_some() {
            self.reuse(path);
            return old;
        }
        self.dirs.push(path);
        Some(short(self.dirs.len() - 1))
    }

    /// The number of a directory, if it is one of the last ones.
    fn recent(&self, path: &str) -> Option<u32> {
        let at = self.dirs.iter().rev().take(8).position(|known| known == path)?;
        Some(short(self.dirs.len() - 1 - at))
    }
}
