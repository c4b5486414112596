//! The stages in a row.

use std::collections::BTreeMap;
use std::sync::Arc;

use hookc_schema::tree::{Layer, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Sources};
use hookc_syntax::front::settings::merge;
use hookc_syntax::front::skill::duplicate;
use hookc_syntax::front::{self, Reading};

use crate::check::Hosts;
use crate::disasm::PatternTexts;
use crate::fault::Fault;
use crate::index::IndexThresholds;
use crate::{Builtin, Dialect, Files, Input, Merge, check, codegen, link, lint, plan, shipped};

/// Options of a compilation. By default, the shipped hooks are not linked, names and locations are
/// in the module, and no file is looked at.
///
/// ```
/// use hookc_compiler::{Builtin, Options};
///
/// let options = Options::default().builtin(Builtin::Threads).strict(true);
/// assert!(options.strict && !options.strip);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// When to link the shipped thread hooks.
    pub builtin: Builtin,
    /// Undeclared names are errors.
    pub strict: bool,
    /// Omits names and source locations from the module.
    pub strip: bool,
    /// When indexes are worth it.
    pub thresholds: IndexThresholds,
    /// Answers questions about the files that hooks name; if absent, they are not checked.
    pub files: Option<Arc<dyn Files>>,
    /// How several settings files of agents are merged.
    pub merge: Merge,
    /// The agents that the policies are for.
    pub hosts: Hosts,
    /// Which policies belong together: those of one number share their ids, others keep
    /// apart. A source that is not here has the number 0.
    pub groups: BTreeMap<SourceId, usize>,
}

impl Default for Options {
    fn default() -> Self {
        let (thresholds, merge) = (IndexThresholds::default(), Merge::default());
        Self {
            builtin: Builtin::Never,
            strict: false,
            strip: false,
            thresholds,
            files: None,
            merge,
            hosts: Hosts::default(),
            groups: BTreeMap::new(),
        }
    }
}

impl Options {
    /// Sets when to link the shipped thread hooks.
    #[must_use]
    pub fn builtin(mut self, builtin: Builtin) -> Self {
        self.builtin = builtin;
        self
    }

    /// Sets whether undeclared names are errors instead of warnings.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets whether names and source locations are omitted from the module.
    #[must_use]
    pub fn strip(mut self, strip: bool) -> Self {
        self.strip = strip;
        self
    }

    /// Sets when indexes are worth it. They change the cost of a decision, never its result.
    #[must_use]
    pub fn thresholds(mut self, thresholds: IndexThresholds) -> Self {
        self.thresholds = thresholds;
        self
    }

    /// Sets who answers questions about the files that hooks name.
    #[must_use]
    pub fn files(mut self, files: impl Into<Option<Arc<dyn Files>>>) -> Self {
        self.files = files.into();
        self
    }

    /// Sets how several settings files of agents are merged.
    #[must_use]
    pub fn merge(mut self, merge: Merge) -> Self {
        self.merge = merge;
        self
    }

    /// Sets the agents that the policies are for.
    #[must_use]
    pub fn hosts(mut self, hosts: Hosts) -> Self {
        self.hosts = hosts;
        self
    }

    /// Sets which policies belong together.
    #[must_use]
    pub fn groups(mut self, groups: BTreeMap<SourceId, usize>) -> Self {
        self.groups = groups;
        self
    }
}

/// All results of a compilation, as far as it succeeded.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compiled {
    /// The trees, in the order of the inputs; the shipped one last.
    pub policies: Vec<Policy>,
    /// The dialect of each tree; `None` where it could not be detected.
    pub dialects: Vec<Option<Dialect>>,
    /// The layer of each tree's `hooks:`.
    pub layers: Vec<Layer>,
    /// The source of the shipped hooks, if they take part.
    pub shipped: Option<SourceId>,
    /// The linked hooks by event.
    pub linked: link::Linked,
    /// The plan; `None` after errors.
    pub plan: Option<plan::Plan>,
    /// The module; `None` after errors.
    pub module: Option<Vec<u8>>,
    /// In source order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    /// Whether any diagnostic is an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The patterns about the past as their authors wrote them, for explanations.
    #[must_use]
    pub fn pattern_texts(&self) -> PatternTexts {
        PatternTexts::of_policies(&self.linked, &self.policies)
    }
}

/// Compiles `inputs` into one module: reads, checks, links, lints, plans,
/// emits. All problems are reported in one run. The shipped hooks' text is added
/// to `sources` where `options.builtin` links them.
///
/// A policy with errors has no module, and its diagnostics say why: there is no other error. The
/// cost is linear in the text of the sources, about a millisecond for a hundred hooks.
///
/// ```
/// use hookc_compiler::{Input, Options, compile};
/// use hookc_schema::Sources;
/// use hookc_schema::diag::render;
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// let mut sources = Sources::new();
/// let source = sources.add("guard.yaml", "hooks: [{id: no, event: Stop, action: {type: deny}}]");
/// let compiled = compile(&mut sources, &[Input::new(source)], &Options::default());
/// let Some(bytes) = compiled.module else {
///     panic!("{}", render::text::render(&compiled.diagnostics, &sources));
/// };
///
/// let (module, mut scratch) = (Module::load(bytes)?, Scratch::new());
/// let event = br#"{"hook_event_name": "Stop"}"#;
/// let decision = module.decide(&mut scratch, event, &DecideOptions::default())?;
/// assert_eq!(decision.hooks().next().and_then(|hook| hook.label()), Some("no"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn compile(sources: &mut Sources, inputs: &[Input], options: &Options) -> Compiled {
    let mut diagnostics = Diagnostics::new();
    let vocabulary = Vocabulary::builtin();
    let mut checked = Vec::new();
    let mut inputs = inputs.to_vec();
    let mut read =
        |sources: &Sources, input: &Input| front::read(sources, input, &vocabulary, &mut diagnostics);
    let mut readings: Vec<Reading> = inputs.iter().map(|input| read(sources, input)).collect();
    let builtin = options.builtin.applies(readings.iter().map(|reading| &reading.policy));
    if builtin {
        let input = shipped::input(sources);
        readings.push(read(sources, &input));
        inputs.push(input);
    }
    let dialects: Vec<_> = readings.iter().map(|reading| reading.dialect).collect();
    let settings = readings.iter_mut().zip(&inputs);
    let settings = settings.filter(|(reading, _)| reading.dialect == Some(Dialect::Settings));
    let settings = settings.map(|(reading, input)| {
        (&mut reading.policy, input.layer.unwrap_or(Layer::Directive), reading.hooks)
    });
    merge::merge(settings.collect(), options.merge, sources, &mut diagnostics);
    let mut policies: Vec<Policy> = readings.into_iter().map(|reading| reading.policy).collect();
    let layer = |input: &Input| input.layer.unwrap_or(Layer::Directive);
    let skills = policies.iter_mut().zip(&inputs).filter(|(policy, _)| policy.skill.is_some());
    duplicate::resolve(skills.map(|(policy, input)| (policy, layer(input))).collect(), &mut diagnostics);
    lint::policy::lint(&policies, &vocabulary, check::effects::declared_sets, &mut diagnostics);
    lint::lowlevel::lint(&policies, &vocabulary, sources, &mut diagnostics);
    for (policy, input) in policies.iter().zip(&inputs) {
        if let Some(files) = &options.files {
            front::check_files(policy, sources.name(input.source), &**files, &mut diagnostics);
        }
        let declared = Arc::new(vocabulary.with_declarations(&policy.declarations, &mut diagnostics));
        let is_written = input.layer != Some(Layer::Builtin) || !builtin;
        if is_written {
            check::hosts::renamed(policy, &declared, &options.hosts, &mut diagnostics);
        }
        let mut one = check::check(policy, input.layer, &declared, &mut diagnostics);
        one.group = options.groups.get(&input.source).copied().unwrap_or_default();
        checked.push(one);
        if is_written {
            check::hosts::check(policy, &declared, &options.hosts, &mut diagnostics);
        }
    }
    if let Some(last) = checked.last_mut().filter(|_| builtin) {
        last.shipped = true;
    }
    let linked = link::link(checked, &mut diagnostics);
    lint::linked(&linked, &mut diagnostics);
    if options.strict {
        diagnostics.raise(undeclared);
    }
    let layers = inputs.iter().map(|input| input.layer.unwrap_or(Layer::Directive)).collect();
    let shipped = inputs.last().map(|input| input.source).filter(|_| builtin);
    let (plan, module) = (diagnostics.errors() == 0)
        .then(|| planned(&linked, &policies, sources, options, &mut diagnostics))
        .map_or((None, None), |(plan, module)| (Some(plan), module));
    let diagnostics = diagnostics.finish();
    Compiled { policies, dialects, layers, shipped, linked, plan, module, diagnostics }
}

/// The plan of linked hooks, and its module unless there are errors.
fn planned(
    linked: &link::Linked,
    policies: &[Policy],
    sources: &Sources,
    options: &Options,
    out: &mut Diagnostics,
) -> (plan::Plan, Option<Vec<u8>>) {
    let mut plan = plan::plan(linked, out);
    if out.errors() > 0 {
        return (plan, None);
    }
    if policies.iter().any(|policy| !policy.facts.is_empty()) {
        let texts = PatternTexts::of_policies(linked, policies);
        let cells = plan.cells.iter().enumerate();
        plan.cell_names =
            cells.filter_map(|(at, cell)| Some((at, texts.name(cell.id)?.to_owned()))).collect();
    }
    let module = emit(&plan, sources, options).map_err(|new| out.push(*new)).ok();
    (plan, module)
}

/// The module of a plan. What indexes add is known only now.
fn emit(plan: &plan::Plan, sources: &Sources, options: &Options) -> Result<Vec<u8>, Box<Diagnostic>> {
    let module = codegen::emit_with(plan, Some(sources).filter(|_| !options.strip), &options.thresholds);
    let module = module.map_err(Fault::diagnostic)?;
    match plan::size::over_limit(module.len()) {
        Some(new) => Err(Box::new(new)),
        None => Ok(module),
    }
}

fn undeclared(code: Code) -> bool {
    use Code::{W0234, W0245, W0415, W0416, W0424, W0425, W0426};
    matches!(code, W0234 | W0245 | W0415 | W0416 | W0424 | W0425 | W0426)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;
