//! Code that programs print to set up the shell: `eval "$(direnv hook bash)"`, `. <(kubectl completion bash)`.

use super::super::token::{Range, Token, long, within};
use super::Walk;
use crate::programs::base_name;

/// What is between commands.
const SEPARATORS: [char; 3] = [';', '&', '\n'];

impl Walk {
    /// Code without what such programs print, each of which is in the place of a command.
    pub(super) fn without_setup(&mut self, code: Token) -> Token {
        if self.arena.is_known(code) || !self.is_setup(code) {
            return code;
        }
        let mut text = self.arena.text(code).to_owned();
        let unknown = self.arena.marks(code).iter().filter(|mark| mark.kind.is_unknown());
        let places: Vec<_> = unknown.map(|mark| long(mark.at)..long(mark.at + mark.len)).collect();
        let is_end =
            |text: Option<&str>| text.is_some_and(|text| text.is_empty() || text.contains(SEPARATORS));
        for place in places.into_iter().rev() {
            let before = text.get(..place.start).map(|text| text.trim_end_matches([' ', '\t']));
            let after = text.get(place.end..).map(|text| text.trim_start_matches([' ', '\t']));
            let last = before.map(|text| text.get(text.len().saturating_sub(1)..).unwrap_or_default());
            let first = after.map(|text| text.get(..1).unwrap_or_default());
            if !is_end(last) || !is_end(first) {
                return code;
            }
            text.replace_range(place, ":");
        }
        self.text(&text)
    }

    /// Whether each unknown part of code is what such a program prints: by the key `prints` of its row.
    pub(super) fn is_setup(&self, code: Token) -> bool {
        let origins = self.origins_of(code);
        let text = self.arena.text(code);
        let is_output = |from: u32, length: u32| {
            let raw = text.get(long(from)..long(from + length)).unwrap_or_default();
            ["$(", "`", "<("].iter().any(|start| raw.starts_with(start))
        };
        let mut unknown = self.arena.marks(code).iter().filter(|mark| mark.kind.is_unknown());
        !origins.is_empty()
            && unknown.clone().count() <= origins.len()
            && unknown.all(|mark| is_output(mark.at, mark.len))
            && origins.iter().all(|range| self.prints_setup(*range))
    }

    /// Whether commands are one that prints how to set up the shell, and nothing but its words says what.
    fn prints_setup(&self, (from, to): Range) -> bool {
        let Some(seen) = self.commands.get(long(from)).filter(|_| to == from + 1) else { return false };
        let words = self.arena.words(seen.words);
        let is_known = |word: &Token| self.arena.is_known(*word);
        let is_plain = !seen.more && seen.env.0 == seen.env.1 && seen.redirects.0 == seen.redirects.1;
        let Some(name) = words.first().map(|name| self.arena.text(*name)) else { return false };
        // A file of the project can print anything.
        let is_installed = !name.contains('/') || name.starts_with(['/', '~']);
        let Some(program) = self.programs.find(base_name(name)) else { return false };
        let verb = seen.sub.and_then(|sub| program.verb(self.arena.text(sub)));
        let row = verb.map_or(program.row, |verb| verb.row);
        let flags = within(&self.flags, seen.flags);
        let has = |name: &str| flags.iter().any(|flag| flag.name.text(&self.arena) == name);
        let mut different = row
            .ifs()
            .iter()
            .filter(|condition| condition.flags("flag").any(|name| has(name.trim_start_matches('-'))));
        let prints = different.find_map(|condition| condition.text("prints")).or(row.text("prints"));
        let sub = seen.sub.map(|sub| self.arena.text(sub));
        let mut listed = program.row.text("setup").unwrap_or_default().split(' ');
        let is_setup = prints == Some("setup") || sub.is_some_and(|sub| listed.any(|name| name == sub));
        is_plain && is_installed && words.iter().all(is_known) && is_setup
    }
}
