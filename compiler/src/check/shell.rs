//! Templates where something would read the event as code: a shell's line, the
//! name of a program, code in an argument of an interpreter, a variable that says
//! what a program loads.

use hookc_schema::tree::{Action, Path};
use hookc_schema::{Code, Diagnostic};

use super::Cx;
use super::template::Draft;

/// Interpreters, and the letters of their flags that code stands behind.
const INTERPRETERS: &[(&[&str], &str)] = &[
    (&["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "busybox"], "c"),
    (&["python", "pypy"], "c"),
    (&["node", "nodejs", "bun", "deno", "ruby", "perl", "lua", "luajit", "osascript"], "eEp"),
    (&["php"], "rRBE"),
];

/// Interpreters that read all that stands behind the flag as code.
const GREEDY: &[&str] = &["pwsh", "powershell", "cmd"];

/// Programs that start the program in their arguments.
const STARTERS: &[&str] = &[
    "env", "timeout", "nice", "ionice", "nohup", "sudo", "doas", "xargs", "time", "stdbuf", "busybox",
    "setsid", "uv", "npx", "ssh", "docker", "podman", "flock", "chroot", "strace", "command", "exec",
];

/// Long flags of theirs that code stands behind.
const LONG: &[&str] = &["--eval", "--print", "--command", "--init-command", "eval"];

/// Flags whose value stands behind them.
const VALUED: &[&str] =
    &["-o", "+o", "-O", "+O", "-W", "-X", "-r", "-I", "--require", "--import", "--rcfile", "--init-file"];

/// Variables that say what a program runs or loads.
const LOADING: &[&str] = &[
    "PATH",
    "BASH_ENV",
    "ENV",
    "IFS",
    "PS4",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "NODE_OPTIONS",
    "NODE_PATH",
    "RUBYOPT",
    "RUBYLIB",
    "CLASSPATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "EDITOR",
    "VISUAL",
    "PAGER",
];

/// How the names of more such variables begin.
const LOADING_PREFIXES: &[&str] = &["LD_", "DYLD_", "PYTHON", "PERL", "BASH_FUNC_", "GIT_"];

/// Tells about a template of a `run` that would be read as code; `false` then.
pub(super) fn check(action: &Action, name: &str, draft: &Draft, cx: &mut Cx<'_>) -> bool {
    if action.kind.node != "run" {
        return true;
    }
    let found = match name {
        "command" if text(draft) => {
            whole(draft, "in a shell command", "the shell would read the event as code")
        }
        "shell" => whole(draft, "in the name of a shell", "the event would say which program runs"),
        "argv" => argv(draft),
        "args" => args(action, draft),
        "env" => env(draft),
        _ => None,
    };
    let Some((path, place, why)) = found else { return true };
    let what = format!("template `${{{}}}` {place}", path.text);
    let mut new = Diagnostic::new(Code::E0307, path.span, what).saying(why);
    if name == "command" {
        new = new.note("to mean `${` itself, as the shell does, write `$${`");
    }
    cx.tell(new.help(match name {
        "command" => "pass it in `argv` or `env`, or read the event from stdin",
        "shell" => "name the shell itself",
        "env" => "pass it in a variable of another name, or read the event from stdin",
        _ => "pass it as an argument behind the program and its code, or read the event from stdin",
    }));
    false
}

/// A template that is read as code: where, and why that is bad.
type Found<'d> = Option<(&'d Path, &'static str, &'static str)>;

fn text(draft: &Draft) -> bool {
    matches!(draft, Draft::Hole(..) | Draft::Text(_))
}

fn whole<'d>(draft: &'d Draft, place: &'static str, why: &'static str) -> Found<'d> {
    draft.first_path().map(|path| (path, place, why))
}

fn program(draft: &Draft) -> Found<'_> {
    whole(draft, "in the name of a program", "the event would say which program runs")
}

fn code(draft: &Draft) -> Found<'_> {
    whole(draft, "in the code of an interpreter", "the event would be read as code")
}

fn argv(draft: &Draft) -> Found<'_> {
    let Draft::Seq(items) = draft else { return program(draft) };
    let first = items.first()?;
    program(first).or_else(|| started(constant(first)?, items.get(1..)?))
}

/// Behind `command`, which is the program then.
fn args<'d>(action: &Action, draft: &'d Draft) -> Found<'d> {
    let command = action.params.iter().find(|(name, _)| name.node == "command")?;
    let command = command.1.as_str()?;
    match draft {
        Draft::Seq(items) => started(command, items),
        whole => Interpreter::of(command).and_then(|_| code(whole)),
    }
}

/// What an interpreter reads, or one that `env`, `timeout` and the like start.
fn started<'d>(program: &str, items: &'d [Draft]) -> Found<'d> {
    let starts = STARTERS.contains(&program.rsplit('/').next().unwrap_or(program));
    let inner = || starts.then(|| behind(items)).flatten();
    Interpreter::of(program).and_then(|one| one.reads(items)).or_else(inner)
}

/// An interpreter anywhere.
fn behind(items: &[Draft]) -> Found<'_> {
    let rests = (0..items.len()).filter_map(|at| items.get(at..)?.split_first());
    rests.filter_map(|(first, rest)| Interpreter::of(constant(first)?)?.reads(rest)).next()
}

fn constant(draft: &Draft) -> Option<&str> {
    match draft {
        Draft::Const(value) => value.as_str(),
        _ => None,
    }
}

struct Interpreter {
    letters: &'static str,
    greedy: bool,
}

impl Interpreter {
    fn of(program: &str) -> Option<Self> {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_ascii_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name);
        if GREEDY.contains(&name) {
            return Some(Self { letters: "", greedy: true });
        }
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (_, letters) = INTERPRETERS.iter().find(|(names, _)| names.contains(&name))?;
        Some(Self { letters, greedy: false })
    }

    /// The first template that it reads as code or as a flag. Behind its script,
    /// or its code, stand arguments that are data.
    fn reads<'d>(&self, items: &'d [Draft]) -> Found<'d> {
        if self.greedy {
            return items.iter().find_map(code);
        }
        let (mut coded, mut valued) = (false, false);
        for item in items {
            match constant(item) {
                Some(_) if std::mem::take(&mut valued) => {}
                Some(flag) if flag.starts_with(['-', '+']) || LONG.contains(&flag) => {
                    valued = VALUED.contains(&flag);
                    coded |= self.is_code(flag);
                }
                Some(_) => return None,
                // A flag that is filled in can be the one that code stands behind.
                None if coded || loose(item) => return code(item),
                None => return None,
            }
        }
        None
    }

    fn is_code(&self, flag: &str) -> bool {
        let short = flag.strip_prefix('-').filter(|flag| !flag.starts_with('-'));
        LONG.contains(&flag) || short.is_some_and(|flag| flag.contains(|c| self.letters.contains(c)))
    }
}

/// Whether a text begins as the event says, or as a flag.
fn loose(draft: &Draft) -> bool {
    match draft {
        Draft::Text(parts) => {
            parts.first().is_none_or(|first| constant(first).is_none_or(|text| text.starts_with('-')))
        }
        draft => draft.has_hole(),
    }
}

fn env(draft: &Draft) -> Found<'_> {
    let place = "in a variable that says what programs load";
    let why = "the event would say what is loaded and run";
    let Draft::Map(members) = draft else { return whole(draft, "in place of all variables", why) };
    let loading = |name: &str| {
        LOADING.contains(&name) || LOADING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    members
        .iter()
        .filter(|(name, _)| loading(&name.node))
        .find_map(|(_, value)| self::whole(value, place, why))
}
