//! Globs against texts with holes, as languages: sets of states, one character after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::text::{Hole, Symbol, Text};

/// What `*` and `?` of a glob can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wildcards {
    /// They stay within a name; `**` does not.
    Names,
    /// They are any text, also with `/`.
    Texts,
}

/// A glob without braces: one of several sequences.
#[derive(Clone, Debug)]
pub(super) struct Glob(Vec<Vec<Atom>>);

#[derive(Clone, Debug)]
enum Atom {
    Char(char),
    One { crosses: bool },
    Class { negated: bool, members: Vec<(char, char)>, crosses: bool },
    Many { crosses: bool },
}

/// How a text relates to globs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    /// Each value of the text matches one of the globs.
    pub(super) certain: bool,
    /// Some value of the text matches one of the globs.
    pub(super) possible: bool,
}

/// The texts that a text with braces stands for.
pub(super) fn braces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let Some((open, commas, close)) = group(&chars) else { return vec![text.to_owned()] };
    let part = |from: usize, to: usize| chars.get(from..to).unwrap_or_default().iter().collect::<String>();
    let bounds: Vec<usize> = [open].into_iter().chain(commas).chain([close]).collect();
    let tails = braces(&part(close + 1, chars.len()));
    let mut texts = Vec::new();
    for pair in bounds.windows(2) {
        let [from, to] = pair else { continue };
        for middle in braces(&part(from + 1, *to)) {
            texts.extend(tails.iter().map(|tail| format!("{}{middle}{tail}", part(0, open))));
        }
    }
    texts
}

/// The first group in braces: where it opens, its commas, and where it closes.
fn group(chars: &[char]) -> Option<(usize, Vec<usize>, usize)> {
    let is_free = |at: usize| at.checked_sub(1).and_then(|at| chars.get(at)) != Some(&'\\');
    let open = (0..chars.len()).find(|at| chars.get(*at) == Some(&'{') && is_free(*at))?;
    let (mut depth, mut commas) = (0_usize, Vec::new());
    for (at, c) in chars.iter().enumerate().skip(open).filter(|(at, _)| is_free(*at)) {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some((open, commas, at)),
            '}' => depth -= 1,
            ',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    None
}

impl Glob {
    /// Reads a glob; its braces are expanded already.
    pub(super) fn new(text: &str, wildcards: Wildcards) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self(sequences(&chars, wildcards == Wildcards::Texts))
    }
}

fn sequences(chars: &[char], crosses: bool) -> Vec<Vec<Atom>> {
    let (atoms, taken): (Vec<Vec<Atom>>, usize) = match chars {
        [] => return vec![Vec::new()],
        // `a/**` is `a` too.
        ['/', '*', '*'] if !crosses => {
            (vec![Vec::new(), vec![Atom::Char('/'), Atom::Many { crosses: true }]], 3)
        }
        ['*', '*', '/', ..] if !crosses => {
            (vec![Vec::new(), vec![Atom::Many { crosses: true }, Atom::Char('/')]], 3)
        }
        ['*', '*', ..] => (vec![vec![Atom::Many { crosses: true }]], 2),
        ['*', ..] => (vec![vec![Atom::Many { crosses }]], 1),
        ['?', ..] => (vec![vec![Atom::One { crosses }]], 1),
        ['\\', c, ..] => (vec![vec![Atom::Char(*c)]], 2),
        ['[', rest @ ..] => match class(rest, crosses) {
            Some((class, taken)) => (vec![vec![class]], taken + 1),
            None => (vec![vec![Atom::Char('[')]], 1),
        },
        [c, ..] => (vec![vec![Atom::Char(*c)]], 1),
    };
    let tails = sequences(chars.get(taken..).unwrap_or_default(), crosses);
    let join = |atoms: &Vec<Atom>| {
        let atoms = atoms.clone();
        tails.iter().map(move |tail| atoms.iter().chain(tail).cloned().collect()).collect::<Vec<_>>()
    };
    atoms.iter().flat_map(join).collect()
}

/// A class of characters after its `[`, and how many characters it is written with.
fn class(chars: &[char], crosses: bool) -> Option<(Atom, usize)> {
    let negated = matches!(chars.first(), Some('!' | '^'));
    let start = usize::from(negated);
    let end = (start + 1..chars.len()).find(|at| chars.get(*at) == Some(&']'))?;
    let (mut members, mut at) = (Vec::new(), start);
    while at < end {
        let from = *chars.get(at)?;
        let is_range = chars.get(at + 1) == Some(&'-') && at + 2 < end;
        let to = if is_range { *chars.get(at + 2)? } else { from };
        members.push((from, to));
        at += if is_range { 3 } else { 1 };
    }
    Some((Atom::Class { negated, members, crosses }, end + 1))
}

impl Atom {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Char(expected) => *expected == c,
            Self::One { crosses } | Self::Many { crosses } => *crosses || c != '/',
            Self::Class { negated, members, crosses } => {
                let is_member = members.iter().any(|(from, to)| (*from..=*to).contains(&c));
                is_member != *negated && (*crosses || c != '/')
            }
        }
    }

    /// Characters at which its answer changes.
    fn borders(&self) -> Vec<char> {
        match self {
            Self::Char(c) => vec![*c],
            Self::Class { members, .. } => {
                let next = |c: char| char::from_u32(u32::from(c) + 1);
                members.iter().flat_map(|(from, to)| [Some(*from), next(*to)]).flatten().collect()
            }
            Self::One { .. } | Self::Many { .. } => Vec::new(),
        }
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self(vec![0; count / 64 + 1]);
        for number in numbers {
            bits.insert(number);
        }
        bits
    }

    /// Adds a number; whether it was not there.
    fn insert(&mut self, number: usize) -> bool {
        let Some(word) = self.0.get_mut(number / 64) else { return false };
        let is_new = *word & (1 << (number % 64)) == 0;
        *word |= 1 << (number % 64);
        is_new
    }

    fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The words of both, joined.
    fn zip(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| join(*a, *b)).collect())
    }

    fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    fn without(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Each number plus one.
    fn next(&self) -> Self {
        let carries = std::iter::once(0).chain(self.0.iter().map(|word| word >> 63));
        Self(self.0.iter().zip(carries).map(|(word, carry)| word << 1 | carry).collect())
    }

    fn numbers(&self) -> impl Iterator<Item = usize> {
        let bits = |word: u64| (0..64).filter(move |bit| word & (1 << bit) != 0);
        self.0.iter().enumerate().flat_map(move |(at, word)| bits(*word).map(move |bit| at * 64 + bit))
    }
}

/// The states of globs: how many atoms of which sequence of which glob are matched, as one number. Each has its next
/// atom, or none if the whole sequence is matched.
struct Patterns<'g>(Vec<Option<&'g Atom>>);

impl<'g> Patterns<'g> {
    fn new(globs: &'g [Glob]) -> Self {
        let sequences = globs.iter().flat_map(|glob| &glob.0);
        Self(sequences.flat_map(|atoms| atoms.iter().map(Some).chain([None])).collect())
    }

    /// The states at which nothing is matched.
    fn starts(&self) -> BTreeSet<usize> {
        let firsts = self.0.iter().enumerate().filter(|(_, atom)| atom.is_none()).map(|(end, _)| end + 1);
        let firsts = std::iter::once(0).chain(firsts).filter(|first| *first < self.0.len());
        firsts.flat_map(|first| self.closure(first)).collect()
    }

    fn is_end(&self, state: usize) -> bool {
        self.0.get(state).is_some_and(Option::is_none)
    }

    fn is_many(&self, state: usize) -> bool {
        matches!(self.0.get(state), Some(Some(Atom::Many { .. })))
    }

    /// A state, and those after atoms that can match nothing.
    fn closure(&self, state: usize) -> Vec<usize> {
        let mut states = vec![state];
        while let Some(last) = states.last().filter(|last| self.is_many(**last)) {
            states.push(last + 1);
        }
        states
    }

    /// What follows a state.
    fn next(&self, state: usize, c: char) -> Vec<usize> {
        match self.0.get(state) {
            Some(Some(atom)) if atom.takes(c) => {
                self.closure(if self.is_many(state) { state } else { state + 1 })
            }
            _ => Vec::new(),
        }
    }

    /// Whether a text matches.
    fn matches(&self, text: &str) -> bool {
        let step =
            |states: BTreeSet<usize>, c| states.into_iter().flat_map(|state| self.next(state, c)).collect();
        text.chars().fold(self.starts(), step).into_iter().any(|state| self.is_end(state))
    }
}

/// Sets of the states of globs.
struct PatternSets {
    starts: Bits,
    ends: Bits,
    /// The states whose next atom is any number of characters.
    many: Bits,
    /// The states whose next atom takes a character.
    taking: BTreeMap<char, Bits>,
}

impl PatternSets {
    fn new(patterns: &Patterns<'_>, alphabet: &BTreeSet<char>) -> Self {
        let count = patterns.0.len();
        let states = |test: &dyn Fn(usize) -> bool| Bits::new(count, (0..count).filter(|state| test(*state)));
        let takes = |state: usize, c: char| {
            patterns.0.get(state).is_some_and(|atom| atom.is_some_and(|atom| atom.takes(c)))
        };
        Self {
            starts: Bits::new(count, patterns.starts()),
            ends: states(&|state| patterns.is_end(state)),
            many: states(&|state| patterns.is_many(state)),
            taking: alphabet.iter().map(|c| (*c, states(&|state| takes(state, *c)))).collect(),
        }
    }

    fn step(&self, states: &Bits, c: char) -> Bits {
        let Some(taking) = self.taking.get(&c) else { return states.without(states) };
        let taken = states.and(taking);
        let mut states = taken.and(&self.many).or(&taken.without(&self.many).next());
        loop {
            let more = states.or(&states.and(&self.many).next());
            if more == states {
                return states;
            }
            states = more;
        }
    }
}

/// Whether a `/` follows a symbol, which is not there if there are no names before it.
fn slash(text: &Text, at: usize) -> usize {
    usize::from(text.0.get(at + 1) == Some(&Symbol::Char('/')))
}

/// How many symbols of the text are consumed, and whether no dot may follow: a wildcard of a shell at the start of
/// a name matches no leading dot.
type TextState = (usize, bool);

/// The state before a symbol that no part of which is consumed yet.
fn entered(text: &Text, at: usize) -> TextState {
    let starts_name = at.checked_sub(1).is_none_or(|last| text.0.get(last) == Some(&Symbol::Char('/')));
    (at, starts_name && matches!(text.0.get(at), Some(Symbol::Hole(Hole::Name | Hole::Char, _))))
}

fn text_closure(text: &Text, states: impl IntoIterator<Item = TextState>) -> BTreeSet<TextState> {
    let mut closure = BTreeSet::new();
    let mut open: Vec<TextState> = states.into_iter().collect();
    while let Some((at, no_dot)) = open.pop() {
        if closure.insert((at, no_dot)) {
            match text.0.get(at) {
                Some(Symbol::Hole(Hole::Any, _)) => open.push(entered(text, at + 1)),
                Some(Symbol::Hole(Hole::Name, _)) => open.push((at + 1, no_dot)),
                Some(Symbol::Hole(Hole::Names, _)) => open.push(entered(text, at + 1 + slash(text, at))),
                _ => {}
            }
        }
    }
    closure
}

fn text_step(text: &Text, states: &BTreeSet<TextState>, c: char) -> BTreeSet<TextState> {
    let next = states.iter().flat_map(|(at, no_dot)| match text.0.get(*at) {
        None => Vec::new(),
        _ if *no_dot && c == '.' => Vec::new(),
        Some(Symbol::Char(expected)) if *expected == c => vec![entered(text, *at + 1)],
        Some(Symbol::Hole(Hole::Any, _)) => vec![(*at, false)],
        Some(Symbol::Hole(Hole::Name, _)) if c != '/' => vec![(*at, false)],
        Some(Symbol::Hole(Hole::Char, _)) if c != '/' => vec![(*at + 1, false)],
        // Within the names, or at the end of the last one, before the `/` of the text.
        Some(Symbol::Hole(Hole::Names, _)) => vec![(*at, false), (*at + 1, false)],
        Some(Symbol::Char(_) | Symbol::Hole(..)) => Vec::new(),
    });
    text_closure(text, next)
}

/// The states of a text as numbers, with what follows each of them.
struct Values {
    start: Bits,
    /// The states at which the whole text is consumed.
    ends: Bits,
    /// For each character, what follows each state.
    next: BTreeMap<char, Vec<Bits>>,
}

impl Values {
    fn new(text: &Text, alphabet: &BTreeSet<char>) -> Self {
        let states: Vec<TextState> = (0..=text.0.len()).flat_map(|at| [(at, false), (at, true)]).collect();
        let count = states.len();
        let bits = |states: BTreeSet<TextState>| {
            Bits::new(count, states.into_iter().map(|(at, no_dot)| 2 * at + usize::from(no_dot)))
        };
        let next = |c: char| {
            let step = |state: &TextState| bits(text_step(text, &BTreeSet::from([*state]), c));
            states.iter().map(step).collect()
        };
        let end = text.0.len();
        Self {
            start: bits(text_closure(text, [entered(text, 0)])),
            ends: bits(BTreeSet::from([(end, false), (end, true)])),
            next: alphabet.iter().map(|c| (*c, next(*c))).collect(),
        }
    }

    fn step(&self, states: &Bits, c: char) -> Bits {
        let next = self.next.get(&c).map(Vec::as_slice).unwrap_or_default();
        let empty = states.without(states);
        states.numbers().filter_map(|state| next.get(state)).fold(empty, |all, one| all.or(one))
    }
}

/// The most pairs of states at which values are compared. Beyond it a text is not certain: what takes more has several
/// unknown parts and many globs.
const STATES: usize = 2_000;

/// Compares all values of a text with globs.
pub(super) fn relate(globs: &[Glob], text: &Text) -> Relation {
    let patterns = Patterns::new(globs);
    if let Some(literal) = text.literal() {
        let matches = patterns.matches(&literal);
        return Relation { certain: matches, possible: matches };
    }
    let alphabet = alphabet(globs, text);
    let values = Values::new(text, &alphabet);
    if !is_possible(&values, &patterns, &alphabet) {
        return Relation { certain: false, possible: false };
    }
    let patterns = PatternSets::new(&patterns, &alphabet);
    // The whole of a value comes before other beginnings: most texts have one that matches none.
    let start = (values.start.clone(), patterns.starts.clone());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some((text_states, states)) = open.pop() {
        if seen.len() > STATES {
            return Relation { certain: false, possible: true };
        }
        if !text_states.and(&values.ends).is_empty() && states.and(&patterns.ends).is_empty() {
            return Relation { certain: false, possible: true };
        }
        for c in alphabet.iter().rev() {
            let text_states = values.step(&text_states, *c);
            if text_states.is_empty() {
                continue;
            }
            let next = (text_states, patterns.step(&states, *c));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Relation { certain: true, possible: true }
}

/// Whether some value matches some glob: by single states, of which there are few.
fn is_possible(values: &Values, patterns: &Patterns<'_>, alphabet: &BTreeSet<char>) -> bool {
    let (starts, width) = (patterns.starts(), patterns.0.len() + 1);
    let starts = values.start.numbers().flat_map(|value| starts.iter().map(move |state| (value, *state)));
    let mut open: Vec<(usize, usize)> = starts.collect();
    let numbers = open.iter().map(|(value, state)| value * width + state);
    let mut seen = Bits::new(values.ends.0.len() * 64 * width, numbers);
    while let Some((value, state)) = open.pop() {
        if values.ends.contains(value) && patterns.is_end(state) {
            return true;
        }
        for c in alphabet {
            let states = patterns.next(state, *c);
            let next = values.next.get(c).and_then(|next| next.get(value)).filter(|_| !states.is_empty());
            for value in next.into_iter().flat_map(Bits::numbers) {
                let new = states.iter().filter(|state| seen.insert(value * width + **state));
                open.extend(new.map(|state| (value, *state)));
            }
        }
    }
    false
}

/// One character of each kind that globs and a text can tell apart.
fn alphabet(globs: &[Glob], text: &Text) -> BTreeSet<char> {
    let in_globs = globs.iter().flat_map(|glob| &glob.0).flatten().flat_map(Atom::borders);
    let in_text =
        text.0.iter().filter_map(|symbol| if let Symbol::Char(c) = symbol { Some(*c) } else { None });
    in_text.chain(['/', '.', '\u{1}']).chain(in_globs).collect()
}

#[cfg(test)]
mod tests {
    use super::super::text::Source;
    use super::*;

    /// Whether a text without holes matches, by the definition of each atom.
    fn plain(atoms: &[Atom], text: &[char]) -> bool {
        match (atoms.split_first(), text.split_first()) {
            (None, _) => text.is_empty(),
            (Some((many @ Atom::Many { .. }, rest)), Some((c, tail))) => {
                plain(rest, text) || many.takes(*c) && plain(atoms, tail)
            }
            (Some((Atom::Many { .. }, rest)), None) => plain(rest, text),
            (Some((atom, rest)), Some((c, tail))) => atom.takes(*c) && plain(rest, tail),
            (Some(_), None) => false,
        }
    }

    /// The values of a text over a small alphabet, with holes of at most three characters.
    fn values(text: &[Symbol], no_dot: bool, last: char) -> Vec<String> {
        let Some((symbol, rest)) = text.split_first() else { return vec![String::new()] };
        let alphabet = ['a', 'b', 'z', '/', '.'];
        let starts = last == '/';
        let fillings: Vec<String> = match symbol {
            Symbol::Char(c) => vec![c.to_string()],
            Symbol::Hole(Hole::Char, _) => {
                alphabet.iter().filter(|c| **c != '/').map(char::to_string).collect()
            }
            Symbol::Hole(hole, _) => {
                let mut all = vec![String::new()];
                for _ in 0..3 {
                    let longer =
                        all.iter().flat_map(|text| alphabet.iter().map(move |c| format!("{text}{c}")));
                    all = all.iter().cloned().chain(longer).collect();
                }
                all.sort();
                all.dedup();
                all.retain(|text| *hole == Hole::Any || !text.contains('/'));
                all
            }
        };
        let no_dot = no_dot || starts && matches!(symbol, Symbol::Hole(Hole::Name | Hole::Char, _));
        let mut texts = Vec::new();
        for filling in fillings {
            if no_dot && filling.starts_with('.') {
                continue;
            }
            let no_dot = no_dot && filling.is_empty() && *symbol != Symbol::ANY;
            let last =
                filling.chars().last().unwrap_or(if filling.is_empty() && !starts { 'x' } else { last });
            let tails = values(rest, no_dot, if filling.is_empty() { 'x' } else { last });
            texts.extend(tails.into_iter().map(|tail| format!("{filling}{tail}")));
        }
        texts
    }

    #[test]
    fn sets_of_states_agree_with_enumerated_values() {
        let patterns =
            ["a", "*", "**", "a*", "*.a", "**/a", "a/**", "?", "[ab]", "[!a]", ".*", "/*/b", "**/*.b", "a?"];
        let texts =
            ["a", "#", "%", "?", "a#", "%.a", "/%", "/a/%", "/%/b", "%a", "??", "a/?", "/.%", "%%", "/%.b"];
        for text in texts {
            let symbols = text.chars().map(|c| match c {
                '#' => Symbol::ANY,
                '%' => Symbol::Hole(Hole::Name, Source::NONE),
                '?' => Symbol::Hole(Hole::Char, Source::NONE),
                c => Symbol::Char(c),
            });
            let text = Text(symbols.collect());
            let values = values(&text.0, false, '/');
            for pattern in patterns {
                let glob = Glob::new(pattern, Wildcards::Names);
                let matches = |value: &String| {
                    let chars: Vec<char> = value.chars().collect();
                    glob.0.iter().any(|sequence| plain(sequence, &chars))
                };
                let wanted =
                    Relation { certain: values.iter().all(matches), possible: values.iter().any(matches) };
                assert_eq!(relate(std::slice::from_ref(&glob), &text), wanted, "{pattern} {text}");
            }
        }
    }

    #[test]
    fn braces_expand_in_order() {
        assert_eq!(braces("{a,b{c,d}}x{,_}"), ["ax", "ax_", "bcx", "bcx_", "bdx", "bdx_"]);
        assert_eq!(braces("a\\{b,c}"), ["a\\{b,c}"]);
    }
}
