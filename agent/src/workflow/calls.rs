//! Calls of artifacts: permission, price, debit, call. Hooks and actions take the same way.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hookc_runtime::action::{Action, LogLevel};
use hookc_runtime::host::EventContext;
use hookc_runtime::{ActionFailure, Host, Outcome};
use serde_json::{Map, Value, json};

use super::amount::Amount;
use super::artifact::{Call, Target};
use super::file::WorkflowFile;
use super::ledger::{Ledger, Purpose, Refusal};
use super::run::Run;
use crate::failure::complain;
use crate::model::Model;

/// What a workflow and the workflows that it calls share.
#[derive(Debug)]
pub(crate) struct Market {
    pub(crate) model: Box<dyn Model>,
    pub(crate) max_tokens: u64,
    ledger: Mutex<Ledger>,
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

/// The row of the actions that are no hook's.
const ACTIONS: &str = "(actions)";

impl Market {
    pub(crate) fn new(
        model: Box<dyn Model>,
        max_tokens: u64,
        ledger: Ledger,
        file: &WorkflowFile,
        verbose: bool,
    ) -> Self {
        Self {
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

    /// What the agent has.
    pub(crate) fn balance(&self) -> Result<Amount, String> {
        locked(&self.ledger).balance(&self.agent, self.opening)
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
        let call = Call { artifact, method, args, caller: &self.agent };
        let row = hook.unwrap_or(ACTIONS);
        let paid = self.pay(file, hook, &call);
        let result = paid.clone().and_then(|_| self.target(file, &call, depth));
        let cost = paid.unwrap_or_default();
        {
            let mut tally = locked(&self.tally);
            let count = tally.hooks.entry(row.to_owned()).or_default();
            count.calls += 1;
            count.failures += u64::from(result.is_err());
            count.cost = count.cost.saturating_add(cost);
        }
        if self.verbose {
            let ended = result.as_ref().map_or_else(|why| format!("failed: {why}"), |_| "done".to_owned());
            complain(&format!("{row}: {artifact}.{method}: {ended} (cost {cost})"));
        }
        result
    }

    /// Takes the price of a call.
    fn pay(&self, file: &WorkflowFile, hook: Option<&str>, call: &Call<'_>) -> Result<Amount, String> {
        let Call { artifact, method, .. } = call;
        let own =
            file.artifacts.get(*artifact).ok_or_else(|| format!("there is no artifact `{artifact}`"))?;
        let price = own.price(call)?;
        self.balance()?;
        let name = format!("{artifact}.{method}");
        match locked(&self.ledger).debit(&self.agent, price, Purpose { call: &name, hook }) {
            Ok(_) => Ok(price),
            Err(Refusal::Empty(balance)) => Err(format!(
                "the balance of `{}` is {balance}, and `{name}` costs {price}: it was not called",
                self.agent
            )),
            Err(Refusal::Broken(why)) => Err(why),
        }
    }

    fn target(self: &Arc<Self>, file: &WorkflowFile, call: &Call<'_>, depth: u32) -> Result<Value, String> {
        let Some(own) = file.artifacts.get(call.artifact) else { return Ok(Value::Null) };
        match own.target() {
            Target::Command => own.run(call, &file.directory),
            Target::Url(url) => own.post(url, call),
            Target::Workflow(path) => {
                let inner = WorkflowFile::read(&file.directory.join(path)).map_err(|error| error.message)?;
                let run = Run { market: self, file: &inner, depth: depth + 1, log: None };
                let ran = run.steps(call.args.clone(), &mut |_| {});
                match ran.failure() {
                    Some(why) => Err(format!("the workflow of `{}` failed: {why}", call.artifact)),
                    None => Ok(ran.last_result()),
                }
            }
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
        let Action::Invoke(own) = action else { return Err(ActionFailure::unsupported(action)) };
        let call = (own.artifact.as_str(), own.method.as_str(), &own.args);
        let result = self.market.call(self.file, Some(&context.hook.label), call, self.depth);
        result.map(Outcome::Value).map_err(ActionFailure::failed)
    }

    fn log(&self, level: LogLevel, message: &str, _: Option<&Map<String, Value>>) {
        complain(&format!("{}: {message}", level.as_str()));
    }
}
