//! An engine: a policy that many threads decide by, and that can be replaced.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use hookc_base::PartitionTag;
use hookc_history::Record;
use hookc_vm::{DecideError, DecideOptions, Scratch};

use crate::event::Form;
use crate::sessions::Sessions;
use crate::{Decision, Event, Policy};

/// Decides about events. Clones share one policy, so that every thread has its own
/// and a reload reaches all of them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use hookc::{Engine, Policy};
///
/// let engine = Engine::new(Policy::from_yaml("hooks: [{event: Stop, action: {type: allow}}]")?);
/// let stop = r#"{"hook_event_name": "Stop"}"#;
/// let other = engine.clone();
/// let kind = std::thread::spawn(move || other.decide(stop).map(|decision| decision.hooks()[0].kind().to_owned()));
/// assert_eq!(kind.join().unwrap()?, "allow");
///
/// engine.reload(Policy::from_yaml("hooks: [{event: Stop, action: {type: deny}}]")?);
/// assert_eq!(engine.decide(stop)?.hooks()[0].kind(), "deny");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    policy: RwLock<Policy>,
    /// Buffers that no decision uses at the moment: as many as there were decisions
    /// at one time.
    scratches: Mutex<Vec<Scratch>>,
    sessions: Mutex<Sessions>,
}

impl Engine {
    /// An engine with a policy.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let (policy, scratches, sessions) = (RwLock::new(policy), Mutex::default(), Mutex::default());
        Self { shared: Arc::new(Shared { policy, scratches, sessions }) }
    }

    /// The policy of decisions that begin now.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.shared.policy.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the policy at once. A decision that has begun ends with the policy
    /// that it began with.
    pub fn reload(&self, policy: Policy) {
        *self.shared.policy.write().unwrap_or_else(PoisonError::into_inner) = policy;
    }

    /// Decides about an event: finds its type, and the hooks whose conditions are
    /// true of it. Nothing is executed. Conditions about earlier events are unknown: a [`Session`](crate::Session)
    /// remembers them.
    ///
    /// # Errors
    /// Nothing can be decided: the event is not a JSON object, does not state its
    /// type, has a key twice that a hook reads, or reaches a limit. The program
    /// chooses whether it now fails open or closed.
    pub fn decide<'a>(&self, event: impl Into<Event<'a>>) -> Result<Decision, DecideError> {
        self.decide_with(event, &DecideOptions::default())
    }

    /// Like `decide`, but with options: the event's type, its vocabulary, the strategy.
    ///
    /// # Errors
    /// As [`Engine::decide`].
    pub fn decide_with<'a>(
        &self,
        event: impl Into<Event<'a>>,
        options: &DecideOptions<'_>,
    ) -> Result<Decision, DecideError> {
        self.decide_by(&self.policy(), event, options)
    }

    /// Like `decide_with` by a policy that [`Engine::policy`] returned, for a program that asks the policy about the decision: a
    /// reload between the two has no effect on them.
    ///
    /// # Errors
    /// As [`Engine::decide`].
    pub fn decide_by<'a>(
        &self,
        policy: &Policy,
        event: impl Into<Event<'a>>,
        options: &DecideOptions<'_>,
    ) -> Result<Decision, DecideError> {
        self.decide_and(policy, event.into(), options, |decision| Decision::from(decision))
    }

    /// Decides, with what the event adds to each partition.
    pub(crate) fn decide_recording(
        &self,
        policy: &Policy,
        event: Event<'_>,
        options: &DecideOptions<'_>,
    ) -> Result<(Decision, Vec<(PartitionTag, Record)>), DecideError> {
        self.decide_and(policy, event, options, |decision| {
            let records = PartitionTag::ALL.iter().filter_map(|key| Some((*key, decision.record(*key)?)));
            (Decision::from(decision), records.collect())
        })
    }

    fn decide_and<T>(
        &self,
        policy: &Policy,
        event: Event<'_>,
        options: &DecideOptions<'_>,
        take: impl FnOnce(&hookc_vm::Decision<'_>) -> T,
    ) -> Result<T, DecideError> {
        let mut scratch = self.scratches().pop().unwrap_or_default();
        let decided = match event.0 {
            Form::Bytes(event) => policy.module().decide(&mut scratch, event, options),
            Form::Value(event) => policy.module().decide_value(&mut scratch, event, options),
        };
        let taken = decided.map(|decision| take(&decision));
        self.scratches().push(scratch);
        taken
    }

    pub(crate) fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.shared.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn scratches(&self) -> MutexGuard<'_, Vec<Scratch>> {
        self.shared.scratches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Policy> for Engine {
    fn from(policy: Policy) -> Self {
        Self::new(policy)
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("policy", &self.policy()).finish_non_exhaustive()
    }
}
