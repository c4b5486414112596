//! What the oracle of effects shares with the product: the reader of command lines, and rows as data.

use std::sync::{Arc, LazyLock};

use hookc_oracle::effects::{
    self, Act, Anchors, Deeds, Effect, Flag, Hole, Kind, Knowledge, Line, Operand, RedirectKind, Rows,
    Scheme, Text, ToolEvent,
};
use hookc_oracle::{Programs, Sentences};
use hookc_shell::effects::{self as product, Actions, Input, ToolRoles, Tools, Value};
use hookc_shell::{Command, Commands, Context, HoleKind, Redirect, Word, with_commands};

/// The rows of all programs.
#[allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]
pub(crate) fn rows() -> Rows {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shell/data/programs");
    let files = hookc_corpus::files(std::path::Path::new(folder));
    let toml = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    let read = |file: &std::path::PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        effects::programs(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
    };
    Rows::new(toml.flat_map(read).collect())
}

/// The rows, and what the vocabulary says about tools.
pub(crate) fn knowledge() -> Knowledge {
    let shipped = hookc_schema::vocab::roles().iter().map(|(tool, inputs)| (tool.clone(), inputs.clone()));
    Knowledge { rows: Arc::new(rows()), shipped: shipped.collect(), ..Knowledge::default() }
}

/// The shipped sets.
#[allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests")]
pub(crate) fn shipped_sets() -> effects::Sets {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../shell/data/sets.toml");
    effects::sets(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// What the oracle needs for predicates, read once.
pub(crate) fn all() -> &'static Arc<hookc_oracle::Effects> {
    static ALL: LazyLock<Arc<hookc_oracle::Effects>> = LazyLock::new(|| {
        Arc::new(hookc_oracle::Effects {
            knowledge: knowledge(),
            sets: Arc::new(shipped_sets()),
            line_of: line_with,
            sentences: Sentences { because, unknown },
        })
    });
    &ALL
}

/// What a line starts, as plain data; nothing if it cannot be read.
pub(crate) fn line(text: &str, cwd: Option<&str>) -> Option<Line> {
    line_with(text, cwd, &Programs::default())
}

fn because(
    event: &ToolEvent,
    knowledge: &Knowledge,
    added: &Programs,
    sets: &effects::Sets,
    judged: &effects::Predicate,
) -> String {
    let programs = super::programs(added);
    let compiled = product::compile(&predicate(judged), &self::sets(sets), &programs).expect("it compiles");
    compiled.sentence(&actions(event, knowledge, &programs))
}

fn unknown(event: &ToolEvent, knowledge: &Knowledge, added: &Programs) -> String {
    let actions = actions(event, knowledge, &super::programs(added));
    actions.unknown().map_or_else(|| "nothing is unknown".to_owned(), |cause| cause.to_string())
}

fn line_with(text: &str, cwd: Option<&str>, added: &Programs) -> Option<Line> {
    let programs = super::programs(added);
    let context = Context { cwd, programs: &programs };
    with_commands(text, &context, |commands| Line {
        commands: commands
            .iter()
            .map(|one| effects::Command { exported: exported(commands, one), ..command(one) })
            .collect(),
        is_opaque: commands.opaque().next().is_some(),
        variables: commands
            .variables()
            .into_iter()
            .map(|variable| (variable.name.to_owned(), variable.is_exported))
            .collect(),
        flows: commands.flows().flat_map(flows).collect(),
    })
    .ok()
}

/// The variables in a word, each with the one that gets its value.
fn flows((name, word): (Option<&str>, Word<'_>)) -> Vec<(String, String)> {
    let name = name.unwrap_or("@");
    word.variables().map(|source| (name.to_owned(), source.to_owned())).collect()
}

pub(crate) const fn hole(kind: HoleKind) -> Hole {
    match kind {
        HoleKind::Text => Hole::Any,
        HoleKind::Name => Hole::Name,
        HoleKind::Char => Hole::Char,
        HoleKind::Names => Hole::Names,
    }
}

fn word(word: Word<'_>) -> effects::Word {
    let holes: Vec<(usize, usize, Hole)> =
        word.holes().map(|gap| (gap.range.start, gap.range.end, hole(gap.kind))).collect();
    effects::Word {
        text: Text::with_holes(word.text(), &holes),
        source: word.text().to_owned(),
        variables: word.variables().map(str::to_owned).collect(),
        origins: Vec::new(),
    }
}

fn exported(commands: Commands<'_>, command: Command<'_>) -> Vec<(String, Option<effects::Word>)> {
    let exports = commands.exports();
    exports.for_command(command).iter().map(|(name, value)| ((*name).to_owned(), value.map(word))).collect()
}

fn command(command: Command<'_>) -> effects::Command {
    let directories: Vec<Option<String>> =
        command.cwd().paths().map(|path| path.map(str::to_owned)).collect();
    let near = command.redirects().map(|near| redirect(command, near, &directories, false));
    let inherited = command.inherited_redirects().map(|far| redirect(command, far, &directories, true));
    effects::Command {
        words: command.words().map(|one| word_of(command, one)).collect(),
        program: command.path().map(str::to_owned),
        env: command.env().map(|setting| (word(setting.name), word(setting.value))).collect(),
        exported: Vec::new(),
        redirects: near.chain(inherited).collect(),
        input: command.stream(0).map(|stream| redirect(command, stream, &directories, true)),
        output: command.stream(1).map(|stream| redirect(command, stream, &directories, true)),
        starter: command.starter().map(Command::number),
        runs: command.runs().map(Command::number).collect(),
        pipes_to: command.pipes_to().map(Command::number).collect(),
        inputs: command.inputs().map(Command::number).collect(),
        is_captured: command.is_captured(),
        is_traced: command.is_traced(),
        is_required: command.is_required(),
        has_more: command.has_more(),
        directories,
        is_either: command.cwd().is_either(),
    }
}

/// A word with the commands whose output is in it.
fn word_of(command: Command<'_>, one: Word<'_>) -> effects::Word {
    effects::Word { origins: command.inputs_of(one).map(Command::number).collect(), ..word(one) }
}

fn redirect(
    command: Command<'_>,
    redirect: Redirect<'_>,
    directories: &[Option<String>],
    is_inherited: bool,
) -> effects::Redirect {
    use hookc_shell::RedirectKind as Shell;
    let kind = match redirect.kind() {
        Shell::Read => RedirectKind::Read,
        Shell::Write | Shell::Append => RedirectKind::Write,
        Shell::ReadWrite => RedirectKind::ReadWrite,
        Shell::HereDocument | Shell::HereString => RedirectKind::Here,
        Shell::Duplicate => RedirectKind::Duplicate,
    };
    let body = redirect.body().filter(|_| kind == RedirectKind::Here);
    effects::Redirect {
        kind,
        word: word_of(command, body.unwrap_or_else(|| redirect.word())),
        directories: directories.to_vec(),
        descriptor: redirect.descriptor(),
        is_inherited,
    }
}

/// What the product gathers from an event.
pub(crate) fn product(event: &ToolEvent, knowledge: &Knowledge) -> Actions {
    actions(event, knowledge, Default::default())
}

fn actions(event: &ToolEvent, knowledge: &Knowledge, programs: &hookc_shell::programs::Programs) -> Actions {
    let table = |rows: &[effects::ToolRow]| {
        let row =
            |(name, inputs): &effects::ToolRow| ToolRoles { name: name.clone(), inputs: inputs.clone() };
        rows.iter().map(row).collect()
    };
    let tools = Tools {
        declared: table(&knowledge.declared),
        shipped: table(&knowledge.shipped),
        ..Tools::default()
    };
    let project = match &event.project {
        effects::Project::At(path) => product::Project::At(path),
        effects::Project::Nowhere => product::Project::Nowhere,
        effects::Project::Absent => product::Project::Absent,
    };
    let asked = product::Event {
        tool: &event.tool,
        host_tool: event.host_tool.as_deref(),
        cwd: event.cwd.as_deref(),
        project,
        tools: &tools,
        programs,
    };
    let mut actions = Actions::default();
    product::gather(&asked, &Json(&event.input), &mut actions);
    actions
}

/// The inputs of a tool.
struct Json<'v>(&'v serde_json::Value);

impl Input for Json<'_> {
    fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
        let mut found = vec![self.0];
        for step in path.split('.') {
            let (name, is_list) = step.strip_suffix("[*]").map_or((step, false), |name| (name, true));
            found = found.into_iter().filter_map(|value| value.get(name)).collect();
            if is_list {
                found = found.into_iter().flat_map(|value| value.as_array().into_iter().flatten()).collect();
            }
        }
        for value in found.into_iter().filter(|value| !value.is_null()) {
            match value {
                serde_json::Value::String(text) => see(Value::Text(text)),
                serde_json::Value::Array(list) if list.iter().all(serde_json::Value::is_string) => {
                    see(Value::Words(&mut list.iter().filter_map(serde_json::Value::as_str)));
                }
                _ => see(Value::Other),
            }
        }
    }
}

/// What the product says that an event does, as the oracle has it.
pub(crate) fn deeds(actions: &Actions) -> Deeds {
    let effects = actions.effects().filter(|effect| effect.kind != product::Kind::Run).map(effect);
    Deeds {
        commands: actions.commands().map(act).collect(),
        effects: effects.collect(),
        is_unknown: actions.unknown().is_some(),
        is_undeclared: actions.is_undeclared(),
        variables: actions.variables().map(|(name, is_exported)| (name.to_owned(), is_exported)).collect(),
        texts: actions.texts().map(Text::from).collect(),
        anchors: Anchors {
            project: actions.project().map(str::to_owned),
            cwd: actions.cwd().map(str::to_owned),
        },
    }
}

fn text(text: product::Text<'_>) -> Text {
    let holes: Vec<(usize, usize, Hole)> =
        text.holes.iter().map(|gap| (gap.from as usize, gap.to as usize, hole(gap.kind))).collect();
    Text::with_holes(text.text, &holes)
}

fn effect(effect: product::Effect<'_>) -> Effect {
    let kind = match effect.kind {
        product::Kind::Run | product::Kind::Code => Kind::Code,
        product::Kind::Read => Kind::Read,
        product::Kind::Use => Kind::Use,
        product::Kind::List => Kind::List,
        product::Kind::Write => Kind::Write,
        product::Kind::Delete => Kind::Delete,
        product::Kind::Send => Kind::Send,
        product::Kind::Contact => Kind::Contact,
        product::Kind::Install => Kind::Install,
        product::Kind::Push => Kind::Push,
    };
    let scheme = match effect.scheme {
        product::Scheme::File | product::Scheme::Pipe => Scheme::File,
        product::Scheme::Variable => Scheme::Variable,
        product::Scheme::Ref => Scheme::Ref,
        product::Scheme::Store => Scheme::Store,
        product::Scheme::Host => Scheme::Host,
        product::Scheme::Package => Scheme::Package,
        product::Scheme::Branch => Scheme::Branch,
        product::Scheme::Text => Scheme::Posted,
        product::Scheme::Code | product::Scheme::Program => Scheme::Code,
    };
    let (is_tree, is_implied, is_assumed) = (effect.is_tree, effect.is_implied, effect.is_assumed);
    Effect {
        kind,
        scheme,
        object: text(effect.object),
        is_tree,
        is_implied,
        is_assumed,
        command: effect.command,
    }
}

/// The variables of the holes of a text.
fn variables(text: product::Text<'_>) -> Vec<String> {
    let variable = |gap: &product::Gap| {
        let hole = hookc_shell::Hole { range: 0..0, text: text.source(gap), kind: gap.kind };
        hole.variable().map(str::to_owned)
    };
    text.holes.iter().filter_map(variable).collect()
}

fn act(act: product::Act<'_>) -> Act {
    let flag = |flag: product::ActFlag<'_>| Flag {
        names: vec![flag.name.to_owned()],
        at: flag.at,
        is_global: flag.is_global,
        value: flag.value.map(text),
        is_unlisted: !flag.is_listed,
        is_code: flag.is_code,
    };
    let operand = |operand: product::ActOperand<'_>| Operand {
        text: text(operand.word),
        path: text(operand.path),
        at: operand.at,
        source: operand.word.text.to_owned(),
        variables: variables(operand.word),
    };
    let words: Vec<Text> = act.words().skip(1).map(text).collect();
    let directories = act.directories();
    let verb = act.verb().map(|verb| verb.split(' ').map(str::to_owned).collect());
    Act {
        name: act.name().map(str::to_owned),
        program: act.words().next().map(text),
        path: act.path().map(text),
        script: act.script().map(text),
        verbs: verb.into_iter().collect(),
        is_verb_unknown: act.verb().is_none() && act.sub().is_some(),
        flags: act.flags().map(flag).collect(),
        operands: act.operands().map(operand).collect(),
        has_hole: act.has_more() || words.iter().any(Text::can_be_flag),
        words,
        sources: act.words().skip(1).map(|word| word.text.to_owned()).collect(),
        has_more: act.has_more(),
        is_required: act.is_required(),
        status: String::new(),
        env: act.env().map(|(name, value)| (name.to_owned(), text(value))).collect(),
        environment: act.environment().map(|(name, value)| (name.to_owned(), text(value))).collect(),
        has_row: act.row().is_some(),
        is_plain: act.is_plain(),
        executes: act.executes(),
        starts: directories.map(|path| path.map_or_else(|| Text::unknown("$PWD"), Text::from)).collect(),
        inputs: act.inputs().collect(),
        files: act.files().collect(),
        runs: act.runs().collect(),
        pipes_to: act.pipes_to().collect(),
        starter: act.starter(),
    }
}

/// A predicate for the product.
pub(crate) fn predicate(predicate: &effects::Predicate) -> product::Predicate {
    match predicate {
        effects::Predicate::Guard(one) => product::Predicate::Guard(guard(one)),
        effects::Predicate::Only(list) => product::Predicate::Only(list.iter().map(guard).collect()),
        effects::Predicate::Unknown => product::Predicate::Unknown,
        effects::Predicate::Mentions(texts) => product::Predicate::Mentions(texts.clone()),
        effects::Predicate::Passed(texts) => product::Predicate::Passed(texts.clone()),
    }
}

fn guard(judged: &effects::Guard) -> product::Guard {
    let verb = match judged.verb {
        effects::Verb::Run => product::Verb::Run,
        effects::Verb::Read => product::Verb::Read,
        effects::Verb::Write => product::Verb::Write,
        effects::Verb::Delete => product::Verb::Delete,
        effects::Verb::Change => product::Verb::Change,
        effects::Verb::Contact => product::Verb::Contact,
        effects::Verb::Send => product::Verb::Send,
        effects::Verb::Install => product::Verb::Install,
        effects::Verb::Push => product::Verb::Push,
    };
    product::Guard {
        verb,
        is_possible: judged.is_possible,
        of: judged.of.clone(),
        except: judged.except.clone(),
        by: judged.by.clone(),
        not_by: judged.not_by.clone(),
    }
}

/// Sets for the product.
pub(crate) fn sets(sets: &effects::Sets) -> Vec<product::Set> {
    let set = |(name, set): (&String, &effects::SetSource)| product::Set {
        name: name.clone(),
        of: set.of.clone(),
        except: set.except.clone(),
    };
    sets.iter().map(set).collect()
}
