//! The keys of patterns of commands, which are found without reading all of a pattern.

use super::read::{program_names, program_word};
use super::tokens::{alternatives, tokens};
use super::{CommandPattern, Name, Operand, Simple};
use crate::effects::keys::{Key, Keyed, Part, bit, key};
use crate::effects::pattern::glob::{Glob, Syntax};
use crate::effects::sets::{Sets, whole};
use crate::effects::{ALTERNATIVES, Act, Text};

/// Sets in one another. Deeper ones have no keys.
const DEPTH: usize = 8;

impl Keyed for CommandPattern {
    fn keys(&self) -> Option<Vec<Key>> {
        let mut keys = Vec::new();
        add(&self.text, self.source.sets(), DEPTH, &mut keys).map(|()| keys)
    }
}

/// Adds the keys of the commands that get the output of a pattern; none if one of them has no keys.
fn add(pattern: &str, sets: Sets<'_>, depth: usize, out: &mut Vec<Key>) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let alternatives = alternatives(pattern, ALTERNATIVES)?;
    alternatives.iter().try_for_each(|pattern| add_alternative(pattern, sets, depth, out))
}

fn add_alternative(pattern: &str, sets: Sets<'_>, depth: usize, out: &mut Vec<Key>) -> Option<()> {
    let tokens = tokens(pattern);
    let side = tokens.rsplit(|token| token.text == "|").next()?;
    if let [token] = side
        && let Some(name) = whole(token.text)
    {
        let patterns = sets.find(name)?.patterns();
        return patterns.into_iter().try_for_each(|pattern| add(pattern, sets, depth, out));
    }
    let word = program_word(side)?;
    if is_plain(word.text) {
        return add_literal(word.text, sets, out);
    }
    let names = program_names(word, sets).ok()?;
    names.iter().try_for_each(|name| add_name(name, sets, out))
}

fn add_name(name: &str, sets: Sets<'_>, out: &mut Vec<Key>) -> Option<()> {
    if is_path(name) {
        out.push(key(Part::ProgramPath, ""));
        return Some(());
    }
    let glob = Glob::new(name, Syntax::Text);
    let literal = glob.literal().filter(|name| name.is_ascii())?;
    add_literal(literal, sets, out)
}

fn add_literal(name: &str, sets: Sets<'_>, out: &mut Vec<Key>) -> Option<()> {
    out.push(key(Part::Program, name));
    let others = sets.programs.same_program(name).into_iter().filter(|other| *other != name);
    out.extend(others.map(|other| key(Part::Program, other)));
    Some(())
}

/// Whether a word of a pattern is a name without wildcards, braces and sets.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+'))
}

/// Whether the program of a pattern is a path.
pub(super) fn is_path(name: &str) -> bool {
    name.contains('/') || name.starts_with('~')
}

impl Keyed for Simple {
    fn keys(&self) -> Option<Vec<Key>> {
        let keys: Option<Vec<_>> = self.programs.iter().map(|program| program.name.keys()).collect();
        keys.map(|keys| keys.concat())
    }
}

impl Simple {
    /// Bits of the words of which the subcommand of a command that it matches starts with one; all bits if it can start
    /// with others.
    pub(super) fn first_words(&self) -> u64 {
        let operands = self.operands.first().map(|operand| {
            operand.iter().map(|operand| match operand {
                Operand::Text(glob) => glob.literal(),
                Operand::Each | Operand::Path(_) | Operand::Variable(_) | Operand::Regex(_) => None,
            })
        });
        let verbs = self.programs.iter().flat_map(|program| &program.verbs);
        let verbs = verbs.map(|verb| verb.first().and_then(Glob::literal));
        let words: Option<Vec<&str>> = operands.and_then(|operands| operands.chain(verbs).collect());
        words.map_or(u64::MAX, |words| bits(&words))
    }
}

/// Bits of the words that the subcommand of a command starts with; all bits if that is unknown, or if it has none.
pub(in super::super) fn first_words(act: Act<'_>) -> u64 {
    let Some(sub) = act.sub().filter(|_| act.verb().is_some()) else { return u64::MAX };
    let first =
        [act.canonical(), act.written()].map(|words| words.first().map(|word| act.actions.text(*word)));
    let words = first.into_iter().flatten().chain([sub]).map(Text::as_literal);
    words.collect::<Option<Vec<_>>>().map_or(u64::MAX, |words| bits(&words))
}

fn bits(words: &[&str]) -> u64 {
    if words.is_empty() {
        return u64::MAX;
    }
    words.iter().fold(0, |bits, word| bits | bit(key(Part::Verb, word)))
}

impl Name {
    /// Bits of the keys of the commands with this name; all bits if it has a wildcard.
    pub(super) fn key_bits(&self) -> u64 {
        self.keys().map_or(u64::MAX, |keys| keys.into_iter().fold(0, |bits, key| bits | bit(key)))
    }

    /// The keys of the commands with this name; none if it has a wildcard.
    fn keys(&self) -> Option<Vec<Key>> {
        match self {
            Self::Path(_) => Some(vec![key(Part::ProgramPath, "")]),
            Self::Name { glob, row } => {
                let name = glob.literal().filter(|name| name.is_ascii())?;
                let names = row.iter().flat_map(|row| row.same_program()).filter(|other| *other != name);
                Some(names.chain([name]).map(|name| key(Part::Program, name)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::effects::sets::Source;
    use crate::effects::{PatternKind, Set, shipped_sets};

    /// The keys of a pattern before and after it is read.
    fn both(pattern: &str, source: &Arc<Source>) -> [Option<Vec<Key>>; 2] {
        let pattern = CommandPattern::new(pattern, source);
        let read: Option<Vec<_>> = pattern.sides().unwrap().to.iter().map(Keyed::keys).collect();
        [pattern.keys(), read.map(|keys| keys.concat())].map(|keys| {
            keys.map(|mut keys| {
                keys.sort_unstable();
                keys.dedup();
                keys
            })
        })
    }

    #[test]
    fn a_pattern_has_its_keys_before_it_is_read() {
        let of = ["{kubectl,oc} get", "{a b,c} -x", "@inner", "~/bin/c"].map(str::to_owned).to_vec();
        let inner = Set { name: "inner".to_owned(), of: vec!["nodejs".to_owned()], except: Vec::new() };
        let source = Source::new(
            vec![Set { name: "outer".to_owned(), of, except: Vec::new() }, inner],
            &Default::default(),
        );
        let source = Arc::new(source);
        let sets = shipped_sets().iter().filter(|set| set.kind == PatternKind::Command);
        let shipped: Vec<&str> = sets.flat_map(|set| set.of.iter().chain(set.except)).copied().collect();
        assert!(shipped.len() > 300, "{}", shipped.len());
        let patterns = [
            "A=1 B=/x y/ git push",
            "{git,hg} push",
            "@fetchers | sh",
            "curl | @interpreters",
            "curl | @interpreters -x",
            "@outer",
            "x | @outer",
            "@inner -x",
            "@inner",
            "pip3.11 x",
            "gsed -i",
            "* -f",
            "/usr/bin/x y",
            "GIT x",
            "k\u{e4}se x",
            "{a,b*} c",
            "npm@9 x",
            "[ x",
        ];
        for pattern in shipped.into_iter().chain(patterns) {
            let [early, read] = both(pattern, &source);
            assert_eq!(early, read, "{pattern}");
        }
    }
}
