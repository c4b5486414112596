//! A command that a condition describes, as a pattern.

use hookc_base::Verb;
use hookc_shell::programs::{self, Role, Row};

use super::meaning::Meaning;

/// A command that a condition describes.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    pub(super) programs: Vec<String>,
    pub(super) subs: Vec<String>,
    /// Flags, and with `!` those that it must not have.
    pub(super) flags: Vec<String>,
    pub(super) operands: Vec<String>,
    /// What executes its output.
    pub(super) to: Vec<String>,
    /// Whose output it executes.
    pub(super) from: Vec<String>,
    /// Whether the pattern may be false of a command that the condition describes: the words `c.args` has are also the
    /// values of options, `exists(c.flags.f)` is also true of `--f=false`.
    pub(super) is_doubtful: bool,
}

/// Whether a word is itself, or a glob, in a pattern of commands.
pub(super) fn is_plain(word: &str) -> bool {
    let is_special = |next: char| !next.is_ascii_alphanumeric() && !"-_./:=+*~{},".contains(next);
    let word = if word == "^*" { "*" } else { word };
    !word.is_empty() && !word.contains(is_special)
}

/// Whether a word is a regular expression in a pattern of commands.
fn is_expression(word: &str) -> bool {
    word.len() > 2 && word.starts_with('/') && (word.ends_with('/') || word.ends_with("/i"))
}

/// A word, or `{a,b}`.
fn one_of(words: &[String]) -> Option<String> {
    match words {
        [] => None,
        [word] => Some(word.clone()),
        words => Some(format!("{{{}}}", words.join(","))),
    }
}

/// The guard of what a command does to its last word, as text.
pub(crate) fn object_of(pattern: &str) -> Option<String> {
    Some(meant_object(pattern)?.text(false))
}

/// What a command does to its last word, for a pattern of a program, its subcommand and plain operands.
pub(super) fn meant_object(pattern: &str) -> Option<Meaning> {
    let mut words = pattern.split_whitespace().map(str::to_owned);
    let program = words.next()?;
    let words: Vec<String> = words.collect();
    let row = programs::program(&program)?.row;
    let is_sub = words.first().is_some_and(|word| row.sub(word).is_some());
    let (subs, operands) = words.split_at(usize::from(is_sub));
    let operand = operands.last().cloned()?;
    let is_flag = |word: &String| word.split(['{', ',']).any(|one| one.starts_with('-'));
    if !operands.iter().all(|word| is_plain(word) && !is_flag(word)) {
        return None;
    }
    let command = Command {
        programs: vec![program],
        subs: subs.to_vec(),
        operands: vec![operand],
        ..Command::default()
    };
    command.object()
}

impl Command {
    /// Commands, one of which has one of these words: one with a flag of them, one with an operand, and one for each
    /// regular expression.
    pub(super) fn with_words(words: Vec<String>) -> Option<Vec<Self>> {
        let (expressions, words): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| is_expression(word));
        let (flags, operands): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.starts_with('-'));
        let flag = one_of(&flags).map(|flag| Self { flags: vec![flag], ..Self::default() });
        let operands = one_of(&operands).into_iter().chain(expressions);
        let operands = operands.map(|operand| Self { operands: vec![operand], ..Self::default() });
        let found: Vec<Self> = flag.into_iter().chain(operands).collect();
        let found: Vec<Self> = found.into_iter().map(|one| Self { is_doubtful: true, ..one }).collect();
        (!found.is_empty() && found.iter().all(Self::is_plain)).then_some(found)
    }

    pub(super) fn is_plain(&self) -> bool {
        let lists = [&self.programs, &self.subs, &self.flags, &self.operands, &self.to, &self.from];
        lists.into_iter().flatten().all(|word| is_plain(word) || is_expression(word))
    }

    /// A command as both describe it; `None` if both describe the same part of it.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let one = |left: &Vec<String>, right: &Vec<String>| match (left.is_empty(), right.is_empty()) {
            (_, true) => Some(left.clone()),
            (true, false) => Some(right.clone()),
            (false, false) => None,
        };
        Some(Self {
            programs: one(&self.programs, &other.programs)?,
            subs: one(&self.subs, &other.subs)?,
            flags: [self.flags.as_slice(), &other.flags].concat(),
            operands: [self.operands.as_slice(), &other.operands].concat(),
            to: one(&self.to, &other.to)?,
            from: one(&self.from, &other.from)?,
            is_doubtful: self.is_doubtful || other.is_doubtful,
        })
    }

    pub(super) fn meaning(&self) -> Option<Meaning> {
        let is_alone = self.programs.is_empty() && self.to.is_empty() && self.from.is_empty();
        if is_alone && !self.subs.is_empty() {
            let programs = with_groups(&self.subs)?;
            return Self { programs, is_doubtful: true, ..self.clone() }.meaning();
        }
        if let Some(meaning) = self.object() {
            return Some(meaning);
        }
        let words = [one_of(&self.programs), one_of(&self.subs)].into_iter().flatten();
        let words: Vec<String> = words.chain(self.flags.clone()).chain(self.operands.clone()).collect();
        let command = match words.is_empty() {
            true => "@interpreters".to_owned(),
            false if self.programs.is_empty() => format!("* {}", words.join(" ")),
            false => words.join(" "),
        };
        let pattern = match (one_of(&self.from), executing(&self.to)) {
            (None, None) if words.is_empty() => return None,
            (None, None) => command,
            (Some(from), None) => format!("{from} | {command}"),
            (None, Some(to)) => format!("{command} | {to}"),
            (Some(_), Some(_)) => return None,
        };
        let new = |pattern: String| Meaning::new(Some(Verb::Run), vec![pattern]);
        let Some(meaning) = new(pattern) else { return self.with_any_sub()?.meaning() };
        let meaning = Meaning { similar: self.similar(), ..meaning };
        // A condition about flags is true of those before the subcommand, a pattern is not.
        let is_loose = !self.subs.is_empty() && !self.flags.is_empty();
        let is_certain = !(self.is_doubtful || self.subs_are_groups() || is_loose);
        Some(if is_certain { meaning.certain() } else { meaning })
    }

    /// The command with any subcommand, if it names operands but no subcommand: `systemctl * nginx`.
    fn with_any_sub(&self) -> Option<Self> {
        let is_open = self.subs.is_empty() && !self.operands.is_empty();
        let has_subs = |name: &String| programs::program(name).is_some_and(|one| !one.row.subs().is_empty());
        (is_open && self.programs.iter().all(has_subs)).then(|| Self {
            subs: vec!["*".to_owned()],
            is_doubtful: true,
            ..self.clone()
        })
    }

    /// What the command does to its operand, if that is the only thing that the condition names: a file that it reads,
    /// a branch that it pushes.
    fn object(&self) -> Option<Meaning> {
        let [operand] = self.operands.as_slice() else { return None };
        if is_expression(operand) {
            return None;
        }
        if !(self.flags.is_empty() && self.to.is_empty() && self.from.is_empty()) || self.subs.len() > 1 {
            return None;
        }
        let mut verbs: Vec<Verb> = Vec::new();
        for program in &self.programs {
            let places = self.row(program)?.operands()?;
            let mut effects = places.iter().filter_map(|place| effect(place.role));
            let verb = effects.next()?;
            if effects.any(|other| other != verb) {
                return None;
            }
            let is_object = match verb {
                Verb::Push => !operand.contains(['*', ':', '/', '+']),
                Verb::Install => true,
                _ => operand.contains(['.', '/']) && !operand.starts_with('*'),
            };
            if !is_object {
                return None;
            }
            if !verbs.contains(&verb) {
                verbs.push(verb);
            }
        }
        let meanings = verbs.iter().map(|verb| Meaning::new(Some(*verb), vec![operand.clone()]));
        meanings.collect::<Option<Vec<_>>>()?.into_iter().reduce(Meaning::or)
    }

    /// The flags of the command that start with a long flag of the condition.
    fn similar(&self) -> Option<String> {
        let flags: Vec<String> = self.flags.iter().map(|flag| format!("{flag}-")).collect();
        let rows = self.programs.iter().filter_map(|program| self.row(program));
        let mut names: Vec<&str> = rows.flat_map(|row| row.known()).map(|(name, _)| name).collect();
        names.retain(|name| {
            flags.iter().any(|flag| flag.starts_with("--") && name.starts_with(flag.as_str()))
        });
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then(|| names.join("`, `"))
    }

    /// The row of a program, or of its subcommand.
    fn row(&self, program: &str) -> Option<&'static Row> {
        let row = programs::program(program)?.row;
        match self.subs.first() {
            Some(sub) => row.sub(sub),
            None => Some(row),
        }
    }

    /// Whether a subcommand is only a group of others: `docker compose`.
    fn subs_are_groups(&self) -> bool {
        let mut rows = self.programs.iter().filter_map(|name| Some(programs::program(name)?.row));
        rows.any(|row| self.subs.iter().any(|sub| has_group(row, sub)))
    }
}

/// Whether a subcommand of a program is a group of others.
fn has_group(row: &Row, sub: &str) -> bool {
    let mut groups = row.text("groups").unwrap_or_default().split_whitespace();
    groups.any(|group| sub == group.trim_end_matches('+'))
}

/// The most programs that have a group.
const WITH_GROUP: usize = 4;

/// The few programs for which each of these subcommands is a group of others, so that it is never `sub`.
fn with_groups(subs: &[String]) -> Option<Vec<String>> {
    let rows = programs::rows().filter(|row| subs.iter().all(|sub| has_group(row, sub)));
    let names: Vec<String> = rows.filter_map(|row| row.names().next().map(str::to_owned)).collect();
    (!names.is_empty() && names.len() <= WITH_GROUP).then_some(names)
}

/// What executes the output of a command: any shell for a shell.
fn executing(names: &[String]) -> Option<String> {
    let is_shell = |name: &String| programs::program(name).is_some_and(|program| program.row.is("shell"));
    if !names.is_empty() && names.iter().all(is_shell) { Some("@shells".to_owned()) } else { one_of(names) }
}

/// The effect of a command on an operand of this role.
const fn effect(role: Role) -> Option<Verb> {
    match role {
        Role::Read => Some(Verb::Read),
        Role::Write | Role::Edit => Some(Verb::Write),
        Role::Delete | Role::Move => Some(Verb::Delete),
        Role::Send => Some(Verb::Send),
        Role::Ref => Some(Verb::Push),
        Role::Package => Some(Verb::Install),
        _ => None,
    }
}
