//! Patterns of commands that no command matches, because the program has no such subcommand or flag.

use std::ops::Range;

use hookc_base::suggest;

use super::read::has_flag;
use super::tokens::{Token, tokens};
use super::verb;
use crate::effects::ALTERNATIVES;
use crate::effects::pattern::braces;
use crate::programs::{self, OptionArgument, Programs, Row, notation};

/// A word of a pattern that its program does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The bytes of the pattern.
    pub range: Range<usize>,
    /// What the word would be.
    pub kind: DoubtKind,
    /// The word.
    pub word: String,
    /// The program, with its subcommand if the word is a flag of that.
    pub program: String,
    /// What it may mean.
    pub closest: Option<String>,
}

/// What a word of a pattern would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubtKind {
    /// A subcommand.
    Subcommand,
    /// A flag.
    Flag,
    /// A flag whose value is another word: in a pattern, that word is an operand.
    Value,
}

/// The flags that each program has, and that few rows list.
const HELP: [&str; 2] = ["--help", "-h"];

/// The most words that name a subcommand.
const WORDS: usize = 3;

/// The words of a pattern that no command of its program has. A shipped program whose row does not list everything has no such
/// words; of a program of a policy, those count that look like a slip.
#[must_use]
pub fn doubts(pattern: &str, programs: &Programs) -> Vec<Doubt> {
    let tokens = tokens(pattern);
    let commands = tokens.split(|token| token.text == "|");
    commands.filter_map(|tokens| Command::read(tokens, programs)).flat_map(|one| one.doubts()).collect()
}

/// The row of a program, and whether a policy describes it: then it lists what the policy needs.
#[derive(Clone, Copy)]
struct Known {
    row: &'static Row,
    is_described: bool,
}

impl Known {
    fn find(name: &str, programs: &Programs) -> Option<Self> {
        let row = programs.find(name)?.row;
        let is_shipped = programs::program(name).is_some_and(|shipped| std::ptr::eq(shipped.row, row));
        Some(Self { row, is_described: !is_shipped })
    }
}

/// A command of a pattern whose programs all have rows.
struct Command<'p> {
    program: &'p str,
    rows: Vec<Known>,
    flags: Vec<Token<'p>>,
    /// Flags with the word that follows, if it is no flag.
    pairs: Vec<(Token<'p>, Token<'p>)>,
    /// The words that can name a subcommand, with their alternatives.
    names: Vec<(Token<'p>, Vec<String>)>,
}

impl<'p> Command<'p> {
    fn read(tokens: &[Token<'p>], programs: &Programs) -> Option<Self> {
        let is_setting = |text: &str| text.contains('=') && !text.starts_with('-');
        let mut words = tokens.iter().copied().skip_while(|token| is_setting(token.text));
        let program = words.next()?.text;
        let row = |name: &String| Known::find(name, programs);
        let rows = alternatives(program)?.iter().map(row).collect::<Option<Vec<_>>>()?;
        let is_text = |word: &str| rows.iter().all(|known| known.row.is_text(word));
        let is_flag = |token: &Token<'_>| {
            let word = token.text.trim_start_matches('!');
            has_flag(word) && !is_text(word)
        };
        let words: Vec<_> = words.collect();
        let is_pair = |(flag, next): &(Token<'_>, Token<'_>)| {
            is_plain_flag(flag.text) && !is_flag(next) && is_plain(next.text.trim_start_matches('!'))
        };
        let pairs = words.iter().copied().zip(words.iter().copied().skip(1)).filter(is_pair).collect();
        // Flags after an operand belong to what that starts: `timeout 5 rm -r`.
        let stops = rows.iter().all(|known| known.row.stops());
        let end = words.iter().find(|token| stops && !is_flag(token)).map_or(usize::MAX, |token| token.at);
        let (mut flags, operands): (Vec<_>, Vec<_>) = words.into_iter().partition(is_flag);
        flags.retain(|flag| flag.at < end);
        let names = operands.into_iter().map_while(|token| Some((token, alternatives(token.text)?)));
        Some(Self { program, rows, flags, pairs, names: names.take(WORDS).collect() })
    }

    fn doubts(&self) -> Vec<Doubt> {
        let phrases = self.phrases();
        let mut doubts: Vec<Doubt> = phrases.iter().filter_map(|phrase| self.subcommand(phrase)).collect();
        doubts.dedup();
        if doubts.is_empty() {
            doubts.extend(self.flags.iter().flat_map(|token| self.flag(*token, &phrases)));
            doubts.extend(self.pairs.iter().filter_map(|pair| self.value(*pair, &phrases)));
        }
        doubts
    }

    /// Every sequence of the words that can name a subcommand.
    fn phrases(&self) -> Vec<Vec<&str>> {
        let mut phrases: Vec<Vec<&str>> = vec![Vec::new()];
        for (_, words) in &self.names {
            let longer = phrases.iter().flat_map(|phrase| {
                words.iter().map(move |word| [phrase.as_slice(), &[word.as_str()]].concat())
            });
            phrases = longer.take(ALTERNATIVES).collect();
        }
        phrases
    }

    /// The word that is a subcommand of none of the programs.
    fn subcommand(&self, phrase: &[&str]) -> Option<Doubt> {
        let unknown: Option<Vec<Unknown>> = self.rows.iter().map(|row| unknown(*row, phrase)).collect();
        let unknown = unknown?;
        let first = unknown.first()?;
        let (token, _) = self.names.get(first.at).filter(|_| unknown.iter().all(|one| one.at == first.at))?;
        let word = phrase.get(first.at)?;
        let before = phrase.get(..first.at).unwrap_or_default().iter().flat_map(|word| [" ", word]);
        Some(Doubt {
            range: within(*token, word),
            kind: DoubtKind::Subcommand,
            word: (*word).to_owned(),
            program: std::iter::once(self.program).chain(before).collect(),
            closest: unknown.iter().find_map(|one| one.closest).map(str::to_owned),
        })
    }

    /// A flag that takes a value for each command that the pattern means, with a word that is no part of it.
    fn value(&self, (flag, next): (Token<'_>, Token<'_>), phrases: &[Vec<&str>]) -> Option<Doubt> {
        let lists: Option<Vec<Flags>> = self
            .rows
            .iter()
            .flat_map(|row| phrases.iter().map(move |phrase| Flags::of_any(*row, phrase)))
            .collect();
        let lists = lists.filter(|lists| lists.iter().all(|list| list.takes_value(flag.text)))?;
        Some(Doubt {
            range: flag.at..next.at + next.text.len(),
            kind: DoubtKind::Value,
            word: flag.text.to_owned(),
            program: lists.first()?.name(self.program),
            closest: Some(format!("{}={}", flag.text, next.text)),
        })
    }

    /// The alternatives of a word that are flags of no command that the pattern means.
    fn flag(&self, token: Token<'_>, phrases: &[Vec<&str>]) -> Vec<Doubt> {
        let lists: Option<Vec<Flags>> = self
            .rows
            .iter()
            .flat_map(|row| phrases.iter().map(move |phrase| Flags::new(*row, phrase)))
            .collect();
        let Some(lists) = lists else { return Vec::new() };
        let text = token.text.trim_start_matches('!');
        let words = alternatives(text.split('=').next().unwrap_or(text)).unwrap_or_default();
        let is_open = lists.iter().any(|list| list.is_open);
        let is_slip = |flag: &String| !is_open || lists.iter().any(|list| list.slip(flag).is_some());
        let is_unknown = |flag: &String| !lists.iter().any(|list| list.has(flag)) && is_slip(flag);
        let doubt = |flag: String| Doubt {
            range: within(token, &flag),
            kind: DoubtKind::Flag,
            closest: lists.iter().find_map(|list| list.closest(&flag)),
            program: lists.first().map_or(self.program.to_owned(), |list| list.name(self.program)),
            word: flag,
        };
        words.into_iter().filter(is_unknown).map(doubt).collect()
    }
}

/// A word that is no subcommand.
struct Unknown {
    /// Which word of the phrase it is.
    at: usize,
    closest: Option<&'static str>,
}

/// The first word that is not a subcommand of a row that lists all of them. Where others can add subcommands,
/// only what looks like a slip is reported.
fn unknown(program: Known, phrase: &[&str]) -> Option<Unknown> {
    let (mut row, mut at) = (program.row, 0);
    loop {
        let lists_all = row.lists_all("subcommands");
        let is_known = lists_all || program.is_described && !row.subs().is_empty();
        let words = phrase.get(at..).filter(|_| is_known)?;
        let word = words.first()?;
        let Some(verb) = verb::find(row, words) else {
            let listed = |key: &str| row.text(key).unwrap_or_default().split_whitespace();
            let names = listed("others").chain(listed("groups").map(|group| group.trim_end_matches('+')));
            let names: Vec<&str> = names.chain(row.subs().iter().flat_map(Row::names)).collect();
            if names.contains(word) {
                return None;
            }
            let is_open = row.is("extensible") || !lists_all;
            let closest = match is_open {
                true => Some(suggest::slip(word, names)?),
                false => suggest::nearest_spelling(word, names),
            };
            return Some(Unknown { at, closest });
        };
        (row, at) = (verb.row, at + verb.length);
    }
}

/// All flags of a command.
struct Flags {
    /// The row of the program, and those of its subcommand.
    rows: Vec<&'static Row>,
    /// Whether there may be others: only what looks like a slip is reported.
    is_open: bool,
}

impl Flags {
    /// `None` if not all flags are known.
    fn new(known: Known, phrase: &[&str]) -> Option<Self> {
        Self::of_any(known, phrase).filter(|flags| !flags.is_open || known.is_described)
    }

    /// The flags that the rows list.
    fn of_any(known: Known, phrase: &[&str]) -> Option<Self> {
        let program = known.row;
        let lists_all = |row: &Row| row.lists_all("options") || row.is_plain();
        let length = verb::find(program, phrase).map_or(0, |verb| verb.length);
        if length == 0 && !program.subs().is_empty() {
            return None;
        }
        let path = (1..=length).filter_map(|end| verb::find(program, phrase.get(..end)?));
        let rows: Vec<_> = std::iter::once(program).chain(path.map(|verb| verb.row)).collect();
        let is_complete = lists_all(program) && rows.last().is_some_and(|row| lists_all(row));
        Some(Self { rows, is_open: !is_complete })
    }

    fn known(&self) -> impl Iterator<Item = (&'static str, OptionArgument)> {
        self.rows.iter().flat_map(|row| {
            let ifs = row.ifs().iter().filter_map(|one| one.text("options"));
            let ifs = ifs.flat_map(|options| notation::options(options).flatten());
            row.options().chain(ifs).flat_map(|option| option.names().map(move |name| (name, option.takes)))
        })
    }

    /// Whether a command can have a flag: by its name, or letter by letter.
    fn has(&self, flag: &str) -> bool {
        let bare = flag.trim_start_matches('-');
        let is_name = |known: &str| {
            known == flag
                || known == format!("--{}", bare.strip_prefix("no-").unwrap_or(bare))
                    && flag.starts_with("--")
                || self.rows.first().is_some_and(|row| row.has_long_dash())
                    && known.trim_start_matches('-') == bare
        };
        !is_plain(flag)
            || HELP.contains(&flag)
            || self.known().any(|(known, _)| is_name(known))
            || self.has_letters(flag)
    }

    /// Whether each letter of `-rf` is a flag. One that takes a value ends them.
    fn has_letters(&self, flag: &str) -> bool {
        let Some(letters) = flag.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
            return false;
        };
        let last = letters.chars().count();
        let is_flag = |(at, letter): (usize, char)| {
            self.letter(letter).is_some_and(|takes| takes == OptionArgument::Nothing || at + 1 == last)
        };
        letters.chars().enumerate().all(is_flag) || letters.chars().all(|letter| letter.is_ascii_digit())
    }

    /// Whether the word after a flag is its value.
    fn takes_value(&self, flag: &str) -> bool {
        let takes = self.known().find(|(name, _)| *name == flag).map(|(_, takes)| takes);
        matches!(takes, Some(OptionArgument::Data(1) | OptionArgument::Folder))
    }

    /// What a flag of one letter takes.
    fn letter(&self, letter: char) -> Option<OptionArgument> {
        let is_it = |name: &str| name.strip_prefix('-').is_some_and(|name| name.chars().eq([letter]));
        self.known().find(|(name, _)| is_it(name)).map(|(_, takes)| takes)
    }

    /// The flag that an unknown one is almost.
    fn slip(&self, flag: &str) -> Option<&'static str> {
        suggest::slip(flag, self.known().map(|(name, _)| name))
    }

    fn closest(&self, flag: &str) -> Option<String> {
        let bare = flag.trim_start_matches('-');
        let long = format!("--{bare}");
        let names = || self.known().map(|(name, _)| name).filter(|name| name.starts_with("--"));
        if let Some(name) = names().find(|name| *name == long) {
            return Some(name.to_owned());
        }
        let mut letters = bare.chars();
        let first = letters
            .next()
            .filter(|_| !flag.starts_with("--"))
            .filter(|first| self.letter(*first).is_some_and(|takes| takes != OptionArgument::Nothing));
        match first {
            Some(first) => Some(format!("-{first}={}", letters.as_str())),
            None => suggest::nearest_spelling(&long, names()).map(str::to_owned),
        }
    }

    fn name(&self, program: &str) -> String {
        let mut rows = self.rows.iter().skip(1);
        rows.next_back().map_or(program.to_owned(), |row| {
            let words = [program, row.group(), row.name()].into_iter();
            words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        })
    }
}

/// The bytes of a word, or of one of its alternatives.
fn within(token: Token<'_>, word: &str) -> Range<usize> {
    let (start, length) = match token.text.find(word) {
        Some(start) => (start, word.len()),
        None => (0, token.text.len()),
    };
    token.at + start..token.at + start + length
}

/// The alternatives of a word; `None` if one has wildcards or sets.
fn alternatives(word: &str) -> Option<Vec<String>> {
    let words = braces::expand(word, ALTERNATIVES)?;
    words.iter().all(|word| is_plain(word)).then_some(words)
}

/// Whether a word is a flag without a value.
fn is_plain_flag(word: &str) -> bool {
    word.starts_with('-') && !word.contains('=') && is_plain(word)
}

/// Whether a word of a pattern has no wildcards, braces, sets or paths.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && !word.contains(['*', '?', '[', '{', '@', '$', '/', '\\', '^', '!'])
}
