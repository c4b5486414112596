//! The view of a command line: canonical JSON.

use std::collections::HashSet;

use hookc_base::json::{key_order, push_string};

use super::arena::{Range, Special, Token, is_json, long, short, within};
use super::eval::paths;
use super::eval::{Flag, FlagName, OPAQUE, Place, Seen, Target, Walk};
use super::{Cause, Problem, Wrapper};
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
pub fn view(text: &str, cwd: Option<&str>, wrappers: &[Wrapper]) -> String {
    let mut out = String::new();
    write_view(text, cwd, wrappers, &mut out);
    out
}

/// Appends the [`view()`] of a command line.
pub fn write_view(text: &str, cwd: Option<&str>, wrappers: &[Wrapper], out: &mut String) {
    let start = out.len();
    let done = Walk::with(text.len(), cwd, wrappers, |walk| {
        walk.line(text).and_then(|()| write(walk, text.len(), out))
    });
    if let Err(problem) = done {
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
    let walked = Walk::with(text.len(), None, &[], |walk| {
        // What a limit ends was work too.
        let _ = walk.line(text).and_then(|()| write(walk, text.len(), &mut out));
        walk.work()
    });
    walked + out.len()
}

fn write(walk: &Walk, size: usize, out: &mut String) -> Result<(), Problem> {
    let most = out.len() + limits::SHELL_VIEW_BYTES;
    out.reserve(96 + walk.commands.len() * 240 + size * 3);
    out.push_str("{\"commands\":[");
    let mut writer = Writer { walk, out, cwd: None, path: String::new() };
    for (at, seen) in walk.commands.iter().enumerate() {
        writer.out.push_str(if at > 0 { ",{\"args\":[" } else { "{\"args\":[" });
        writer.command(seen);
        if writer.out.len() > most {
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

impl Walk {
    /// The program of a command, if it is known.
    pub(super) fn program(&self, seen: &Seen) -> Option<&str> {
        let first = self.arena.word(seen.words, 0)?;
        let text = self.arena.text(first);
        let hidden =
            text != "[" && self.arena.has(first, |kind| matches!(kind, Special::Unknown | Special::Glob));
        (!hidden).then_some(text)
    }

    /// The commands behind a stage of a pipeline, and behind the pipelines around it.
    fn pipelines(&self, pipe: u32) -> impl Iterator<Item = Range> + use<'_> {
        let mut next = pipe;
        std::iter::from_fn(move || {
            let (from, to, outer) = self.pipes.get(long(next)).copied().filter(|_| next > 0)?;
            next = outer;
            Some((from, to))
        })
    }
}

/// A view that is being written.
struct Writer<'w> {
    walk: &'w Walk,
    out: &'w mut String,
    /// The last directory that was written, and where.
    cwd: Option<(u32, usize, usize)>,
    /// The path of a redirection.
    path: String,
}

impl Writer<'_> {
    /// The members of a command, after the start of `args`.
    fn command(&mut self, seen: &Seen) {
        let arena = &self.walk.arena;
        let words = arena.words(seen.words);
        let operands = within(&self.walk.operands, seen.operands);
        let first = operands.first().map_or(0, |(at, _)| long(*at));
        // Most operands are the last words; those are written once.
        let is_tail = first + operands.len() == words.len();
        let args = words.get(1..).unwrap_or_default().iter();
        let mut own = self.tokens(args, if is_tail { first.saturating_sub(1) } else { 0 });
        self.cwd(seen);
        let settings = within(&self.walk.settings, seen.env);
        let flags = within(&self.walk.flags, seen.flags);
        let targets = within(&self.walk.targets, seen.redirects);
        let is_known = self.is_known(seen, words);
        if settings.is_empty() && flags.is_empty() && is_known && !words.iter().any(|word| word.is_marked()) {
            self.out.push_str(",\"env\":{},\"flags\":{},\"globs\":[],\"known\":true,\"name\":");
        } else {
            self.out.push_str(",\"env\":{");
            self.env(settings);
            self.out.push_str("},\"flags\":{");
            self.flags(flags);
            self.out.push_str("},\"globs\":[");
            self.globs(words);
            self.out.push_str(if is_known {
                "],\"known\":true,\"name\":"
            } else {
                "],\"known\":false,\"name\":"
            });
        }
        let program = self.walk.program(seen);
        let slash = program.and_then(|program| program.bytes().rposition(|byte| byte == b'/'));
        match program.and_then(|program| program.get(slash.map_or(0, |at| at + 1)..)) {
            Some(name) if words.first().is_some_and(|word| word.plain) => {
                self.out.push('"');
                self.out.push_str(name);
                self.out.push_str("\",\"operands\":[");
            }
            name => {
                match name {
                    Some(name) => string(name, self.out),
                    None => self.out.push_str("null"),
                }
                self.out.push_str(",\"operands\":[");
            }
        }
        if is_tail && !operands.is_empty() {
            self.out.extend_from_within(own.0..own.2);
        } else {
            own = self.tokens(operands.iter().map(|(_, word)| word), 0);
        }
        let path = program.filter(|_| slash.is_some());
        if path.is_none() && seen.pipe == 0 && targets.is_empty() {
            self.out.push_str("],\"path\":null,\"pipes_to\":[],\"redirects\":[],\"rest\":[");
        } else {
            self.out.push_str("],\"path\":");
            match path {
                Some(path) => string(path, self.out),
                None => self.out.push_str("null"),
            }
            self.out.push_str(",\"pipes_to\":[");
            let walk = self.walk;
            self.names(walk.pipelines(seen.pipe));
            self.out.push_str("],\"redirects\":[");
            self.redirects(targets, seen.place);
            self.out.push_str("],\"rest\":[");
        }
        if operands.len() > 1 {
            self.out.extend_from_within(own.1..own.2);
        }
        if seen.sub.is_none() && seen.via == 0 && seen.runs.is_empty() {
            return self.out.push_str("],\"runs\":[],\"sub\":null,\"via\":[]}");
        }
        self.out.push_str("],\"runs\":[");
        self.names(seen.runs.iter().copied());
        self.out.push_str("],\"sub\":");
        match seen.sub {
            Some(sub) => self.token(sub),
            None => self.out.push_str("null"),
        }
        self.out.push_str(",\"via\":[");
        self.via(seen.via);
        self.out.push_str("]}");
    }

    /// Words of a list. Returns the positions of the word with a number and of the one behind it,
    /// and the end.
    fn tokens<'t>(
        &mut self,
        words: impl Iterator<Item = &'t Token> + Clone,
        number: usize,
    ) -> (usize, usize, usize) {
        let (mut one, mut next) = (self.out.len(), self.out.len());
        let plain = words.clone().all(|word| word.plain);
        for (at, word) in words.enumerate() {
            match (plain, at) {
                (true, 0) => self.out.push('"'),
                (true, _) => self.out.push_str("\",\""),
                (false, 0) => {}
                (false, _) => self.out.push(','),
            }
            // Behind the comma.
            let here = self.out.len() - usize::from(plain);
            if at == number {
                one = here;
            } else if at == number + 1 {
                next = here;
            }
            if plain {
                self.out.push_str(self.walk.arena.text(*word));
            } else {
                self.token(*word);
            }
        }
        if plain && self.out.len() > one {
            self.out.push('"');
        }
        (one, next, self.out.len())
    }

    #[inline]
    fn token(&mut self, word: Token) {
        let text = self.walk.arena.text(word);
        if word.plain { quoted(text, self.out) } else { push_string(text, self.out) }
    }

    fn cwd(&mut self, seen: &Seen) {
        let Some(number) = seen.place.dir else { return self.out.push_str("],\"cwd\":null") };
        if let Some((_, from, to)) = self.cwd.filter(|(last, ..)| *last == number) {
            return self.out.extend_from_within(from..to);
        }
        let from = self.out.len();
        self.out.push_str("],\"cwd\":");
        match self.walk.dirs.get(long(number)) {
            Some(dir) if dir.starts_with(['/', '~']) => string(dir, self.out),
            _ => self.out.push_str("null"),
        }
        self.cwd = Some((number, from, self.out.len()));
    }

    fn is_known(&self, seen: &Seen, words: &[Token]) -> bool {
        let is_known = |word: &Token| self.walk.arena.is_known(*word);
        let env = within(&self.walk.settings, seen.env);
        let targets = within(&self.walk.targets, seen.redirects);
        !seen.more
            && words.iter().all(is_known)
            && env.iter().all(|(_, value)| is_known(value))
            && targets.iter().all(|target| is_known(&target.word))
    }

    fn globs(&mut self, words: &[Token]) {
        let (arena, mut first) = (&self.walk.arena, true);
        let is = |kind| kind == Special::Glob;
        for word in words.iter().filter(|word| arena.has(**word, is)) {
            item(arena.text(*word), &mut first, self.out);
        }
    }

    fn env(&mut self, settings: &[(Token, Token)]) {
        let text = |token: Token| self.walk.arena.text(token);
        let mut all: Vec<(&str, &str)> =
            settings.iter().map(|(name, value)| (text(*name), text(*value))).collect();
        all.sort_by(|a, b| key_order(a.0, b.0));
        let mut first = true;
        for (at, (name, value)) in all.iter().enumerate() {
            // The last value of a name wins.
            if all.get(at + 1).is_some_and(|next| next.0 == *name) {
                continue;
            }
            item(name, &mut first, self.out);
            self.out.push(':');
            string(value, self.out);
        }
    }

    /// Flags, which are sorted; the last value of a name wins.
    fn flags(&mut self, own: &[Flag]) {
        let name = |flag: &Flag| match flag.name {
            FlagName::Text(token) => self.walk.arena.text(token),
            FlagName::Static(text) => text,
        };
        let mut first = true;
        for (at, flag) in own.iter().enumerate() {
            let text = name(flag);
            if own.get(at + 1).is_some_and(|next| name(next) == text) {
                continue;
            }
            item(text, &mut first, self.out);
            match flag.value {
                Some(value) => {
                    self.out.push(':');
                    self.token(value);
                }
                None => self.out.push_str(":true"),
            }
        }
    }

    /// The names of commands, each once.
    fn names(&mut self, ranges: impl Iterator<Item = Range>) {
        let walk = self.walk;
        let mut few: [&str; 8] = [""; 8];
        let (mut count, mut many, mut first) = (0, None::<HashSet<&str>>, true);
        for (from, to) in ranges {
            for command in within(&walk.commands, (from, to.min(short(walk.commands.len())))) {
                let Some(name) = walk.program(command) else { continue };
                let slash = name.bytes().rposition(|byte| byte == b'/');
                let name = name.get(slash.map_or(0, |at| at + 1)..).unwrap_or_default();
                let is_old = few.iter().take(count).any(|own| *own == name);
                if is_old || many.as_ref().is_some_and(|many| many.contains(name)) {
                    continue;
                }
                match few.get_mut(count) {
                    Some(own) => (*own, count) = (name, count + 1),
                    None => drop(many.get_or_insert_default().insert(name)),
                }
                item(name, &mut first, self.out);
            }
        }
    }

    fn via(&mut self, via: u32) {
        let mut all = Vec::new();
        let mut next = via;
        while let Some((outer, text)) = self.walk.vias.get(long(next)).filter(|_| next > 0) {
            all.push(text.as_str());
            next = *outer;
        }
        let mut first = true;
        all.iter().rev().for_each(|text| item(text, &mut first, self.out));
    }

    fn redirects(&mut self, targets: &[Target], place: Place) {
        for (at, target) in targets.iter().enumerate() {
            self.out.push_str(if at > 0 { ",{\"inside\":" } else { "{\"inside\":" });
            self.redirect(target, place);
        }
    }

    /// Where a target is from a directory; `None` if that is unknown.
    fn resolve(&mut self, dir: Option<u32>, text: &str) -> Option<()> {
        let base = match dir.and_then(|dir| self.walk.dirs.get(long(dir))) {
            Some(base) => base.as_str(),
            None if text.starts_with(['/', '~']) => "",
            None => return None,
        };
        self.path.clear();
        paths::resolve(base, text, &mut self.path)
    }

    fn redirect(&mut self, target: &Target, place: Place) {
        let arena = &self.walk.arena;
        let text = arena.text(target.word);
        let known = arena.literal(target.word).is_some();
        let body = target.body.is_some() || target.op == "<<<";
        let number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let is_copy = matches!(target.op, ">&" | "<&") && number;
        let is_file = !body && !is_copy;
        let event = self.walk.dirs.first().map_or("", String::as_str);
        let mut inside = None;
        if let Some(other) = place.other.filter(|_| is_file && known) {
            let other = self.resolve(other, text).and_then(|()| paths::is_inside(event, &self.path));
            inside = other.filter(|is| *is);
        }
        let has_path = is_file && known && self.resolve(place.dir, text).is_some();
        let own = if has_path { paths::is_inside(event, &self.path) } else { None };
        inside = if own == Some(true) && place.other.is_some() { inside } else { own };
        let write = is_file && target.op.contains('>') && !(has_path && is_sink(&self.path));
        let open = !arena.is_known(target.word);
        let all_known = !open && target.body.is_none_or(|body| arena.is_known(body));
        self.out.push_str(boolean(inside));
        self.out.push_str(",\"known\":");
        self.out.push_str(boolean(Some(all_known)));
        self.out.push_str(",\"op\":\"");
        self.out.push_str(target.op);
        self.out.push_str("\",\"path\":");
        if has_path && self.path.starts_with(['/', '~']) {
            string(&self.path, self.out);
        } else {
            self.out.push_str("null");
        }
        self.out.push_str(",\"target\":");
        self.token(target.word);
        self.out.push_str(",\"write\":");
        self.out.push_str(boolean(Some(write)));
        self.out.push('}');
    }
}
