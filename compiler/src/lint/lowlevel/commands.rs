//! `some(c in shell(tool_input.command).commands: c.name == 'git' and c.sub == 'push')`.

use hookc_base::Verb;
use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, PathKind, Quantified, Quantifier, Right, Segment, Selector, Step, ViewKind,
};
use hookc_schema::value::Kind;
use hookc_shell::programs::{self, Role, Row};

use super::files;
use super::meaning::Meaning;

/// The most commands that a condition describes.
const COMMANDS: usize = 8;

/// The name of a command of a path without a quantifier.
const NODE: &str = "c";

/// A command that a condition describes.
#[derive(Clone, Debug, Default)]
struct Command {
    programs: Vec<String>,
    subs: Vec<String>,
    /// Flags, and with `!` those that it must not have.
    flags: Vec<String>,
    operands: Vec<String>,
    /// What executes its output.
    to: Vec<String>,
    /// Whose output it executes.
    from: Vec<String>,
}

/// What a quantifier over the commands of a line means.
pub(super) fn meaning(inner: &Quantified, tools: Option<&[String]>) -> Option<Meaning> {
    let view = inner.path.view(ViewKind::Shell).filter(|view| files::is_line(&view.source, tools))?;
    let is_commands = match view.rest.segments.as_slice() {
        [first] => is_name(first, "commands"),
        [first, Segment::Child(each)] => is_name(first, "commands") && *each == [Selector::Wildcard],
        _ => false,
    };
    if !is_commands || inner.quantifier != Quantifier::Some {
        return None;
    }
    if let CondKind::Quantified(files) = &inner.cond.kind
        && member(steps(&files.path.kind), &inner.name.node) == Some("redirects")
    {
        return redirection(files);
    }
    let commands = read(&inner.cond, &inner.name.node)?;
    let meanings: Option<Vec<Meaning>> = commands.iter().map(Command::meaning).collect();
    meanings?.into_iter().reduce(Meaning::or)
}

/// `some(r in c.redirects: r.write == true and r.inside == false)`
fn redirection(inner: &Quantified) -> Option<Meaning> {
    let parts = match &inner.cond.kind {
        CondKind::All(parts) => parts,
        _ => std::slice::from_ref(&inner.cond),
    };
    let mut meant = None;
    for part in parts {
        let CondKind::Leaf(leaf) = &part.kind else { return None };
        let found = match member(steps(&leaf.path.kind), &inner.name.node)? {
            "write" => continue,
            "inside" if files::is_outside(leaf) => Meaning::except(Verb::Write, "./**"),
            "target" | "path" => Meaning::new(Some(Verb::Write), files::of_path(leaf)?)?,
            _ => return None,
        };
        if meant.replace(found).is_some() {
            return None;
        }
    }
    meant.filter(|_| inner.quantifier == Quantifier::Some)
}

/// What `shell(...).commands[*].name == 'rm'` means.
pub(super) fn of_path(leaf: &Leaf, tools: Option<&[String]>) -> Option<Meaning> {
    let view = leaf.path.view(ViewKind::Shell).filter(|view| files::is_line(&view.source, tools))?;
    let [commands, Segment::Child(each), members @ ..] = view.rest.segments.as_slice() else { return None };
    let is_each = matches!(each.as_slice(), [Selector::Wildcard | Selector::Index(_)]);
    if !is_name(commands, "commands") || !is_each {
        return None;
    }
    let name = |segment: &Segment| match segment {
        Segment::Child(selectors) => match selectors.as_slice() {
            [Selector::Name(name)] => Some(Step::Name(name.clone())),
            [Selector::Wildcard] => Some(Step::Index(0)),
            [Selector::Index(at)] => Some(Step::Index(*at)),
            _ => None,
        },
        Segment::Descendant(_) => None,
    };
    let start = std::iter::once(Some(Step::Name(NODE.to_owned())));
    let steps: Option<Vec<Step>> = start.chain(members.iter().map(name)).collect();
    of_leaf(leaf, &steps?, NODE)?.meaning()
}

fn is_name(segment: &Segment, name: &str) -> bool {
    matches!(segment, Segment::Child(selectors) if *selectors == [Selector::Name(name.to_owned())])
}

/// The commands of which a condition requires one. The recursion depth is the nesting of the condition.
fn read(cond: &Cond, name: &str) -> Option<Vec<Command>> {
    match &cond.kind {
        CondKind::Leaf(leaf) => of_leaf(leaf, steps(&leaf.path.kind), name).map(|command| vec![command]),
        CondKind::Not(part) => not(part, name).map(|command| vec![command]),
        CondKind::Any(parts) => {
            let all: Option<Vec<Vec<Command>>> = parts.iter().map(|part| read(part, name)).collect();
            Some(all?.concat()).filter(|all| all.len() <= COMMANDS)
        }
        CondKind::All(parts) => parts.iter().try_fold(vec![Command::default()], |all, part| {
            let part = read(part, name)?;
            let joined: Option<Vec<Command>> =
                all.iter().flat_map(|left| part.iter().map(move |right| left.and(right))).collect();
            joined.filter(|all| all.len() <= COMMANDS)
        }),
        CondKind::Quantified(inner) => operand(inner, name).map(|command| vec![command]),
        CondKind::Const(_) | CondKind::Predicate(_) => None,
    }
}

/// `some(o in c.operands: o glob '*.pem' or o == '-f')`
fn operand(inner: &Quantified, name: &str) -> Option<Command> {
    let member = member(steps(&inner.path.kind), name)?;
    if !is_words(member) || inner.quantifier != Quantifier::Some {
        return None;
    }
    let parts = match &inner.cond.kind {
        CondKind::Any(parts) => parts,
        _ => std::slice::from_ref(&inner.cond),
    };
    let mut words = Vec::new();
    for part in parts {
        let CondKind::Leaf(leaf) = &part.kind else { return None };
        let is_it =
            matches!(leaf.path.singular().as_deref(), Some([Step::Name(node)]) if *node == inner.name.node);
        words.extend(globs(leaf).filter(|_| is_it)?);
    }
    Command::with_word(&words)
}

/// Whether a member of a command has some of its words.
fn is_words(member: &str) -> bool {
    matches!(member, "operands" | "args" | "rest")
}

/// `not exists(c.flags.n)`, `not c.args contains '-n'`
fn not(cond: &Cond, name: &str) -> Option<Command> {
    let CondKind::Leaf(leaf) = &cond.kind else { return None };
    let is_test = matches!(leaf.op.node, Op::Exists | Op::Contains);
    let mut command = of_leaf(leaf, steps(&leaf.path.kind), name).filter(|_| is_test)?;
    let is_only_words = command.programs.is_empty() && command.to.is_empty() && command.from.is_empty();
    command.flags.iter_mut().chain(&mut command.operands).for_each(|word| word.insert(0, '!'));
    is_only_words.then_some(command)
}

/// The steps of a path in the shorthand; none of others.
fn steps(path: &PathKind) -> &[Step] {
    match path {
        PathKind::Short(steps) => steps,
        PathKind::Query(_) | PathKind::View(_) => &[],
    }
}

/// The member of the node of a quantifier.
fn member<'s>(steps: &'s [Step], name: &str) -> Option<&'s str> {
    match steps {
        [Step::Name(node), Step::Name(member)] if node == name => Some(member),
        _ => None,
    }
}

fn of_leaf(leaf: &Leaf, steps: &[Step], name: &str) -> Option<Command> {
    let mut command = Command::default();
    if let [Step::Name(node), Step::Name(flags), Step::Name(flag)] = steps
        && node == name
        && flags == "flags"
    {
        command.flags.push(self::flag(flag, leaf)?);
        return Some(command);
    }
    if let [Step::Name(node), Step::Name(list), Step::Index(_)] = steps {
        return Command::with_word(&globs(leaf).filter(|_| node == name && is_words(list))?);
    }
    let is_list = leaf.op.node == Op::Contains;
    let list = match member(steps, name)? {
        "name" if !is_list => &mut command.programs,
        "sub" if !is_list => &mut command.subs,
        words if is_words(words) && is_list => {
            return Command::with_word(&texts(leaf).collect::<Vec<_>>()).filter(Command::is_plain);
        }
        "pipes_to" if is_list => &mut command.to,
        "runs" if is_list => &mut command.from,
        _ => return None,
    };
    *list = if is_list { texts(leaf).collect() } else { globs(leaf)? };
    Some(command).filter(Command::is_plain)
}

fn texts(leaf: &Leaf) -> impl Iterator<Item = String> {
    leaf.texts().map(|(_, text)| text.to_owned())
}

/// The globs of the texts for which a test is true.
fn globs(leaf: &Leaf) -> Option<Vec<String>> {
    let globs: Vec<String> = match leaf.op.node {
        Op::Eq | Op::In | Op::Glob => texts(leaf).collect(),
        Op::StartsWith => texts(leaf).map(|text| format!("{text}*")).collect(),
        Op::EndsWith => texts(leaf).map(|text| format!("*{text}")).collect(),
        Op::Contains => texts(leaf).map(|text| format!("*{text}*")).collect(),
        Op::Regex => super::words::alternatives(super::text(leaf)?)?,
        _ => return None,
    };
    (!globs.is_empty() && globs.iter().all(|glob| is_plain(glob))).then_some(globs)
}

/// The flag of `exists(c.flags.f)`, or of `c.flags.file == 'x'`.
fn flag(name: &str, leaf: &Leaf) -> Option<String> {
    let dashes = if name.chars().count() == 1 { "-" } else { "--" };
    let flag = format!("{dashes}{name}");
    let is_true = |right: &Right| match right {
        Right::None => true,
        Right::Value(value) => value.kind == Kind::Bool(true),
        Right::Path(_) => false,
    };
    let flag = match leaf.op.node {
        Op::Exists | Op::Eq if is_true(&leaf.right) => flag,
        Op::Eq => format!("{flag}={}", texts(leaf).next()?),
        _ => return None,
    };
    is_plain(&flag).then_some(flag)
}

/// Whether a word is itself, or a glob, in a pattern of commands.
fn is_plain(word: &str) -> bool {
    let is_special = |next: char| !next.is_ascii_alphanumeric() && !"-_./:=+*~{},".contains(next);
    !word.is_empty() && !word.contains(is_special)
}

/// A word, or `{a,b}`.
fn one_of(words: &[String]) -> Option<String> {
    match words {
        [] => None,
        [word] => Some(word.clone()),
        words => Some(format!("{{{}}}", words.join(","))),
    }
}

impl Command {
    /// A command with a flag or an operand that is one of these.
    fn with_word(words: &[String]) -> Option<Self> {
        let flags = words.iter().filter(|word| word.starts_with('-')).count();
        let word = vec![one_of(words)?];
        match flags {
            0 => Some(Self { operands: word, ..Self::default() }),
            _ => (flags == words.len()).then(|| Self { flags: word, ..Self::default() }),
        }
    }

    fn is_plain(&self) -> bool {
        let lists = [&self.programs, &self.subs, &self.flags, &self.operands, &self.to, &self.from];
        lists.into_iter().flatten().all(|word| is_plain(word))
    }

    /// A command as both describe it; `None` if both describe the same part of it.
    fn and(&self, other: &Self) -> Option<Self> {
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
        })
    }

    fn meaning(&self) -> Option<Meaning> {
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
            (None, None) if self.programs.is_empty() && !self.subs.is_empty() => return None,
            (None, None) if words.is_empty() => return None,
            (None, None) => command,
            (Some(from), None) => format!("{from} | {command}"),
            (None, Some(to)) => format!("{command} | {to}"),
            (Some(_), Some(_)) => return None,
        };
        let is_certain = self.operands.is_empty() && self.to.is_empty() && self.from.is_empty();
        Some(Meaning::new(Some(Verb::Run), vec![pattern])?.certain_if(is_certain && !self.subs_are_groups()))
    }

    /// What the command does to its operand, if that is the only thing that the condition names: a file that it reads,
    /// a branch that it pushes.
    fn object(&self) -> Option<Meaning> {
        let [operand] = self.operands.as_slice() else { return None };
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
        let groups = self.programs.iter().filter_map(|name| programs::program(name)?.row.text("groups"));
        let mut groups = groups.flat_map(str::split_whitespace);
        groups.any(|group| self.subs.iter().any(|sub| sub == group.trim_end_matches('+')))
    }
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
