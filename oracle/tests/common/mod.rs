//! A case of the differential tests: policies compiled from text, and the
//! oracle over their trees.

#[allow(dead_code, reason = "not every test binary needs it")]
pub(crate) mod effects;

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_oracle::{Oracle, Source};
use hookc_schema::Sources;
use hookc_schema::tree::{Cond, CondKind, Layer, Policy};
use hookc_shell as shell;
use hookc_shell::programs::Programs;
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

/// The same with other options.
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

/// The programs with the wrappers of policies, for the reader of command lines.
pub(crate) fn programs(declared: &[hookc_schema::vocab::Wrapper]) -> Programs {
    let wrapper = |declared: &hookc_schema::vocab::Wrapper| {
        let wrapper = shell::Wrapper::new(&declared.name.node).with_options(declared.options.iter().cloned());
        wrapper.with_operands(declared.operands.node)
    };
    Programs::new(declared.iter().map(wrapper).collect(), Vec::new()).expect("wrappers have rows")
}

fn view(text: &str, cwd: Option<&str>, wrappers: &[hookc_schema::vocab::Wrapper]) -> String {
    shell::view(text, cwd, &programs(wrappers))
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
pub(crate) fn has_predicate(cond: &Cond) -> bool {
    match &cond.kind {
        CondKind::Predicate(_) => true,
        CondKind::Not(cond) => has_predicate(cond),
        CondKind::Any(conds) | CondKind::All(conds) => conds.iter().any(has_predicate),
        CondKind::Quantified(quantified) => has_predicate(&quantified.cond),
        _ => false,
    }
}

/// Puts a constant in the place of each predicate.
pub(crate) fn remove_predicates(cond: &mut Cond) {
    match &mut cond.kind {
        CondKind::Predicate(_) => cond.kind = CondKind::Const(true),
        CondKind::Not(cond) => remove_predicates(std::sync::Arc::make_mut(cond)),
        CondKind::Any(conds) | CondKind::All(conds) => {
            let mut changed = conds.to_vec();
            changed.iter_mut().for_each(remove_predicates);
            *conds = changed.into();
        }
        CondKind::Quantified(quantified) => {
            remove_predicates(&mut std::sync::Arc::make_mut(quantified).cond);
        }
        _ => {}
    }
}
