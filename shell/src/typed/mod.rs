//! The commands of a line with their types, as ranges of one arena.

mod command;
mod flag;
mod redirect;
mod word;

use std::fmt;

use super::eval::Walk;
use super::programs::Programs;
use super::token::within;
use super::{Opaque, Problem};

pub use command::{Command, Directory, Setting};
pub use flag::Flag;
pub(crate) use redirect::is_sink;
pub use redirect::{Redirect, RedirectKind};
pub use word::{Hole, HoleKind, Word};

/// What the reader has to know besides the line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'c> {
    /// The directory in which the line runs. If it is neither absolute nor below `~`, it is unknown.
    pub cwd: Option<&'c str>,
    /// The programs that policies describe, in addition to the shipped ones.
    pub programs: &'c Programs,
}

/// What a shell would start for a line.
#[derive(Clone, Copy)]
pub struct Commands<'w> {
    walk: &'w Walk,
}

/// A variable that a line sets or unsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<'w> {
    /// Its name.
    pub name: &'w str,
    /// Whether programs that start later get it.
    pub is_exported: bool,
}

/// Reads a line, and calls `look` with the commands that a shell would start for it.
///
/// Nothing is executed, and nothing is looked up. The memory of the reader is used again for the next line, therefore
/// the commands live no longer than the call.
///
/// ```
/// use hookc_shell::{Context, with_commands};
///
/// let line = "cd api && git -C web push -f origin \"$B\":main | tee log";
/// let context = Context { cwd: Some("/home/me"), ..Context::default() };
/// with_commands(line, &context, |commands| {
///     let push = commands.iter().find(|command| command.name() == Some("git")).unwrap();
///     assert_eq!(push.sub().map(|sub| sub.text()), Some("push"));
///     assert!(push.has_flag("force"));
///     assert!(push.global_values("C").map(|value| value.text()).eq(["web"]));
///     assert_eq!(push.cwd().path(), Some("/home/me/api"));
///     let branch = push.operands().nth(1).unwrap();
///     assert_eq!((branch.text(), branch.is_known()), ("$B:main", false));
///     assert_eq!(branch.holes().next().unwrap().text, "$B");
///     assert!(push.pipes_to().any(|next| next.name() == Some("tee")));
/// })?;
/// # Ok::<(), hookc_shell::Problem>(())
/// ```
///
/// # Errors
/// If the text is not a valid line, or exceeds a limit.
pub fn with_commands<T>(
    line: &str,
    context: &Context<'_>,
    look: impl FnOnce(Commands<'_>) -> T,
) -> Result<T, Problem> {
    Walk::with_line(line, context.cwd, context.programs, false, |walk, read| {
        read.map(|()| look(Commands::new(walk)))
    })
}

/// Like [`with_commands`], for the line that was read last: it is not read a second time.
pub(crate) fn with_kept_commands<T>(
    line: &str,
    context: &Context<'_>,
    look: impl FnOnce(Commands<'_>) -> T,
) -> Result<T, Problem> {
    Walk::with_line(line, context.cwd, context.programs, true, |walk, read| {
        read.map(|()| look(Commands::new(walk)))
    })
}

impl<'w> Commands<'w> {
    /// The commands of a walk.
    pub(crate) const fn new(walk: &'w Walk) -> Self {
        Self { walk }
    }

    /// How many there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.walk.commands.len()
    }

    /// Whether the line starts nothing, and redirects nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.walk.commands.is_empty()
    }

    /// The command of a number.
    #[must_use]
    pub fn get(self, number: usize) -> Option<Command<'w>> {
        Some(Command { walk: self.walk, seen: self.walk.commands.get(number)?, number })
    }

    /// All commands. Those in a substitution come before the command that the substitution is a part of, and those
    /// that a command starts after it.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Command<'w>> + Clone + use<'w> {
        let walk = self.walk;
        walk.commands.iter().enumerate().map(move |(number, seen)| Command { walk, seen, number })
    }

    /// How many commands and redirections a view has, at most.
    pub(crate) fn rows(self) -> usize {
        let (commands, targets) = (self.walk.commands.len(), self.walk.targets.len());
        // Each command can have those around it of its input, its output and its errors.
        commands + targets + if targets == 0 { 0 } else { 3 * commands }
    }

    /// Bytes of all texts.
    pub(crate) fn text_bytes(self) -> usize {
        let directories = self.walk.dirs.iter().map(String::len);
        let starters = self.walk.vias.iter().map(|via| via.text.len());
        self.walk.arena.size() + directories.chain(starters).sum::<usize>()
    }

    /// The kinds of parts that are unknown.
    pub fn opaque(self) -> impl Iterator<Item = Opaque> + Clone + use<'w> {
        self.walk.opaque.iter()
    }

    /// Whether an unknown word in front of a command that another one starts can be several words, so that another
    /// word names the program: `sudo $X rm y`.
    #[must_use]
    pub const fn is_loose(self) -> bool {
        self.walk.loose
    }

    /// Variables whose value is not known, each with a word that is in it: `X` with the word `$Y` of `read X <<< "$Y"`.
    /// No name stands for the positional parameters.
    pub fn flows(self) -> impl Iterator<Item = (Option<&'w str>, Word<'w>)> {
        let arena = &self.walk.arena;
        let names = if self.walk.flows.is_empty() { Default::default() } else { arena.symbol_names() };
        self.walk.flows.iter().map(move |flow| {
            let name = flow.name.and_then(|name| names.get(&name).copied());
            (name, Word::new(arena, flow.word))
        })
    }

    /// The variables that the line exports, for [`Exports::for_command`].
    #[must_use]
    pub fn exports(self) -> Exports<'w> {
        let Walk { arena, exports, .. } = self.walk;
        let names = if exports.is_empty() { Default::default() } else { arena.symbol_names() };
        let name = |symbol| names.get(symbol).copied().unwrap_or_default();
        let values =
            exports.iter().map(|(symbol, value)| (name(symbol), value.map(|value| Word::new(arena, value))));
        Exports { list: values.collect() }
    }

    /// The variables that the line sets or unsets, each once, in any of its branches, functions and subshells.
    /// Assignments in front of a command are in [`Command::env`].
    #[must_use]
    pub fn variables(self) -> Vec<Variable<'w>> {
        let mut sets = self.walk.sets.clone();
        sets.sort_unstable();
        let mut variables: Vec<Variable<'w>> = Vec::new();
        let mut names = self.walk.arena.symbol_names();
        let mut last = None;
        for (symbol, is_exported) in sets {
            if last == Some(symbol) {
                if let Some(variable) = variables.last_mut() {
                    variable.is_exported |= is_exported;
                }
                continue;
            }
            last = Some(symbol);
            variables.extend(names.remove(&symbol).map(|name| Variable { name, is_exported }));
        }
        variables.sort_unstable_by_key(|variable| variable.name);
        variables
    }
}

/// Variables that a line exports, each with its value, if that is known.
#[derive(Debug)]
pub struct Exports<'w> {
    pub(crate) list: Vec<(&'w str, Option<Word<'w>>)>,
}

impl<'w> Exports<'w> {
    /// The variables that earlier commands of the line export and that a command gets: `X` for `make` of `export X=1; make`.
    #[must_use]
    pub fn for_command(&self, command: Command<'w>) -> &[(&'w str, Option<Word<'w>>)] {
        within(&self.list, command.export_range())
    }
}

impl fmt::Debug for Commands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
