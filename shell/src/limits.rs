//! Every limit of the reader, each with its reason.

/// Bytes of a command line: longer ones are programs, which cannot be judged by their commands.
pub const SHELL_BYTES: usize = 64 << 10;
/// Nesting of a command line's brackets, substitutions and compound commands: bounds
/// the reader's stack.
pub const SHELL_DEPTH: usize = 32;
/// Simple commands of a command line: bounds the commands that conditions visit.
pub const SHELL_COMMANDS: usize = 1_024;
/// Words from the brace expansion of one word; more become one unknown word.
pub const SHELL_WORDS: usize = 64;
/// Steps of following a command line: a step is a command, a word, or sixteen bytes of text that
/// expansions make. Loops and functions within one another need many.
pub const SHELL_STEPS: usize = 1 << 17;
/// Variables of a command line whose values are followed: bounds the work where branches meet.
pub const SHELL_VARIABLES: usize = 256;
/// Bytes of the view of a command line: loops, functions and text that becomes code can make it
/// larger than the line. Its values, of at least three bytes each, are few enough for the queries of a policy.
pub const SHELL_VIEW_BYTES: usize = 1 << 20;
/// Programs of one list of arguments that start each other (`env timeout 5 sh ...`): each is checked with all arguments
/// after it. Texts from elsewhere that are deeper are unknown.
pub const PROGRAM_NESTING: usize = 32;
/// Effects of an event: bounds the work of predicates.
pub const EFFECTS: usize = 4_096;
/// Bytes of the texts of an event's commands and effects: paths have the text of their directory each.
pub const EFFECT_BYTES: usize = 4 << 20;
/// Programs that policies declare as wrappers: each name of a command is compared with them.
pub const SHELL_WRAPPERS: usize = 256;
/// Programs that policies describe: each has a table in the module.
pub const SHELL_PROGRAMS: usize = 256;
/// Regexes of the programs that policies describe, together: each that a line needs is compiled.
pub const SHELL_REGEXES: usize = 64;
/// Options with values of a declared wrapper: each of its options is compared with them.
pub const SHELL_WRAPPER_OPTIONS: usize = 64;
/// Operands of a declared wrapper before its command: no known program has more than a few.
pub const SHELL_WRAPPER_OPERANDS: usize = 8;
