//! Calls of artifacts: permission, price, debit, call. Hooks and actions take the same way.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hookc_runtime::action::{Action, LogLevel};
use hookc_runtime::host::EventContext;
use hookc_runtime::{ActionFailure, Host, Outcome};
use serde_json::{Map, Value, json};

use super::amount::Amount;
use super::artifact::{Call, Target};
use super::effects::{Effects, Known};
use super::file::WorkflowFile;
use super::ledger::{Ledger, Purpose, Refusal};
use super::run::Run;
use crate::failure::complain;
use crate::model::Model;
use crate::signals;

/// What a workflow and the workflows that it calls share.
#[derive(Debug)]
pub(crate) struct Market {
    pub(crate) model: Box<dyn Model>,
    pub(crate) max_tokens: u64,
    ledger: Mutex<Ledger>,
    /// The id of the run, and what has happened in it.
    pub(crate) id: String,
    pub(crate) effects: Effects,
    /// Who pays for everything.
    pub(crate) agent: String,
    opening: Amount,
    /// The limit of depth.
    pub(crate) depth: u32,
    tally: Mutex<Tally>,
    pub(crate) verbose: bool,
}

/// What was called, by hook; the actions of the model are under [`ACTIONS`].
#[derive(Debug, Default)]
struct Tally {
    hooks: BTreeMap<String, Count>,
}

/// The calls of a hook.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    calls: u64,
    failures: u64,
    cost: Amount,
}

/// The result of a call whose process was killed.
const UNKNOWN: &str = "the run ended while this call ran; whether it took effect is not known";

/// The row of the actions that are no hook's.
const ACTIONS: &str = "(actions)";

impl Market {
    pub(crate) fn new(
        model: Box<dyn Model>,
        max_tokens: u64,
        ledger: Ledger,
        (id, effects): (String, Effects),
        file: &WorkflowFile,
        verbose: bool,
    ) -> Self {
        Self {
            id,
            effects,
            model,
            max_tokens,
            ledger: Mutex::new(ledger),
            agent: file.agent.clone(),
            opening: file.opening,
            depth: file.depth,
            tally: Mutex::default(),
            verbose,
        }
    }

    /// What the agent has now.
    pub(crate) fn balance(&self) -> Result<Amount, String> {
        locked(&self.ledger).balance(&self.agent, self.opening)
    }

    /// What the agent had at this point of the run.
    pub(crate) fn balance_here(&self) -> Result<Value, String> {
        let read = |_| self.balance().map(Amount::to_value);
        self.effects.remember("balance", || None, read)?
    }

    /// Calls an artifact on behalf of the agent. The price is taken before the call; a denied
    /// call costs nothing.
    pub(crate) fn call(
        self: &Arc<Self>,
        file: &WorkflowFile,
        hook: Option<&str>,
        (artifact, method, args): (&str, &str, &Map<String, Value>),
        depth: u32,
    ) -> Result<Value, String> {
        if signals::interrupted().is_some() {
            return Err("interrupted by a signal".to_owned());
        }
        let is_past = self.effects.is_past();
        let call = Call { artifact, method, args, caller: &self.agent };
        let row = hook.unwrap_or(ACTIONS);
        let paid = self.paid(file, hook, &call);
        let result = paid.clone().and_then(|_| self.target_once(file, hook, &call, depth));
        let cost = paid.unwrap_or_default();
        self.count(row, result.is_err(), cost);
        if self.verbose && !is_past {
            let ended = result.as_ref().map_or_else(|why| format!("failed: {why}"), |_| "done".to_owned());
            complain(&format!("{row}: {artifact}.{method}: {ended} (cost {cost})"));
        }
        result
    }

    /// Counts a call.
    fn count(&self, row: &str, has_failed: bool, cost: Amount) {
        let mut tally = locked(&self.tally);
        let count = tally.hooks.entry(row.to_owned()).or_default();
        count.calls += 1;
        count.failures += u64::from(has_failed);
        count.cost = count.cost.saturating_add(cost);
    }

    /// Takes the price of a call, once.
    fn paid(&self, file: &WorkflowFile, hook: Option<&str>, call: &Call<'_>) -> Result<Amount, String> {
        let what = described("pay", hook, call);
        let pay =
            |effect: u64| self.pay(file, hook, call, effect).map(|price| Value::from(price.to_string()));
        let price = self.effects.remember(&what, || None, pay)??;
        Ok(price.as_str().and_then(Amount::parse).unwrap_or_default())
    }

    fn pay(
        &self,
        file: &WorkflowFile,
        hook: Option<&str>,
        call: &Call<'_>,
        effect: u64,
    ) -> Result<Amount, String> {
        let Call { artifact, method, .. } = call;
        let called =
            file.artifacts.get(*artifact).ok_or_else(|| format!("there is no artifact `{artifact}`"))?;
        let price = called.price(call)?;
        self.balance()?;
        let name = format!("{artifact}.{method}");
        let id = format!("{}/{effect}", self.id);
        match locked(&self.ledger).debit(&self.agent, price, Purpose { call: &name, hook, id: &id }) {
            Ok(_) => Ok(price),
            Err(Refusal::Empty(balance)) => Err(format!(
                "the balance of `{}` is {balance}, and `{name}` costs {price}: it was not called",
                self.agent
            )),
            Err(Refusal::Broken(why)) => Err(why),
        }
    }

    /// Makes a call that was paid. One that was interrupted is not made again, unless it is a
    /// workflow, which continues.
    fn target_once(
        self: &Arc<Self>,
        file: &WorkflowFile,
        hook: Option<&str>,
        call: &Call<'_>,
        depth: u32,
    ) -> Result<Value, String> {
        let is_workflow = file
            .artifacts
            .get(call.artifact)
            .is_some_and(|artifact| matches!(artifact.target(), Target::Workflow(_)));
        let (effect, result) = match self.effects.begin(&described("call", hook, call))? {
            Known::Done(result, within) => {
                for (row, has_failed, price) in self.effects.calls(within) {
                    self.count(&row, has_failed, Amount::parse(&price).unwrap_or_default());
                }
                return result;
            }
            Known::Begun(effect) if !is_workflow => (effect, Err(UNKNOWN.to_owned())),
            Known::Begun(effect) | Known::New(effect) => (effect, self.target(file, call, depth)),
        };
        if signals::interrupted().is_some() && result.is_err() {
            // It was ended by the signal: its result is not known.
            return result;
        }
        self.effects.done(effect, result.clone(), None)?;
        result
    }

    fn target(self: &Arc<Self>, file: &WorkflowFile, call: &Call<'_>, depth: u32) -> Result<Value, String> {
        let Some(artifact) = file.artifacts.get(call.artifact) else { return Ok(Value::Null) };
        match artifact.target() {
            Target::Command => artifact.run(call, &file.directory),
            Target::Url(url) => artifact.post(url, call),
            Target::Workflow(path) => self.nested(file, path, call, depth),
        }
    }

    fn nested(
        self: &Arc<Self>,
        file: &WorkflowFile,
        path: &Path,
        call: &Call<'_>,
        depth: u32,
    ) -> Result<Value, String> {
        let inner = WorkflowFile::read(&file.directory.join(path)).map_err(|error| error.message)?;
        let hash = self.effects.remember("file", || None, |_| Ok(inner.hash.as_str().into()))??;
        if hash.as_str() != Some(&inner.hash) {
            let why = format!("{} has changed since the run was started", path.display());
            self.effects.stop(&why);
            return Err(why);
        }
        let run = Run { market: self, file: &inner, depth: depth + 1, log: None };
        let ran = run.steps(call.args.clone(), &mut |_| {});
        match ran.failure() {
            Some(why) => Err(format!("the workflow of `{}` failed: {why}", call.artifact)),
            None => Ok(ran.last_result()),
        }
    }

    /// The calls by hook: calls, failures, cost.
    pub(crate) fn summary(&self) -> Vec<Value> {
        let row = |(hook, count): (&String, &Count)| {
            json!({"hook": hook, "calls": count.calls, "failures": count.failures,
                "cost": count.cost.to_value()})
        };
        locked(&self.tally).hooks.iter().map(row).collect()
    }
}

/// An effect of a call, as the journal has it.
fn described(what: &str, hook: Option<&str>, call: &Call<'_>) -> String {
    format!("{what} {}.{} by {}", call.artifact, call.method, hook.unwrap_or(ACTIONS))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The host of the hooks of a point.
pub(crate) struct PointHost<'r> {
    pub(crate) market: &'r Arc<Market>,
    pub(crate) file: &'r WorkflowFile,
    pub(crate) depth: u32,
}

impl Host for PointHost<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let Action::Invoke(invoke) = action else { return Err(ActionFailure::unsupported(action)) };
        let call = (invoke.artifact.as_str(), invoke.method.as_str(), &invoke.args);
        let result = self.market.call(self.file, Some(&context.hook.label), call, self.depth);
        result.map(Outcome::Value).map_err(ActionFailure::failed)
    }

    fn log(&self, level: LogLevel, message: &str, _: Option<&Map<String, Value>>) {
        complain(&format!("{}: {message}", level.as_str()));
    }
}
