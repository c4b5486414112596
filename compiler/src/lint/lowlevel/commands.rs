//! `some(c in shell(tool_input.command).commands: c.name == 'git' and c.sub == 'push')`.

use hookc_base::Verb;
use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, PathKind, Quantified, Quantifier, Right, Segment, Selector, Step, ViewKind,
};

use super::command::{Command, is_plain};
use super::files;
use super::meaning::Meaning;
use super::texts::escaped;
use super::words;

/// The most commands that a condition describes.
const COMMANDS: usize = 8;

/// The pattern of a command with an operand.
const ANY_OPERAND: &str = "^*";

/// The name of a command of a path without a quantifier.
const NODE: &str = "c";

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
    any_of(&commands, files::is_only_line(&view.source, tools))
}

/// The meaning of one of some commands. `is_line` is whether the text is a command line for each tool.
fn any_of(commands: &[Command], is_line: bool) -> Option<Meaning> {
    let meanings: Option<Vec<Meaning>> = commands.iter().map(Command::meaning).collect();
    let meaning = meanings?.into_iter().reduce(Meaning::or)?;
    Some(if is_line { meaning } else { meaning.doubtful() })
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
            "target" => Meaning::new(Some(Verb::Write), files::of_word(leaf)?)?,
            "path" => Meaning::new(Some(Verb::Write), files::of_path(leaf)?)?,
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
    any_of(&of_leaf(leaf, &steps?, NODE)?, files::is_only_line(&view.source, tools))
}

fn is_name(segment: &Segment, name: &str) -> bool {
    matches!(segment, Segment::Child(selectors) if *selectors == [Selector::Name(name.to_owned())])
}

/// The commands, one of which a condition requires. The recursion depth is the nesting of the condition.
fn read(cond: &Cond, name: &str) -> Option<Vec<Command>> {
    match &cond.kind {
        CondKind::Leaf(leaf) => of_leaf(leaf, steps(&leaf.path.kind), name),
        CondKind::Not(part) => not(part, name).map(|command| vec![command]),
        CondKind::Any(parts) => {
            let alternatives: Option<Vec<Vec<Command>>> = parts.iter().map(|part| read(part, name)).collect();
            Some(alternatives?.concat()).filter(|commands| commands.len() <= COMMANDS)
        }
        CondKind::All(parts) => parts.iter().try_fold(vec![Command::default()], |commands, part| {
            let part = read(part, name)?;
            let joined: Option<Vec<Command>> =
                commands.iter().flat_map(|left| part.iter().map(move |right| left.and(right))).collect();
            joined.filter(|commands| commands.len() <= COMMANDS)
        }),
        CondKind::Quantified(inner) => operand(inner, name),
        CondKind::Const(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => None,
    }
}

/// `some(o in c.operands: o glob '*.pem' or o == '-f')`
fn operand(inner: &Quantified, name: &str) -> Option<Vec<Command>> {
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
        words.extend(patterns(leaf).filter(|_| leaf.path.is_field(&inner.name.node))?);
    }
    Command::with_words(words)
}

/// The patterns of the words for which a test is true: globs, or regular expressions.
fn patterns(leaf: &Leaf) -> Option<Vec<String>> {
    if let Some((globs, _)) = globs(leaf) {
        return Some(globs);
    }
    let flag = if leaf.ignore_case.is_some() { "i" } else { "" };
    let shown = |regex: String| {
        (!regex.contains(['/', '\n']) && !regex.is_empty()).then(|| format!("/{regex}/{flag}"))
    };
    let text = |form: fn(&str) -> String| texts(leaf).map(|text| shown(form(&escaped(&text)))).collect();
    match leaf.op.node {
        Op::Regex => Some(vec![shown(leaf.right.text()?.to_owned())?]),
        Op::Eq | Op::In => text(|text| format!("^{text}$")),
        Op::StartsWith => text(|text| format!("^{text}")),
        Op::EndsWith => text(|text| format!("{text}$")),
        Op::Contains => text(str::to_owned),
        _ => None,
    }
}

/// Whether a member of a command has some of its words.
fn is_words(member: &str) -> bool {
    matches!(member, "operands" | "args" | "rest")
}

/// `not exists(c.flags.n)`, `not c.args contains '-n'`
fn not(cond: &Cond, name: &str) -> Option<Command> {
    let CondKind::Leaf(leaf) = &cond.kind else { return None };
    let is_test = matches!(leaf.op.node, Op::Exists | Op::Contains);
    let commands = of_leaf(leaf, steps(&leaf.path.kind), name).filter(|_| is_test)?;
    let mut command = commands.iter().try_fold(Command::default(), |command, one| command.and(one))?;
    let is_only_words = command.programs.is_empty() && command.to.is_empty() && command.from.is_empty();
    command.flags.iter_mut().chain(&mut command.operands).for_each(|word| word.insert(0, '!'));
    // A flag has other names, which a test of one does not exclude.
    command.is_doubtful = true;
    is_only_words.then_some(command)
}

/// The steps of a path in the shorthand; none of others.
fn steps(path: &PathKind) -> &[Step] {
    match path {
        PathKind::Short(steps) => steps,
        PathKind::Query(_) | PathKind::View(_) | PathKind::Recall(_) => &[],
    }
}

/// The member of the node of a quantifier.
fn member<'s>(steps: &'s [Step], name: &str) -> Option<&'s str> {
    match steps {
        [Step::Name(node), Step::Name(member)] if node == name => Some(member),
        _ => None,
    }
}

/// The commands, one of which a leaf requires.
fn of_leaf(leaf: &Leaf, steps: &[Step], name: &str) -> Option<Vec<Command>> {
    if let [Step::Name(node), Step::Name(flags), Step::Name(flag)] = steps
        && node == name
        && flags == "flags"
    {
        return Some(vec![self::flag(flag, leaf)?]);
    }
    if let [Step::Name(node), Step::Name(list), Step::Index(_)] = steps {
        let is_operand = node == name && matches!(&**list, "operands" | "rest");
        if is_operand && leaf.op.node == Op::Exists && leaf.right.truth() != Some(false) {
            let operands = vec![ANY_OPERAND.to_owned()];
            return Some(vec![Command { operands, is_doubtful: true, ..Command::default() }]);
        }
        return Command::with_words(patterns(leaf).filter(|_| node == name && is_words(list))?);
    }
    let contains = leaf.op.node == Op::Contains;
    let member = member(steps, name)?;
    let mut command = Command::default();
    let list = match member {
        "name" => &mut command.programs,
        "sub" => &mut command.subs,
        words if is_words(words) && contains => {
            let is_word = |word: &String| is_plain(word) && !word.starts_with("--=");
            let exactly = |word: String| match is_word(&word) && !word.trim_matches('-').is_empty() {
                true => word,
                false => format!("/^{}$/", escaped(&word)),
            };
            return Command::with_words(texts(leaf).map(exactly).collect());
        }
        "pipes_to" if contains => &mut command.to,
        "runs" if contains => &mut command.from,
        _ => return None,
    };
    let is_list = !matches!(member, "name" | "sub");
    let (globs, is_exact) = if is_list { (texts(leaf).collect(), false) } else { globs(leaf)? };
    *list = globs;
    command.is_doubtful = !is_exact;
    command.is_plain().then(|| vec![command])
}

fn texts(leaf: &Leaf) -> impl Iterator<Item = String> {
    leaf.texts().map(|(_, text)| text.to_owned())
}

/// The globs of the texts for which a test is true, and whether they certainly match each of those.
fn globs(leaf: &Leaf) -> Option<(Vec<String>, bool)> {
    let (globs, is_whole): (Vec<String>, bool) = match leaf.op.node {
        Op::Eq | Op::In | Op::Glob => (texts(leaf).collect(), true),
        Op::StartsWith => (texts(leaf).map(|text| format!("{text}*")).collect(), true),
        Op::EndsWith => (texts(leaf).map(|text| format!("*{text}")).collect(), true),
        Op::Contains => (texts(leaf).map(|text| format!("*{text}*")).collect(), true),
        Op::Regex => words::alternatives(leaf.right.text()?)?,
        _ => return None,
    };
    let is_text = |glob: &String| {
        !glob.contains(['{', '}', ',', '~', '=', '/', ':', '+']) && !glob.starts_with(['-', '.'])
    };
    let is_exact = is_whole && leaf.ignore_case.is_none() && globs.iter().all(is_text);
    (!globs.is_empty() && globs.iter().all(|glob| is_plain(glob))).then_some((globs, is_exact))
}

/// The flag of `exists(c.flags.f)`, or of `c.flags.file == 'x'`.
fn flag(name: &str, leaf: &Leaf) -> Option<Command> {
    let dashes = if name.chars().count() == 1 { "-" } else { "--" };
    let flag = format!("{dashes}{name}");
    let is_true = leaf.right.truth() == Some(true);
    let flag = match leaf.op.node {
        Op::Exists | Op::Eq if is_true || leaf.right == Right::None => flag,
        Op::Eq => format!("{flag}={}", texts(leaf).next()?),
        _ => return None,
    };
    let is_doubtful = leaf.op.node == Op::Exists || !is_true;
    is_plain(&flag).then(|| Command { flags: vec![flag], is_doubtful, ..Command::default() })
}
