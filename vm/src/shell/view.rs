//! The view of a command line: canonical JSON.

use hookc_base::json::{key_order, push_string};

use super::arena::{Special, Token, Words, long};
use super::eval::paths;
use super::eval::{Flag, FlagName, OPAQUE, Place, Range, Seen, Target, Walk};
use super::{Cause, Problem};
use crate::limits;

/// The members of the view.
pub const MEMBERS: [&str; 4] = ["commands", "ok", "opaque", "reason"];

/// The members of a command.
pub const COMMAND_MEMBERS: [&str; 15] = [
    "args",
    "cwd",
    "env",
    "flags",
    "globs",
    "known",
    "name",
    "operands",
    "path",
    "pipes_to",
    "redirects",
    "rest",
    "runs",
    "sub",
    "via",
];

/// The members of a redirection.
pub const REDIRECT_MEMBERS: [&str; 6] = ["inside", "known", "op", "path", "target", "write"];

/// The view of a command line as canonical JSON of at most
/// [`SHELL_VIEW_BYTES`](limits::SHELL_VIEW_BYTES): what a shell would run. `cwd` is the working
/// directory of the event, `wrappers` are programs that run the command in their arguments, in
/// addition to those of the tables.
///
/// For a line that cannot be read, `ok` is false, `reason` is the word of its [`Cause`], and there
/// are no commands.
#[must_use]
pub fn view(text: &str, cwd: Option<&str>, wrappers: &[&str]) -> String {
    let mut out = String::new();
    write_view(text, cwd, wrappers, &mut out);
    out
}

/// Appends the [`view()`] of a command line.
pub fn write_view(text: &str, cwd: Option<&str>, wrappers: &[&str], out: &mut String) {
    let start = out.len();
    let mut walk = Walk::new(text, cwd, wrappers);
    if let Err(problem) = walk.line(text).and_then(|()| write(&walk, text.len(), out)) {
        out.truncate(start);
        write_unread(problem.cause, out);
    }
}

/// The work for the view of a line, in steps and in elements and bytes of results. Unlike time, it
/// is the same each time.
#[doc(hidden)]
#[must_use]
pub fn work(text: &str) -> usize {
    let (mut walk, mut out) = (Walk::new(text, None, &[]), String::new());
    // What a limit ends was work too.
    let _ = walk.line(text).and_then(|()| write(&walk, text.len(), &mut out));
    walk.work() + out.len()
}

fn write(walk: &Walk<'_>, size: usize, out: &mut String) -> Result<(), Problem> {
    let most = out.len() + limits::SHELL_VIEW_BYTES;
    out.reserve(96 + walk.commands.len() * 240 + size * 3);
    out.push_str("{\"commands\":[");
    for (at, seen) in walk.commands.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        walk.command(seen, out);
        if out.len() > most {
            return Err(Problem { cause: Cause::TooLarge, at: 0 });
        }
    }
    out.push_str("],\"ok\":true,\"opaque\":[");
    let mut first = true;
    for (name, _) in OPAQUE.iter().zip(walk.opaque).filter(|(_, is)| *is) {
        item(name, &mut first, out);
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
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(tool));
    if is(&["powershell", "pwsh"]) {
        return Some(Cause::PowerShell);
    }
    is(&["cmd", "cmd.exe", "batch"]).then_some(Cause::Cmd)
}

/// A string, most of which need no escapes.
fn string(text: &str, out: &mut String) {
    if !text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        quoted(text, out);
    } else {
        push_string(text, out);
    }
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

fn boolean(is: Option<bool>) -> &'static str {
    match is {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

/// Files that hold nothing.
fn is_sink(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty") || path.starts_with("/dev/fd/")
}

impl Walk<'_> {
    fn event_dir(&self) -> &str {
        self.dirs.first().map_or("", String::as_str)
    }

    /// The program of a command, if it is known.
    pub(super) fn program(&self, seen: &Seen) -> Option<&str> {
        let first = self.arena.word(seen.words, 0)?;
        let text = self.arena.text(first);
        let hidden =
            text != "[" && self.arena.has(first, |kind| matches!(kind, Special::Unknown | Special::Glob));
        (!hidden).then_some(text)
    }

    fn command(&self, seen: &Seen, out: &mut String) {
        let program = self.program(seen);
        out.push_str("{\"args\":[");
        self.tokens(self.arena.words(seen.words.skip(1)), out);
        out.push_str("],\"cwd\":");
        match seen.place.dir.and_then(|dir| self.dirs.get(long(dir))) {
            Some(dir) if dir.starts_with(['/', '~']) => string(dir, out),
            _ => out.push_str("null"),
        }
        if seen.env.is_empty() {
            out.push_str(",\"env\":{},\"flags\":{");
        } else {
            out.push_str(",\"env\":{");
            self.env(seen, out);
            out.push_str("},\"flags\":{");
        }
        self.flags(seen.flags, out);
        out.push_str("},\"globs\":[");
        self.globs(seen.words, out);
        out.push_str(if self.is_known(seen) {
            "],\"known\":true,\"name\":"
        } else {
            "],\"known\":false,\"name\":"
        });
        let slash = program.and_then(|program| program.bytes().rposition(|byte| byte == b'/'));
        match program.and_then(|program| program.get(slash.map_or(0, |at| at + 1)..)) {
            Some(name) => string(name, out),
            None => out.push_str("null"),
        }
        out.push_str(",\"operands\":[");
        let operands = self.operands_of(seen);
        self.tokens(operands, out);
        match program.filter(|_| slash.is_some()) {
            Some(program) => {
                out.push_str("],\"path\":");
                string(program, out);
                out.push_str(",\"pipes_to\":[");
            }
            None => out.push_str("],\"path\":null,\"pipes_to\":["),
        }
        if seen.pipe > 0 {
            self.names(self.pipelines(seen.pipe), out);
        }
        if seen.redirects.is_empty() {
            out.push_str("],\"redirects\":[],\"rest\":[");
        } else {
            out.push_str("],\"redirects\":[");
            self.redirects(seen, out);
            out.push_str("],\"rest\":[");
        }
        self.tokens(operands.get(1..).unwrap_or_default(), out);
        out.push_str("],\"runs\":[");
        if !seen.runs.is_empty() {
            self.names(seen.runs.iter().copied(), out);
        }
        match seen.sub {
            Some(sub) => {
                out.push_str("],\"sub\":");
                self.token(sub, out);
                out.push_str(",\"via\":[");
            }
            None => out.push_str("],\"sub\":null,\"via\":["),
        }
        if seen.via > 0 {
            self.via(seen.via, out);
        }
        out.push_str("]}");
    }

    fn is_known(&self, seen: &Seen) -> bool {
        let words = self.arena.words(seen.words).iter();
        let env = seen.env.iter().map(|(_, value)| value);
        let targets = seen.redirects.iter().map(|target| &target.word);
        !seen.more && words.chain(env).chain(targets).all(|word| self.arena.is_known(*word))
    }

    pub(super) fn operands_of(&self, seen: &Seen) -> &[Token] {
        let (from, to) = seen.operands;
        self.operands.get(long(from)..long(to)).unwrap_or_default()
    }

    fn tokens(&self, words: &[Token], out: &mut String) {
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            self.token(*word, out);
        }
    }

    fn token(&self, word: Token, out: &mut String) {
        let text = self.arena.text(word);
        if word.plain { quoted(text, out) } else { string(text, out) }
    }

    fn globs(&self, words: Words, out: &mut String) {
        let mut first = true;
        let is = |kind| kind == Special::Glob;
        for word in self.arena.words(words).iter().filter(|word| self.arena.has(**word, is)) {
            item(self.arena.text(*word), &mut first, out);
        }
    }

    fn env(&self, seen: &Seen, out: &mut String) {
        let mut all: Vec<(&str, &str)> =
            seen.env.iter().map(|(name, value)| (self.arena.text(*name), self.arena.text(*value))).collect();
        all.sort_by(|a, b| key_order(a.0, b.0));
        for (at, (name, value)) in all.iter().enumerate() {
            // The last value of a name wins.
            if all.get(at + 1).is_some_and(|next| next.0 == *name) {
                continue;
            }
            out.push_str(if out.ends_with('{') { "" } else { "," });
            string(name, out);
            out.push(':');
            string(value, out);
        }
    }

    /// Flags, which are sorted; the last value of a name wins.
    fn flags(&self, (from, to): Range, out: &mut String) {
        let own = self.flags.get(long(from)..long(to)).unwrap_or_default();
        let name = |flag: &Flag| match flag.name {
            FlagName::Text(token) => self.arena.text(token),
            FlagName::Static(text) => text,
        };
        for (at, flag) in own.iter().enumerate() {
            let text = name(flag);
            if own.get(at + 1).is_some_and(|next| name(next) == text) {
                continue;
            }
            out.push_str(if out.ends_with('{') { "" } else { "," });
            string(text, out);
            match flag.value {
                Some(value) => {
                    out.push(':');
                    self.token(value, out);
                }
                None => out.push_str(":true"),
            }
        }
    }

    /// The commands behind a stage of a pipeline, and behind the pipelines around it.
    fn pipelines(&self, pipe: u32) -> impl Iterator<Item = Range> {
        let mut next = pipe;
        std::iter::from_fn(move || {
            let (from, to, outer) = self.pipes.get(long(next)).copied().filter(|_| next > 0)?;
            next = outer;
            Some((from, to))
        })
    }

    /// The names of commands, each once.
    fn names(&self, ranges: impl Iterator<Item = Range>, out: &mut String) {
        let mut few: [&str; 8] = [""; 8];
        let (mut count, mut many, mut first) = (0, std::collections::HashSet::new(), true);
        for (from, to) in ranges {
            let commands = self.commands.get(long(from)..long(to).min(self.commands.len()));
            for command in commands.unwrap_or_default() {
                let Some(name) = self.program(command) else { continue };
                let name = name.rsplit('/').next().unwrap_or_default();
                if few.iter().take(count).any(|own| *own == name) || many.contains(name) {
                    continue;
                }
                match few.get_mut(count) {
                    Some(own) => (*own, count) = (name, count + 1),
                    None => drop(many.insert(name)),
                }
                item(name, &mut first, out);
            }
        }
    }

    fn via(&self, via: u32, out: &mut String) {
        let mut all = Vec::new();
        let mut next = via;
        while let Some((outer, text)) = self.vias.get(long(next)).filter(|_| next > 0) {
            all.push(text.as_str());
            next = *outer;
        }
        let mut first = true;
        all.iter().rev().for_each(|text| item(text, &mut first, out));
    }

    fn redirects(&self, seen: &Seen, out: &mut String) {
        for (at, target) in seen.redirects.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            self.redirect(target, seen.place, out);
        }
    }

    fn redirect(&self, target: &Target, place: Place, out: &mut String) {
        let text = self.arena.text(target.word);
        let known = self.arena.literal(target.word).is_some();
        let body = target.body.is_some() || target.op == "<<<";
        let number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let is_copy = matches!(target.op, ">&" | "<&") && number;
        let is_file = !body && !is_copy;
        let resolve = |dir: Option<u32>| {
            let base = match dir.and_then(|dir| self.dirs.get(long(dir))) {
                Some(base) => base.as_str(),
                None if text.starts_with(['/', '~']) => "",
                None => return None,
            };
            paths::resolve(base, text)
        };
        let path = if is_file && known { resolve(place.dir) } else { None };
        let event = self.event_dir();
        let mut inside = path.as_deref().and_then(|path| paths::is_inside(event, path));
        if let (Some(true), Some(other)) = (inside, place.other) {
            let other = resolve(other).and_then(|path| paths::is_inside(event, &path));
            inside = other.filter(|is| *is);
        }
        let write = is_file && target.op.contains('>') && !path.as_deref().is_some_and(is_sink);
        let open = !self.arena.is_known(target.word);
        let all_known = !open && target.body.is_none_or(|body| self.arena.is_known(body));
        out.push_str("{\"inside\":");
        out.push_str(boolean(inside));
        out.push_str(",\"known\":");
        out.push_str(boolean(Some(all_known)));
        out.push_str(",\"op\":");
        string(target.op, out);
        out.push_str(",\"path\":");
        match path.filter(|path| path.starts_with(['/', '~'])) {
            Some(path) => string(&path, out),
            None => out.push_str("null"),
        }
        out.push_str(",\"target\":");
        string(text, out);
        out.push_str(",\"write\":");
        out.push_str(boolean(Some(write)));
        out.push('}');
    }
}
