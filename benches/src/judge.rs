//! A compiled workload with the oracle: nothing is timed before both agree.

use hookc_compiler::{Compiled, Dialect, Input, Options, compile};
use hookc_oracle::{Oracle, Source};
use hookc_schema::Sources;
use hookc_schema::diag::render::short;
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Module, Scratch};

/// Compiles a hooks file without names and source locations, and without the shipped hooks.
///
/// # Errors
/// The diagnostics, if it has errors.
pub fn build(yaml: &str) -> Result<Vec<u8>, String> {
    let (mut done, sources) = compiled(yaml);
    done.module.take().ok_or_else(|| short::render(&done.diagnostics, &sources))
}

/// As [`build`], with all that the compiler answers: freeing it can be left out of a measurement.
#[must_use]
pub fn compiled(yaml: &str) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let done = compile(&mut sources, &[input], &Options::default().strip(true));
    (done, sources)
}

/// A policy for both the VM and the oracle.
#[derive(Debug)]
pub struct Judged {
    /// Loaded, stripped.
    pub module: Module,
    oracle: Oracle,
}

impl Judged {
    /// From a hooks file.
    ///
    /// # Errors
    /// If it does not compile or load.
    pub fn new(yaml: &str) -> Result<Self, String> {
        let (done, sources) = compiled(yaml);
        let bytes = done.module.ok_or_else(|| short::render(&done.diagnostics, &sources))?;
        let module = Module::load(bytes).map_err(|error| error.to_string())?;
        let source = |policy| Source { policy, layer: Layer::Directive, shipped: false };
        Ok(Self { module, oracle: Oracle::new(done.policies.into_iter().map(source).collect()) })
    }

    /// Decides about each event with both, and returns the module if they agree.
    ///
    /// # Errors
    /// The first event about which they do not.
    pub fn check(self, events: &[String]) -> Result<Module, String> {
        let mut scratch = Scratch::new();
        for event in events {
            let ours = self.module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
            let ours: Result<Vec<usize>, String> = ours
                .map(|decision| decision.hooks().map(|hook| hook.rank() as usize).collect())
                .map_err(|error| error.to_string());
            let judged = self.oracle.decide(event.as_bytes(), &hookc_oracle::DecideOptions::default());
            let judged: Vec<usize> = judged
                .map_err(|refusal| format!("the oracle refuses an event: {refusal:?}"))?
                .hooks
                .iter()
                .map(|hook| hook.rank)
                .collect();
            if ours.as_ref() != Ok(&judged) {
                return Err(format!("hookc says {ours:?}, the oracle {judged:?}: {event}"));
            }
        }
        Ok(self.module)
    }
}

/// A workload's module, checked on as many of its events as is quick for the
/// oracle, which walks every hook.
///
/// # Errors
/// If it does not compile, load, or agree.
pub fn checked(made: &crate::Workload) -> Result<Module, String> {
    let few = (200_000 / made.rules.len().max(1)).clamp(2, 200).min(made.events.len());
    Judged::new(&made.yaml())?.check(made.events.get(..few).unwrap_or_default())
}
