//! A command: what starts, with which words, and from where.

use std::fmt;

use super::super::arena::Arena;
use super::super::eval::{self, Place, Range, Seen, Target, Walk};
use super::super::paths;
use super::super::programs::{Options, Program, base_name};
use super::super::token::{Special, Token, long, short, within};
use super::{Flag, Redirect, Word};

/// A program that a line starts, or redirections without a program.
#[derive(Clone, Copy)]
pub struct Command<'w> {
    pub(super) walk: &'w Walk,
    pub(super) seen: &'w Seen,
    pub(super) number: usize,
}

/// An assignment in front of a command: `A=b make`, `env A=b make`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting<'w> {
    /// The variable.
    pub name: Word<'w>,
    /// Its value.
    pub value: Word<'w>,
}

/// Where a command runs, by text.
#[derive(Clone, Copy)]
pub struct Directory<'w> {
    walk: &'w Walk,
    place: Place,
}

impl<'w> Command<'w> {
    /// Its number on the line.
    #[must_use]
    pub const fn number(self) -> usize {
        self.number
    }

    fn word(self, token: Token) -> Word<'w> {
        Word { arena: &self.walk.arena, token }
    }

    /// The program and its arguments; empty if there are only redirections.
    pub fn words(self) -> impl ExactSizeIterator<Item = Word<'w>> + Clone + use<'w> {
        self.walk.arena.words(self.seen.words).iter().map(move |token| self.word(*token))
    }

    /// The word that names the program, which can be unknown.
    #[must_use]
    pub fn program(self) -> Option<Word<'w>> {
        self.words().next()
    }

    /// The program as it is written; none if it is unknown. Its last name can be known without its directory:
    /// `$DIR/rm`.
    #[must_use]
    pub fn path(self) -> Option<&'w str> {
        let first = self.program()?;
        let is_open = |kind: Special| kind.is_unknown() || kind == Special::Glob;
        let is_hidden = first.text() != "[" && first.arena.has(first.token, is_open);
        (!is_hidden || first.arena.has_known_name(first.token)).then(|| first.text())
    }

    /// The last name of the program's path; none if it is unknown.
    #[must_use]
    pub fn name(self) -> Option<&'w str> {
        self.path().map(base_name)
    }

    /// Its program, if there is a row of it.
    pub(crate) const fn described(self) -> Option<&'static Program> {
        self.seen.program
    }

    /// The row of its subcommand, if there is one.
    pub(crate) const fn described_sub(self) -> Option<&'static Options<'static>> {
        self.seen.verb
    }

    /// The group in front of its subcommand.
    pub(crate) fn group(self) -> Option<&'w str> {
        let group = self.walk.arena.word(self.seen.words, self.seen.group_at);
        group.filter(|_| self.seen.group_at > 0).and_then(|group| self.walk.arena.literal(group))
    }

    /// Whether what runs it succeeds only if it does: its line, or the command that starts it, if that has no status of
    /// its own.
    #[must_use]
    pub const fn is_required(self) -> bool {
        self.seen.is_required
    }

    /// Whether arguments follow its words that are unknown: those that `xargs` adds.
    #[must_use]
    pub const fn has_more(self) -> bool {
        self.seen.more
    }

    /// The subcommand: the word that acts. `docker container run` is `run`, and a subcommand that is unknown is none.
    #[must_use]
    pub fn sub(self) -> Option<Word<'w>> {
        self.seen.sub.map(|token| self.word(token))
    }

    /// The word in the place of a subcommand, also if it is unknown: `git $X`.
    #[must_use]
    pub fn sub_word(self) -> Option<Word<'w>> {
        if self.seen.sub_at == 0 {
            return None;
        }
        self.sub()
            .or_else(|| self.walk.arena.word(self.seen.words, self.seen.sub_at).map(|token| self.word(token)))
    }

    /// All flags with all names that the tables have for them, by name: `-f` of `git push` is `f` and `force`.
    /// Equal names are in the order of the line.
    pub(crate) fn named_flags(self) -> &'w [eval::Flag] {
        within(&self.walk.flags, self.seen.flags)
    }

    /// All flags under all names that the rows have for them, by name. Equal names are in the order of the line.
    pub(crate) fn every_flag(self) -> impl ExactSizeIterator<Item = Flag<'w>> + Clone + use<'w> {
        let arena = &self.walk.arena;
        self.named_flags().iter().map(move |flag| Flag { arena, flag })
    }

    /// All flags under all names that the rows have for them: whether they are in front of the subcommand, and whether
    /// the name is another one than the written one.
    pub(crate) fn all_flags(self) -> impl Iterator<Item = (Flag<'w>, bool, bool)> + Clone + use<'w> {
        let (arena, sub_at) = (&self.walk.arena, self.seen.sub_at);
        let flags = self.named_flags().iter();
        flags.map(move |flag| (Flag { arena, flag }, flag.at < sub_at, flag.is_alias))
    }

    /// The word at a position; the program is 0.
    pub(crate) fn word_at(self, at: usize) -> Option<Word<'w>> {
        self.walk.arena.word(self.seen.words, short(at)).map(|token| self.word(token))
    }

    /// Which word is in the place of a subcommand; 0 if none is.
    pub(crate) fn sub_at(self) -> usize {
        long(self.seen.sub_at)
    }

    /// Whether no word follows its program, its groups and its subcommand: `set +a` has one, which is no option.
    pub(crate) fn is_bare(self) -> bool {
        self.words().len() <= self.sub_at() + 1
    }

    fn flags_where(self, is_global: bool) -> impl Iterator<Item = Flag<'w>> + Clone + use<'w> {
        let sub_at = self.seen.sub_at;
        let flags =
            self.named_flags().iter().filter(move |flag| !flag.is_alias && (flag.at < sub_at) == is_global);
        flags.map(move |flag| Flag { arena: &self.walk.arena, flag })
    }

    /// The flags in front of a subcommand, each as it is written, by name; those of one name are in the order of the
    /// line. None for a program without a subcommand.
    pub fn global_flags(self) -> impl Iterator<Item = Flag<'w>> + Clone + use<'w> {
        self.flags_where(true)
    }

    /// The flags after the subcommand, or all flags of a program without one.
    pub fn flags(self) -> impl Iterator<Item = Flag<'w>> + Clone + use<'w> {
        self.flags_where(false)
    }

    /// The flags of a name, also if they are written with another name that the tables have for it. `is_global` is
    /// whether they are in front of the subcommand.
    fn flags_named(self, name: &str, is_global: bool) -> impl Iterator<Item = Flag<'w>> + Clone + use<'w> {
        let (arena, sub_at) = (&self.walk.arena, self.seen.sub_at);
        let flags = self.named_flags();
        // They are sorted in the order of JSON.
        let order = |flag: &eval::Flag| hookc_base::json::key_order(flag.name.text(arena), name);
        let from = flags.partition_point(|flag| order(flag).is_lt());
        let to = flags.partition_point(|flag| order(flag).is_le());
        let flags = flags.get(from..to).unwrap_or_default().iter();
        flags.filter(move |flag| (flag.at < sub_at) == is_global).map(move |flag| Flag { arena, flag })
    }

    /// Whether it has a flag after its subcommand, under any of its names.
    #[must_use]
    pub fn has_flag(self, name: &str) -> bool {
        self.flags_named(name, false).next().is_some()
    }

    /// Whether it has a flag in front of its subcommand, under any of its names.
    #[must_use]
    pub fn has_global_flag(self, name: &str) -> bool {
        self.flags_named(name, true).next().is_some()
    }

    /// Every value of a flag, in the order of the line.
    pub fn values(self, name: &str) -> impl Iterator<Item = Word<'w>> + Clone + use<'w> {
        self.flags_named(name, false).filter_map(Flag::value)
    }

    /// Every value of a flag in front of the subcommand, in the order of the line.
    pub fn global_values(self, name: &str) -> impl Iterator<Item = Word<'w>> + Clone + use<'w> {
        self.flags_named(name, true).filter_map(Flag::value)
    }

    /// The words after the program and its subcommand that are neither flags nor their values.
    pub fn operands(self) -> impl ExactSizeIterator<Item = Word<'w>> + Clone + use<'w> {
        self.placed_operands().map(|(_, word)| word)
    }

    /// The operands, and which word of the command each of them is.
    pub fn placed_operands(self) -> impl ExactSizeIterator<Item = (usize, Word<'w>)> + Clone + use<'w> {
        let operands = within(&self.walk.operands, self.seen.operands).iter();
        operands.map(move |(at, token)| (long(*at), self.word(*token)))
    }

    /// The assignments in front of it, in order.
    pub fn env(self) -> impl ExactSizeIterator<Item = Setting<'w>> + Clone + use<'w> {
        let settings = within(&self.walk.settings, self.seen.env).iter();
        settings.map(move |(name, value)| Setting { name: self.word(*name), value: self.word(*value) })
    }

    /// The variables that the line has exported before it: a range of [`super::Exports`].
    pub(crate) const fn export_range(self) -> Range {
        self.seen.exports
    }

    /// Its redirections, in order.
    pub fn redirects(self) -> impl ExactSizeIterator<Item = Redirect<'w>> + Clone + use<'w> {
        within(&self.walk.targets, self.seen.redirects).iter().map(move |target| self.redirect(target))
    }

    /// The redirections around it that are in effect for it: those of groups, of programs that start it, and of
    /// `exec`.
    pub fn inherited_redirects(self) -> impl Iterator<Item = Redirect<'w>> + use<'w> {
        self.walk.inherited(self.seen).map(move |target| self.redirect(target))
    }

    /// The redirection in effect for its input (0), its output (1) or its errors (2): its own, or one around it.
    #[must_use]
    pub fn stream(self, descriptor: usize) -> Option<Redirect<'w>> {
        self.walk.stream(self.seen, descriptor).map(|target| self.redirect(target))
    }

    /// The redirections around it whose files it reads into variables: `read`, `mapfile`.
    pub(crate) fn taken(self) -> impl Iterator<Item = Redirect<'w>> + use<'w> {
        let (walk, number) = (self.walk, short(self.number()));
        let taken = walk.taken.iter().filter(move |(command, _)| *command == number);
        taken.filter_map(move |(_, target)| Some(self.redirect(walk.targets.get(long(*target))?)))
    }

    const fn redirect(self, target: &'w Target) -> Redirect<'w> {
        Redirect { cwd: Directory { walk: self.walk, place: target.place }, target }
    }

    /// What starts it, the innermost first: `sh -c` and `sudo` of `sudo sh -c x`.
    pub fn via(self) -> impl Iterator<Item = &'w str> + Clone + use<'w> {
        let (walk, mut next) = (self.walk, self.seen.via);
        std::iter::from_fn(move || {
            let via = walk.vias.get(long(next)).filter(|_| next > 0)?;
            next = via.outer;
            Some(via.text.as_str())
        })
    }

    /// The command that starts it: `sudo` of `sudo x`, `find` of `find -exec x`. None if the shell of the line does.
    #[must_use]
    pub fn starter(self) -> Option<Self> {
        let via = self.walk.vias.get(long(self.seen.via)).filter(|_| self.seen.via > 0)?;
        self.at(long(via.by?)).filter(|starter| starter.number < self.number)
    }

    fn at(self, number: usize) -> Option<Self> {
        Some(Self { seen: self.walk.commands.get(number)?, number, ..self })
    }

    fn each(self, ranges: impl Iterator<Item = Range> + Clone) -> impl Iterator<Item = Self> + Clone {
        let end = self.walk.commands.len();
        let numbers = ranges.flat_map(move |(from, to)| long(from)..long(to).min(end));
        numbers.filter_map(move |number| self.at(number))
    }

    /// The numbers of the commands whose output it reads as code, as ranges, which can overlap.
    pub(crate) fn run_ranges(self) -> impl Iterator<Item = Range> + use<'w> {
        self.seen.runs.iter().copied()
    }

    /// The numbers of [`pipes_to`](Self::pipes_to), as ranges.
    pub(crate) fn pipe_ranges(self) -> impl Iterator<Item = Range> + Clone + use<'w> {
        let (walk, mut next) = (self.walk, self.seen.pipe);
        std::iter::from_fn(move || {
            let pipe = walk.pipes.get(long(next)).filter(|_| next > 0)?;
            next = pipe.outer;
            Some((pipe.start, pipe.end))
        })
    }

    /// The numbers of [`inputs`](Self::inputs), as ranges, which can overlap.
    pub(crate) fn input_ranges(self) -> impl Iterator<Item = Range> + use<'w> {
        self.texts().flat_map(move |word| self.origins(word))
    }

    /// Its words, the values in front of it, and the texts that it reads.
    fn texts(self) -> impl Iterator<Item = Word<'w>> + Clone + use<'w> {
        let env = self.env().map(|setting| setting.value);
        self.words().chain(env).chain(self.redirects().filter_map(|redirect| redirect.body()))
    }

    /// The commands whose output it reads as code. One can be there twice.
    pub fn runs(self) -> impl Iterator<Item = Self> + Clone + use<'w> {
        self.each(self.seen.runs.iter().copied())
    }

    /// The commands after it in its pipeline, and in the pipelines around that.
    pub fn pipes_to(self) -> impl Iterator<Item = Self> + Clone + use<'w> {
        self.each(self.pipe_ranges())
    }

    /// The commands whose output is a part of its words, of assignments in front of it, and of texts that it reads. One
    /// can be there twice.
    pub fn inputs(self) -> impl Iterator<Item = Self> + Clone + use<'w> {
        self.each(self.texts().flat_map(move |word| self.origins(word)))
    }

    /// The commands whose output is a part of one of its words.
    pub fn inputs_of(self, word: Word<'w>) -> impl Iterator<Item = Self> + Clone + use<'w> {
        self.each(self.origins(word))
    }

    /// The numbers of the commands whose output is a part of a word, as ranges.
    pub(crate) fn origins(self, word: Word<'w>) -> impl Iterator<Item = Range> + Clone + use<'w> {
        let walk = self.walk;
        walk.arena.marks(word.token).iter().filter_map(move |mark| match mark.kind {
            Special::Origin(number) => walk.origins.get(long(number)).copied(),
            _ => None,
        })
    }

    /// Whether the shell prints it with the values of its words before it runs it: `set -x`.
    #[must_use]
    pub const fn is_traced(self) -> bool {
        self.seen.is_traced
    }

    /// Whether a substitution takes its output: `echo $(x)`, `diff <(x) y`.
    #[must_use]
    pub const fn is_captured(self) -> bool {
        self.seen.captured
    }

    /// Where it runs.
    #[must_use]
    pub const fn cwd(self) -> Directory<'w> {
        Directory { walk: self.walk, place: self.seen.place }
    }
}

impl<'w> Directory<'w> {
    pub(super) const fn arena(self) -> &'w Arena {
        &self.walk.arena
    }

    fn text(self, number: Option<u32>) -> Option<&'w str> {
        let walk = self.walk;
        number.and_then(|number| walk.dirs.get(long(number))).map(String::as_str)
    }

    /// The directory of the event.
    pub(crate) fn of_event(self) -> &'w str {
        self.walk.dirs.first().map_or("", String::as_str)
    }

    /// Its path, if it is known: absolute, or below `~`.
    #[must_use]
    pub fn path(self) -> Option<&'w str> {
        let path = self.text(self.place.dir).filter(|_| !self.place.is_either)?;
        path.starts_with(['/', '~']).then_some(path)
    }

    /// Every directory that it can be, the likely one first. `None` is an unknown one; a path that is neither absolute
    /// nor below `~` is below the unknown directory in which the line runs. There are two if a change of the
    /// directory can have failed (`cd x; y`), or only happens on one of two ways.
    pub fn paths(self) -> impl Iterator<Item = Option<&'w str>> + Clone + use<'w> {
        let likely = [Some(self.place.dir), self.place.other].into_iter().flatten();
        likely.map(move |number| self.text(number))
    }

    /// Whether the second directory of [`paths`](Self::paths) is as likely as the first.
    #[must_use]
    pub const fn is_either(self) -> bool {
        self.place.is_either
    }

    /// Appends where a path leads from the likely directory, with `.` and `..` resolved by text; none if that is
    /// unknown.
    #[must_use]
    pub fn resolve(self, path: &str, out: &mut String) -> Option<()> {
        resolve_from(self.text(self.place.dir), path, out)
    }
}

/// Appends where a path leads from a directory, if that is known or does not matter.
pub(crate) fn resolve_from(directory: Option<&str>, path: &str, out: &mut String) -> Option<()> {
    let base = match directory {
        Some(base) => base,
        None if path.starts_with(['/', '~']) => "",
        None => return None,
    };
    paths::resolve(base, path, out)
}

impl PartialEq for Command<'_> {
    /// Whether they are the same command of the same line.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.seen, other.seen)
    }
}

impl fmt::Debug for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.words().map(Word::text).collect::<Vec<_>>();
        f.debug_struct("Command").field("number", &self.number).field("words", &words).finish()
    }
}

impl fmt::Debug for Directory<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.paths()).finish()
    }
}
