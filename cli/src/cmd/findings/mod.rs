//! Where the diagnostics of `check` go: each is written when it is found, or all of them at the end as one SARIF log.

mod log;
mod sarif;

use hookc_schema::{Diagnostic, SourceId, Sources, Span};

use crate::args::{Format, Global};
use crate::exit::Failure;
use crate::load::Built;
use crate::out;

/// The diagnostics of one call of `check`.
pub(crate) struct Findings<'a> {
    global: &'a Global,
    log: Option<sarif::Collector>,
}

impl<'a> Findings<'a> {
    /// For the chosen format; `root` is the path that a diagnostic without a source is about.
    pub(crate) fn new(global: &'a Global, root: String) -> Self {
        let is_sarif = global.format == Format::Sarif;
        Self { global, log: is_sarif.then(|| sarif::Collector::new(root)) }
    }

    /// The diagnostics of compiled policies.
    pub(crate) fn add_built(&mut self, built: &Built) -> Result<(), Failure> {
        let hook = |span: Span| hook_id(built, span);
        self.add_with(&built.compiled.diagnostics, &built.sources, &hook)
    }

    /// Diagnostics about no hook.
    pub(crate) fn add(&mut self, diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), Failure> {
        self.add_with(diagnostics, sources, &|_| None)
    }

    fn add_with<'b>(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        hook: &dyn Fn(Span) -> Option<&'b str>,
    ) -> Result<(), Failure> {
        let Some(log) = &mut self.log else { return out::result(self.global, diagnostics, sources) };
        let least = out::least(self.global);
        for diagnostic in diagnostics.iter().filter(|one| one.severity >= least) {
            let shown = diagnostic.shown(sources);
            log.add(&shown, sources, shown.span().and_then(hook).unwrap_or_default());
        }
        Ok(())
    }

    /// Writes the log, if the format has one.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.log.map_or(Ok(()), |log| out::json(&log.finish()?))
    }
}

/// The `id` of the hook that contains a span.
fn hook_id(built: &Built, span: Span) -> Option<&str> {
    let is_inside = |whole: Span| is_within(whole, span.source, span);
    let mut hooks = built.compiled.policies.iter().flat_map(|policy| &policy.hooks);
    hooks.find(|hook| is_inside(hook.span.0)).and_then(|hook| hook.id.as_ref()).map(|id| id.node.as_str())
}

fn is_within(whole: Span, source: SourceId, span: Span) -> bool {
    whole.source == source && whole.start <= span.start && span.end <= whole.end
}
