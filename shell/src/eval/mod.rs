//! Walks the tree of a line as a shell would run it, and records each command that it starts.
//!
//! Nothing is executed. Both branches of a conditional are walked; where they disagree about a
//! variable, its value is unknown. The work is bounded by [`limits::SHELL_STEPS`].

mod alias;
mod argument_list;
mod arguments;
mod arithmetic;
mod assignments;
mod builtin;
mod by_row;
mod code;
mod command;
mod compound;
mod declarations;
mod descriptors;
mod directories;
mod elsewhere;
mod environment;
mod escapes;
mod expand;
mod file_name;
mod flows;
mod frame;
mod inner_command;
mod interpreters;
mod memory;
mod options;
mod output;
mod parallel;
mod parameter;
mod pattern;
mod setup;
mod split;
mod state;
mod terminals;
mod wrappers;
mod writer;
mod written;

use std::rc::Rc;

use memchr::memmem;

use super::arena::Arena;
use super::opaque::{Opaque, OpaqueParts};
use super::programs::{Options, Program, Programs};
pub(super) use super::token::Range;
use super::token::{Mark, Special, Symbol, Token, Words, long, short};
use super::tree::{List, Node};
use super::{Cause, Problem, read};
use crate::limits;
pub(crate) use argument_list::Started;
pub use declarations::is_keyword;
use frame::Frame;
use memory::Spare;
use state::State;

pub(super) use state::Place;

/// What walking can end with.
pub(super) type Done<T> = Result<T, Cause>;

/// A program that the line starts.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The program and its arguments; empty for redirections without a program.
    pub(super) words: Words,
    /// Its assignments: a range of [`Walk::settings`].
    pub(super) env: Range,
    /// The variables that the line has exported before: a range of [`Walk::exports`].
    pub(super) exports: Range,
    /// The program that starts it: a number of [`Walk::vias`].
    pub(super) via: u32,
    /// Its pipeline: a number of [`Walk::pipes`].
    pub(super) pipe: u32,
    /// The commands whose output it reads as code.
    pub(super) runs: Vec<Range>,
    /// Its redirections: a range of [`Walk::targets`].
    pub(super) redirects: Range,
    pub(super) place: Place,
    /// More arguments follow that are unknown.
    pub(super) more: bool,
    /// No word of the line names it: the shell that `su -c` starts.
    pub(super) implicit: bool,
    /// The descriptors where it starts: numbers of [`Walk::descriptors`].
    scope: u32,
    exec: u32,
    /// What it writes, until that is remembered.
    writer: Option<&'static Program>,
    /// Its program, if there is a row of it.
    pub(super) program: Option<&'static Program>,
    /// The row of its subcommand.
    pub(super) verb: Option<&'static Options<'static>>,
    /// Which of its words is the group in front of its subcommand; 0 without a group.
    pub(super) group_at: u32,
    pub(super) sub: Option<Token>,
    /// Which of its words is in the place of a subcommand; 0 if none is.
    pub(super) sub_at: u32,
    /// A substitution takes its output.
    pub(super) captured: bool,
    /// The shell prints it before it runs it.
    pub(super) is_traced: bool,
    /// Its flags: a range of [`Walk::flags`].
    pub(super) flags: Range,
    /// Its operands: a range of [`Walk::operands`].
    pub(super) operands: Range,
    /// What runs it succeeds only if it does.
    pub(super) is_required: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) op: &'static str,
    pub(super) fd: u32,
    /// The word after the operator; for a here-document, its delimiter.
    pub(super) word: Token,
    /// The text of a here-document.
    pub(super) body: Option<Token>,
    /// Where the word is a path from.
    pub(super) place: Place,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    pub(super) name: FlagName,
    pub(super) value: Option<Token>,
    /// The word that it is in.
    pub(super) at: u32,
    /// Another name of the flag before it.
    pub(super) is_alias: bool,
}

/// A program that starts others.
#[derive(Debug, Default)]
pub(super) struct Via {
    /// The one that starts it: a number of [`Walk::vias`].
    pub(super) outer: u32,
    pub(super) text: String,
    /// The number of its command, if it has one.
    pub(super) by: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum FlagName {
    Text(Token),
    Static(&'static str),
}

impl FlagName {
    pub(super) fn text(self, arena: &Arena) -> &str {
        match self {
            Self::Text(token) => arena.text(token),
            Self::Static(text) => text,
        }
    }
}

/// What a command reads.
#[derive(Clone, Copy, Debug, Default)]
struct Input {
    /// The commands that write it.
    from: Range,
    /// The number of the input around it, if it can be that too.
    outer: u32,
    /// All of its text.
    text: Option<Token>,
    /// The file that it is.
    file: Option<written::Named>,
}

/// How a list, pipeline or command ended.
enum Flow {
    /// Either way, with the current state.
    Same,
    /// It succeeded.
    Ok,
    /// The current state is that after success; this is that after failure.
    Split(State),
}

/// The code of a trap.
struct Trap {
    code: Token,
    /// What starts the commands around it.
    via: u32,
    /// What names meant at its definition.
    names: State,
    /// It runs only at the end of the shell.
    is_last: bool,
}

/// What a stage of a pipeline writes to: the commands of the stages after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pipe {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The pipeline around it: a number of [`Walk::pipes`], or 0.
    pub(super) outer: u32,
}

/// The walk over a line, whose memory the next line uses again.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) arena: Arena,
    pub(super) commands: Vec<Seen>,
    /// The programs that start others.
    pub(super) vias: Vec<Via>,
    pub(super) pipes: Vec<Pipe>,
    pub(super) flags: Vec<Flag>,
    /// The operands of commands, and which word each of them is.
    pub(super) operands: Vec<(u32, Token)>,
    /// The assignments in front of commands.
    pub(super) settings: Vec<(Token, Token)>,
    /// Variables that the line exports, with their values, if those are known.
    pub(super) exports: Vec<(Symbol, Option<Token>)>,
    pub(super) targets: Vec<Target>,
    pub(super) origins: Vec<Range>,
    pub(super) dirs: Vec<String>,
    /// Variables that the line sets, and whether their programs get them.
    pub(super) sets: Vec<(Symbol, bool)>,
    /// Words in values that the walk does not know.
    pub(super) flows: Vec<flows::Flow>,
    /// The builtins that read a file of a redirection around them, each with its number in [`Walk::targets`].
    pub(super) taken: Vec<(u32, u32)>,
    pub(super) opaque: OpaqueParts,
    /// An unknown word before the command that a program starts can be several words.
    pub(super) loose: bool,
    /// Those that policies describe, and the shipped ones.
    pub(super) programs: Programs,
    inputs: Vec<Input>,
    descriptors: Vec<descriptors::Descriptors>,
    others: Vec<descriptors::Other>,
    /// Commands in `>(...)` of the current command.
    sinks: Vec<Range>,
    state: State,
    /// States at `break`, `continue` and `return`.
    breaks: Vec<Vec<State>>,
    returns: Vec<Vec<State>>,
    /// Variables to restore at the end of a function.
    locals: Vec<Vec<state::Variable>>,
    /// Subscripts in the array that is read are texts.
    has_keys: bool,
    /// Every function, and whether it is called.
    functions: Vec<(Rc<Node>, bool)>,
    /// The functions that are running.
    active: Vec<u32>,
    steps: usize,
    depth: usize,
    unrolled: usize,
    frame: Frame,
    /// The pipeline of the current command: a number of [`Walk::pipes`]. `exec` can change it for the commands after it.
    pipe: u32,
    /// The output of the last command, if it was asked for and is known.
    output: Option<Token>,
    traps: Vec<Trap>,
    /// A trap sets the positional parameters at any time.
    unstable_args: bool,
    /// Files that the line has written.
    written: Vec<written::Written>,
    /// Files that run in code that can run again, or later than it is read.
    ran: Vec<(written::Named, bool)>,
    /// How many such codes are around the current command.
    repeats: u32,
    /// How many of them go on while the line does: jobs in the background, traps.
    lasting: u32,
    /// How many directories of unknown path there were.
    lost: u32,
    /// The line that was walked.
    text: String,
    /// All of it was walked.
    is_whole: bool,
    spare: Spare,
}

/// Whether a text has an array that says what a name starts.
fn names_table(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(at) = memmem::find(rest, b"BASH_") {
        rest = rest.get(at + 5..).unwrap_or_default();
        if rest.starts_with(b"ALIASES") || rest.starts_with(b"CMDS") {
            return true;
        }
    }
    false
}

/// Tables of zsh: what names start, and which functions run by themselves.
fn is_zsh_table(name: &str) -> bool {
    matches!(
        name.split('[').next(),
        Some(
            "aliases"
                | "chpwd_functions"
                | "commands"
                | "dis_aliases"
                | "dis_functions"
                | "dis_galiases"
                | "functions"
                | "galiases"
                | "periodic_functions"
                | "precmd_functions"
                | "preexec_functions"
                | "saliases"
                | "zshexit_functions"
        )
    )
}

/// Whether zsh calls a function of this name by itself.
fn is_zsh_hook(name: &str) -> bool {
    matches!(name, "chpwd" | "periodic" | "precmd" | "preexec" | "zshaddhistory" | "zshexit")
        || name.strip_prefix("TRAP").is_some_and(|signal| {
            !signal.is_empty()
                && signal.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        })
}

impl Walk {
    /// What was done so far, and what it resulted in.
    pub(super) fn work(&self) -> usize {
        self.steps + self.arena.work() + self.flags.len() + self.operands.len() + self.commands.len()
    }

    /// Walks a whole line.
    pub(super) fn line(&mut self, text: &str) -> Result<(), Problem> {
        let list = read::read(text, &mut self.arena)?;
        if names_table(text) {
            self.opaque(Opaque::Name);
        }
        (self.frame.is_required, self.frame.has_pipefail) = (true, self.sets_pipefail(&list, text, None));
        let done = self.list(&list).and_then(|()| {
            self.frame.is_required = false;
            self.trapped(0).and_then(|()| self.uncalled())
        });
        self.note_sets(&State::default());
        // What `set -x` writes is expanded, whatever has set it.
        if let Some(name) = self.arena.known_symbol("PS4") {
            let is_plain = match self.state.variable(name).value {
                None | Some(state::Value::Unset) => true,
                Some(state::Value::Text(text)) => {
                    self.arena.is_known(text) && environment::is_plain_prompt(self.arena.text(text))
                }
                Some(_) => false,
            };
            if !is_plain {
                self.opaque(Opaque::Code);
            }
        }
        done.map_err(|cause| Problem { cause, at: 0 })
    }

    /// What the traps from a number on run at the end of their shell, with the values of then. They were read with
    /// those of their definition already.
    fn trapped(&mut self, from: usize) -> Done<()> {
        if self.traps.len() <= from {
            return Ok(());
        }
        for Trap { code, via, names, is_last } in self.traps.split_off(from) {
            if self.state.has_names_of(&names) {
                continue;
            }
            let (outer, outer_frame) = (self.state.clone(), self.frame);
            (self.frame.via, self.frame.is_required) = (via, false);
            self.code(None, code, "trap", None)?;
            if !is_last {
                // It sets what it did not set at its definition: a function is newer.
                let is_guarded = |name: &Symbol| outer.variable(*name).guarded;
                if !self.state.reassigned(&outer).iter().all(is_guarded) {
                    self.opaque(Opaque::Code);
                }
                // Between then and now, they had other values.
                let had_value = |name: &Symbol| names.variable(*name).value.is_some();
                let changed: Vec<Symbol> = outer.reassigned(&names).into_iter().filter(had_value).collect();
                if !changed.is_empty() {
                    self.state = outer.clone();
                    changed.into_iter().for_each(|name| self.state.set(name, state::Value::Unknown));
                    self.code(None, code, "trap", None)?;
                }
            }
            self.note_sets(&outer);
            (self.state, self.frame) = (outer, outer_frame);
        }
        self.traps.truncate(from);
        Ok(())
    }

    /// Functions that nothing on the line calls can be called by what is not seen.
    fn uncalled(&mut self) -> Done<()> {
        let mut at = 0;
        while let Some((body, called)) = self.functions.get(at).cloned() {
            at += 1;
            if !called {
                self.in_subshell(|walk| {
                    walk.state.args = state::Args::Outside;
                    walk.locals.push(Vec::new());
                    walk.nested(|walk| walk.node(&body))?;
                    walk.locals.pop();
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    fn step(&mut self, count: usize) -> Done<()> {
        self.steps += count;
        let is_within = self.steps <= limits::SHELL_STEPS && self.arena.size() <= limits::SHELL_STEPS * 8;
        if is_within { Ok(()) } else { Err(Cause::TooMuchWork) }
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        if self.depth >= limits::SHELL_DEPTH * 2 {
            return Err(Cause::TooDeep);
        }
        self.depth += 1;
        let done = inner(self);
        self.depth -= 1;
        done
    }

    /// The positional parameters.
    fn args(&self) -> state::Args {
        if self.unstable_args { state::Args::Unknown } else { self.state.args }
    }

    fn here(&self) -> u32 {
        short(self.commands.len())
    }

    /// Runs `inner` as a shell of its own: with a copy of the state.
    fn in_subshell<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let (outer, pipe, traps) = (self.state.clone(), self.pipe, self.traps.len());
        let done = inner(self)?;
        self.trapped(traps)?;
        self.note_sets(&outer);
        (self.state, self.pipe) = (outer, pipe);
        Ok(done)
    }

    /// Notes the variables that were set since an outer state, which takes the place of the current one.
    fn note_sets(&mut self, outer: &State) {
        let names = self.state.set_since(outer);
        self.sets.extend(names.map(|variable| (variable.name, variable.exported)));
    }

    fn opaque(&mut self, kind: Opaque) {
        self.opaque.add(kind);
    }

    /// A text of the walk itself.
    pub(crate) fn text(&mut self, text: &str) -> Token {
        self.arena.push(text, &[], true)
    }

    /// A word of which only the text as written is known.
    fn unknown(&mut self, raw: &str) -> Token {
        self.arena.push(raw, &[Mark { at: 0, len: short(raw.len()), kind: Special::Unknown }], true)
    }

    /// Like `unknown`, but inert.
    fn inert(&mut self, raw: &str) -> Token {
        self.arena.push(raw, &[Mark { at: 0, len: short(raw.len()), kind: Special::Inert }], true)
    }

    /// The ranges of commands whose output is in a word.
    fn origins_of(&self, token: Token) -> Vec<Range> {
        if !token.is_marked() {
            return Vec::new();
        }
        let origin = |mark: &Mark| match mark.kind {
            Special::Origin(id) => self.origins.get(long(id)).copied(),
            _ => None,
        };
        self.arena.marks(token).iter().filter_map(origin).collect()
    }

    pub(super) fn list(&mut self, list: &List) -> Done<()> {
        let mut flow = Flow::Same;
        let mut rest = list.0.as_slice();
        let (is_required, optional) = (self.frame.is_required, list.optional());
        while let Some(first) = rest.first() {
            self.frame.is_required = is_required && list.0.len() - rest.len() >= optional;
            let after = rest.get(1..).unwrap_or_default();
            let more = after.iter().take_while(|stage| stage.joint == super::tree::Joint::Pipe).count();
            let pipeline = rest.get(..=more).unwrap_or_default();
            rest = rest.get(more + 1..).unwrap_or_default();
            flow = self.joined(flow, first.joint, pipeline)?;
        }
        self.frame.is_required = is_required;
        self.settle(flow);
        Ok(())
    }
}
