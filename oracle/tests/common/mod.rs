//! A case of the differential tests: policies compiled from text, and the
//! oracle over their trees.

#[allow(dead_code, reason = "not every test binary needs it")]
pub(crate) mod effects;

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_oracle::{Oracle, Source};
use hookc_schema::Sources;
use hookc_schema::tree::{Cond, CondKind, Layer, Path, PathKind, Policy, ViewKind};
use hookc_schema::value::{Kind, Member, Value};
use hookc_shell as shell;
use hookc_shell::programs::{Described, Programs, draft};
use hookc_syntax::write;
use hookc_vm::{Decision, Module};

pub(crate) type PolicySet = Vec<(Policy, Layer)>;

/// The YAML of policies, each with its layer.
pub(crate) fn yaml(policies: &PolicySet) -> Vec<(String, Layer)> {
    let text = |(policy, layer): &(Policy, Layer)| {
        let (text, losses) = write::hooks_yaml::write(policy);
        assert!(losses.is_empty(), "a hooks file can express all of it: {losses:?}");
        (text, *layer)
    };
    policies.iter().map(text).collect()
}

pub(crate) struct Built {
    pub(crate) bytes: Vec<u8>,
    pub(crate) policies: Vec<Policy>,
}

/// Whether the shipped hooks are linked.
pub(crate) fn linked(builtin: bool) -> Builtin {
    if builtin { Builtin::Always } else { Builtin::Never }
}

/// Compiles texts of one dialect.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn build(
    texts: &[(String, Layer)],
    dialect: Dialect,
    builtin: bool,
    strip: bool,
) -> Result<Built, String> {
    build_with(texts, dialect, Options::default().builtin(linked(builtin)).strip(strip))
}

/// Like `build`, with other options.
pub(crate) fn build_with(
    texts: &[(String, Layer)],
    dialect: Dialect,
    options: Options,
) -> Result<Built, String> {
    let mut sources = Sources::new();
    let mut inputs = Vec::new();
    for (n, (text, layer)) in texts.iter().enumerate() {
        let source = sources.add(format!("policy{n}"), text.as_str());
        inputs.push(Input::new(source).with_dialect(dialect).with_layer(*layer));
    }
    let compiled = compile(&mut sources, &inputs, &options);
    match compiled.module {
        Some(bytes) => Ok(Built { bytes, policies: compiled.policies }),
        None => Err(hookc_schema::diag::render::short::render(&compiled.diagnostics, &sources)),
    }
}

/// The oracle over the same policies; `shipped` is the builtin policy, if linked.
pub(crate) fn oracle(policies: &PolicySet, shipped: Option<Policy>) -> Oracle {
    let own = policies.iter().map(|(policy, layer)| Source {
        policy: policy.clone(),
        layer: *layer,
        shipped: false,
    });
    let shipped = shipped.map(|policy| Source { policy, layer: Layer::Builtin, shipped: true });
    Oracle::new(own.chain(shipped).collect()).with_views(view).with_effects(effects::all())
}

/// The programs with those that policies add, for the reader of command lines.
pub(crate) fn programs(added: &hookc_oracle::Programs) -> Programs {
    let wrapper = |declared: &hookc_schema::vocab::Wrapper| {
        let wrapper = shell::Wrapper::new(&declared.name.node).with_options(declared.options.iter().cloned());
        wrapper.with_operands(declared.operands.node)
    };
    let described =
        |(name, value): &(String, Value)| Described { name: name.clone(), table: table(value.members()) };
    let wrappers = added.wrappers.iter().map(wrapper).collect();
    Programs::new(wrappers, added.described.iter().map(described).collect()).expect("they have rows")
}

/// A mapping of a policy as the table of a program.
fn table(members: &[Member]) -> draft::Table {
    let value = |member: &Member| match &member.value.kind {
        Kind::Str(text) => draft::Value::Text(text.value.clone()),
        Kind::Bool(fact) => draft::Value::Flag(*fact),
        Kind::Map(members) if member.key.node == "if" => draft::Value::Tables(vec![table(members)]),
        Kind::Map(members) => draft::Value::Table(table(members)),
        Kind::Seq(items) if items.iter().all(|item| item.as_str().is_some()) => {
            draft::Value::List(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        Kind::Seq(items) => draft::Value::Tables(items.iter().map(|item| table(item.members())).collect()),
        Kind::Null | Kind::Num(_) => draft::Value::Text(String::new()),
    };
    members.iter().map(|member| (member.key.node.clone(), value(member))).collect()
}

fn view(text: &str, cwd: Option<&str>, added: &hookc_oracle::Programs) -> String {
    shell::view(text, cwd, &programs(added))
}

pub(crate) fn load(bytes: Vec<u8>) -> Module {
    Module::load(bytes).expect("what the compiler writes loads")
}

/// `rank`, `label`, `action` of everything in a decision.
pub(crate) type Seen = (String, Vec<(usize, String, Option<String>)>, Vec<(usize, String, Option<String>)>);

pub(crate) fn seen(decision: &Decision<'_>) -> Seen {
    let one = |fired: hookc_vm::MatchedHook<'_>| {
        let mut action = String::new();
        let action = fired.render(&mut action).ok().map(|()| action);
        (fired.rank() as usize, fired.label().unwrap_or_default().to_owned(), action)
    };
    (decision.event().to_owned(), decision.hooks().map(one).collect(), decision.reported().map(one).collect())
}

pub(crate) fn judged(decision: hookc_oracle::Decision) -> Seen {
    let one = |fired: hookc_oracle::MatchedHook| (fired.rank, fired.label, fired.action);
    (
        decision.event,
        decision.hooks.into_iter().map(one).collect(),
        decision.reported.into_iter().map(one).collect(),
    )
}

/// Whether a policy parses back to the tree that was written.
pub(crate) fn same_tree(written: &Policy, read: &Policy) -> Result<(), String> {
    for (a, b) in written.hooks.iter().zip(&read.hooks) {
        if a != b {
            return Err(format!("reads back as another hook:\n{a:?}\n{b:?}"));
        }
    }
    if written.hooks.len() == read.hooks.len() {
        Ok(())
    } else {
        Err("reads back with fewer hooks".to_owned())
    }
}

/// Whether a condition asks what an event does.
pub(crate) fn has_effects(cond: &Cond) -> bool {
    let is_view = |path: &Path| matches!(&path.kind, PathKind::View(view) if view.kind == ViewKind::Effects);
    match &cond.kind {
        CondKind::Predicate(_) => true,
        CondKind::Not(cond) => has_effects(cond),
        CondKind::Any(conds) | CondKind::All(conds) => conds.iter().any(has_effects),
        CondKind::Quantified(inner) => is_view(&inner.path) || has_effects(&inner.cond),
        CondKind::Leaf(leaf) => is_view(&leaf.path),
        CondKind::Const(_) | CondKind::Formerly(_) => false,
    }
}
