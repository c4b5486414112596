//! The view of a command line: canonical JSON.

use std::collections::HashSet;

use hookc_base::json::{key_order, push_string};

use super::eval::Walk;
use super::members::Member;
use super::programs::Programs;
use super::token::{is_json, long};
use super::{
    Cause, Command, Commands, Context, Flag, Members, Problem, Redirect, Setting, Word, with_commands,
};
use crate::limits;

/// The members of the view.
pub const MEMBERS: [&str; 4] = ["commands", "ok", "opaque", "reason"];

/// The members of a redirection.
pub const REDIRECT_MEMBERS: [&str; 6] = ["inside", "known", "op", "path", "target", "write"];

/// The view of a command line as canonical JSON of at most
/// [`SHELL_VIEW_BYTES`](limits::SHELL_VIEW_BYTES): what a shell would run. `cwd` is the working
/// directory of the event, `programs` are those that policies describe, in
/// addition to those of the tables.
///
/// For a line that cannot be read, `ok` is false, `reason` is the word of its [`Cause`], and there
/// are no commands.
#[must_use]
pub fn view(text: &str, cwd: Option<&str>, programs: &Programs) -> String {
    let mut out = String::new();
    write_view(text, cwd, programs, Members::all(), &mut out);
    out
}

/// Appends the [`view()`] of a command line, whose commands have only these members.
pub fn write_view(text: &str, cwd: Option<&str>, programs: &Programs, members: &Members, out: &mut String) {
    let start = out.len();
    let context = Context { cwd, programs };
    let written = with_commands(text, &context, |commands| {
        if !members.is_all() && may_exceed(commands) {
            // Whether a view is too large depends on all of it, whoever reads it.
            write(commands, text.len(), Members::all(), out)?;
            out.truncate(start);
        }
        write(commands, text.len(), members, out)
    });
    if let Err(problem) = written.flatten() {
        out.truncate(start);
        write_unread(problem.cause, out);
    }
}

/// The work for the view of a line, in steps and in elements and bytes of results. Unlike time, it
/// is the same each time.
#[doc(hidden)]
#[must_use]
pub fn work(text: &str) -> usize {
    let mut out = String::new();
    let walked = Walk::with_line(text, None, &Programs::SHIPPED, false, |walk, read| {
        // What a limit ends was work too.
        let _ = read.and_then(|()| write(Commands::new(walk), text.len(), Members::all(), &mut out));
        walk.work()
    });
    walked + out.len()
}

fn write(commands: Commands<'_>, size: usize, members: &Members, out: &mut String) -> Result<(), Problem> {
    let most = out.len() + limits::SHELL_VIEW_BYTES;
    out.reserve(96 + commands.len() * 240 + size * 3);
    out.push_str("{\"commands\":[");
    let mut writer = Writer { out, members, path: String::new() };
    for command in commands.iter() {
        if command.number() > 0 {
            writer.out.push(',');
        }
        writer.command(command);
        if writer.out.len() > most {
            return Err(Problem { cause: Cause::TooLarge, at: 0 });
        }
    }
    out.push_str("],\"ok\":true,\"opaque\":[");
    let mut first = true;
    for kind in commands.opaque() {
        item(kind.as_str(), &mut first, out);
    }
    out.push_str("]}");
    Ok(())
}

/// Appends the view of a line that cannot be read.
pub fn write_unread(cause: Cause, out: &mut String) {
    out.push_str("{\"commands\":[],\"ok\":false,\"opaque\":[],\"reason\":\"");
    out.push_str(cause.as_str());
    out.push_str("\"}");
}

/// Appends a word in quotes, so that a shell reads it as it is; a space separates it from the text
/// before it.
pub fn write_word(word: &str, line: &mut String) {
    line.push_str(if line.is_empty() { "'" } else { " '" });
    line.push_str(&word.replace('\'', "'\\''"));
    line.push('\'');
}

/// Why the commands of a tool cannot be read: it has a shell of another language.
#[must_use]
pub fn foreign(tool: &str) -> Option<Cause> {
    let is_tool = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(tool));
    if is_tool(&["powershell", "pwsh"]) {
        return Some(Cause::PowerShell);
    }
    is_tool(&["cmd", "cmd.exe", "batch"]).then_some(Cause::Cmd)
}

/// A string, most of which need no escapes.
fn string(text: &str, out: &mut String) {
    if is_json(text) { quoted(text, out) } else { push_string(text, out) }
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(text);
    out.push('"');
}

fn item(text: &str, first: &mut bool, out: &mut String) {
    if !std::mem::replace(first, false) {
        out.push(',');
    }
    string(text, out);
}

fn boolean(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

/// Whether the view with all members may be larger than
/// [`SHELL_VIEW_BYTES`](limits::SHELL_VIEW_BYTES): an upper bound, which costs less than the view.
fn may_exceed(commands: Commands<'_>) -> bool {
    /// Bytes of a command or a redirection, at most, per byte of the texts: each text is in fewer
    /// members, and escapes take six bytes.
    const SPREAD: usize = 192;
    let rough = commands.rows().saturating_mul(commands.text_bytes() + 16).saturating_mul(SPREAD);
    if rough < limits::SHELL_VIEW_BYTES {
        return false;
    }
    let name = commands.iter().filter_map(Command::program).map(Word::json_bytes).max().unwrap_or(0);
    let mut total = 128_usize;
    commands.iter().any(|command| {
        total = total.saturating_add(most(command, name));
        total > limits::SHELL_VIEW_BYTES
    })
}

/// Bytes of the members of a command, at most, if no name of a program has more than `name` bytes.
fn most(command: Command<'_>, name: usize) -> usize {
    /// Keys, brackets and values without texts of their own.
    const COMMAND: usize = 256;
    const REDIRECT: usize = 128;
    /// How often a word is in the view: in `args`, `globs`, `operands`, `rest`, and as `name`, `path`
    /// and `sub`.
    const WORD: usize = 7;
    let dir = |dir: Option<&str>| dir.map_or(0, |dir| 6 * dir.len());
    let words: usize = command.words().map(Word::json_bytes).sum();
    let operands: usize = command.operands().map(Word::json_bytes).sum();
    let settings = command.env().map(|setting| setting.name.json_bytes() + setting.value.json_bytes());
    let flags =
        command.every_flag().map(|flag| 3 + 6 * flag.name().len() + flag.value().map_or(4, Word::json_bytes));
    let redirects = command.redirects().chain(command.inherited_redirects()).map(|redirect| {
        let places: usize = redirect.directories().map(dir).sum();
        REDIRECT + 2 * 6 * (redirect.word().json_bytes() + places)
    });
    let names: usize = command
        .pipe_ranges()
        .chain(command.run_ranges())
        .map(|(from, to)| long(to.saturating_sub(from)))
        .sum();
    let via: usize = command.via().map(|text| 3 + 6 * text.len()).sum();
    COMMAND
        + WORD * words
        + 2 * operands
        + dir(command.cwd().paths().next().flatten())
        + settings.sum::<usize>()
        // `repeated` has them too.
        + 2 * flags.sum::<usize>()
        + redirects.sum::<usize>()
        + names * name
        + via
        + command.sub().map_or(0, Word::json_bytes)
}

/// A view that is being written.
struct Writer<'w> {
    out: &'w mut String,
    members: &'w Members,
    /// The path of a redirection.
    path: String,
}

impl Writer<'_> {
    fn command(&mut self, command: Command<'_>) {
        self.out.push('{');
        let members = self.members;
        for (group, usual) in members.groups().filter(|(_, usual)| !usual.is_empty()) {
            if group.iter().all(|member| is_usual(*member, command)) {
                self.out.push_str(usual);
                continue;
            }
            for member in group.iter().filter(|member| members.has(**member)) {
                if is_usual(*member, command) {
                    self.out.push_str(member.usual());
                    continue;
                }
                self.out.push_str(member.key());
                self.member(*member, command);
                self.out.push(',');
            }
        }
        if self.out.ends_with(',') {
            self.out.pop();
        }
        self.out.push('}');
    }

    fn member(&mut self, member: Member, command: Command<'_>) {
        match member {
            Member::Args => self.words(command.words().skip(1)),
            Member::Cwd => self.optional(command.cwd().path()),
            Member::Env => self.env(command.env()),
            Member::Flags => self.flags(command.every_flag()),
            Member::Globs => self.words(command.words().filter(|word| word.is_pattern())),
            Member::Known => self.out.push_str(boolean(Some(is_known(command)))),
            Member::Name => self.optional(command.name()),
            Member::Operands => self.words(command.operands()),
            Member::Path => self.optional(command.path()),
            Member::PipesTo => self.names(command.pipes_to()),
            Member::Redirects => self.redirects(command.redirects().chain(command.inherited_redirects())),
            Member::Repeated => self.repeated(command.every_flag()),
            Member::Rest => self.words(command.operands().skip(1)),
            Member::Runs => self.names(command.runs()),
            Member::Sub => self.optional(command.sub().map(Word::text)),
            Member::Via => {
                let starters: Vec<&str> = command.via().collect();
                self.texts(starters.into_iter().rev());
            }
        }
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => string(text, self.out),
            None => self.out.push_str("null"),
        }
    }

    fn texts<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        let mut first = true;
        self.out.push('[');
        texts.for_each(|text| item(text, &mut first, self.out));
        self.out.push(']');
    }

    fn words<'w>(&mut self, words: impl Iterator<Item = Word<'w>>) {
        let mut open = "[";
        for word in words {
            self.out.push_str(open);
            word.write_json(self.out);
            open = ",";
        }
        self.out.push_str(if open == "[" { "[]" } else { "]" });
    }

    /// The value of a flag.
    fn value(&mut self, flag: Flag<'_>) {
        match flag.value() {
            Some(value) => value.write_json(self.out),
            None => self.out.push_str("true"),
        }
    }

    fn env<'w>(&mut self, settings: impl Iterator<Item = Setting<'w>>) {
        let mut settings: Vec<(&str, &str)> =
            settings.map(|setting| (setting.name.text(), setting.value.text())).collect();
        settings.sort_by(|a, b| key_order(a.0, b.0));
        let (mut settings, mut first) = (settings.into_iter().peekable(), true);
        self.out.push('{');
        while let Some((name, value)) = settings.next() {
            // The last value of a name wins.
            if settings.peek().is_some_and(|next| next.0 == name) {
                continue;
            }
            item(name, &mut first, self.out);
            self.out.push(':');
            string(value, self.out);
        }
        self.out.push('}');
    }

    /// Flags, which are sorted; the last value of a name wins.
    fn flags<'w>(&mut self, flags: impl Iterator<Item = Flag<'w>>) {
        let (mut flags, mut first) = (flags.peekable(), true);
        self.out.push('{');
        while let Some(flag) = flags.next() {
            if flags.peek().is_some_and(|next| next.name() == flag.name()) {
                continue;
            }
            item(flag.name(), &mut first, self.out);
            self.out.push(':');
            self.value(flag);
        }
        self.out.push('}');
    }

    /// The flags with different values, and all values of each in order.
    fn repeated<'w>(&mut self, flags: impl Iterator<Item = Flag<'w>>) {
        let flags: Vec<Flag<'w>> = flags.collect();
        let mut first = true;
        self.out.push('{');
        for values in flags.chunk_by(|one, other| one.name() == other.name()) {
            let Some(flag) = values.first().filter(|_| repeats(values.iter().copied())) else { continue };
            item(flag.name(), &mut first, self.out);
            for (at, flag) in values.iter().enumerate() {
                self.out.push_str(if at == 0 { ":[" } else { "," });
                self.value(*flag);
            }
            self.out.push(']');
        }
        self.out.push('}');
    }

    /// The names of commands, each once.
    fn names<'w>(&mut self, commands: impl Iterator<Item = Command<'w>>) {
        let mut few: [&str; 8] = [""; 8];
        let (mut count, mut many, mut first) = (0, None::<HashSet<&str>>, true);
        self.out.push('[');
        for name in commands.filter_map(Command::name) {
            let is_old = few.iter().take(count).any(|known| *known == name);
            if is_old || many.as_ref().is_some_and(|many| many.contains(name)) {
                continue;
            }
            match few.get_mut(count) {
                Some(known) => (*known, count) = (name, count + 1),
                None => drop(many.get_or_insert_default().insert(name)),
            }
            item(name, &mut first, self.out);
        }
        self.out.push(']');
    }

    fn redirects<'w>(&mut self, redirects: impl Iterator<Item = Redirect<'w>>) {
        let mut open = "[{\"inside\":";
        for redirect in redirects {
            self.out.push_str(std::mem::replace(&mut open, ",{\"inside\":"));
            self.redirect(redirect);
        }
        self.out.push_str(if open.starts_with('[') { "[]" } else { "]" });
    }

    fn redirect(&mut self, redirect: Redirect<'_>) {
        let is_known = redirect.word().is_known() && redirect.body().is_none_or(Word::is_known);
        self.path.clear();
        let path = redirect.certain_path(&mut self.path);
        self.out.push_str(boolean(redirect.is_inside()));
        self.out.push_str(",\"known\":");
        self.out.push_str(boolean(Some(is_known)));
        self.out.push_str(",\"op\":\"");
        self.out.push_str(redirect.operator());
        self.out.push_str("\",\"path\":");
        match path {
            Some(()) => string(&self.path, self.out),
            None => self.out.push_str("null"),
        }
        self.out.push_str(",\"target\":");
        redirect.word().write_json(self.out);
        self.out.push_str(",\"write\":");
        self.out.push_str(boolean(Some(redirect.writes())));
        self.out.push('}');
    }
}

/// Whether a member has its usual value.
#[inline]
fn is_usual(member: Member, command: Command<'_>) -> bool {
    match member {
        Member::Args => command.words().len() < 2,
        Member::Cwd => command.cwd().path().is_none(),
        Member::Env => command.env().len() == 0,
        Member::Flags => command.every_flag().len() == 0,
        Member::Globs => !command.words().any(Word::is_pattern),
        Member::Known => is_known(command),
        Member::Name => command.path().is_none(),
        Member::Operands => command.operands().len() == 0,
        Member::Path => command.path().map(str::len) == command.name().map(str::len),
        Member::PipesTo => command.pipe_ranges().next().is_none(),
        Member::Redirects => command.redirects().len() == 0 && command.inherited_redirects().next().is_none(),
        Member::Repeated => !repeats(command.every_flag()),
        Member::Rest => command.operands().len() < 2,
        Member::Runs => command.run_ranges().next().is_none(),
        Member::Sub => command.sub().is_none(),
        Member::Via => command.via().next().is_none(),
    }
}

/// Whether a shell passes exactly these words, to exactly these files.
fn is_known(command: Command<'_>) -> bool {
    !command.has_more()
        && command.words().all(Word::is_known)
        && command.env().all(|setting| setting.value.is_known())
        && command.redirects().all(|redirect| redirect.word().is_known())
}

/// Whether a flag has different values. Flags are sorted by name.
fn repeats<'w>(flags: impl Iterator<Item = Flag<'w>> + Clone) -> bool {
    let next = flags.clone().skip(1);
    let value = |flag: Flag<'w>| flag.value().map(Word::text);
    flags.zip(next).any(|(one, other)| one.name() == other.name() && value(one) != value(other))
}
