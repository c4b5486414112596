//! An event by its name, for orchestrators that are other programs.

use hookc_vm::DecideError;
use serde_json::{Map, Value};

use super::{Guard, Session, Turn, guard};
use crate::event::RepositoryEvent;
use crate::host::Host;

/// The outcome of an event of any type.
#[derive(Debug)]
#[non_exhaustive]
pub struct Emitted {
    /// The control message for the model; `None` for an event whose outcome reaches no turn.
    pub control: Option<Value>,
    /// Whether the operation may continue; `None` if nothing waits for it.
    pub guard: Option<Guard>,
    /// The signals, reports and hooks.
    pub turn: Turn,
}

impl Session<'_> {
    /// Emits an event of any type. A prompt whose turn is not ready is a denial.
    ///
    /// # Errors
    /// No decision was possible: what waits for the event must not continue.
    pub fn emit(
        &mut self,
        event: RepositoryEvent,
        context: Map<String, Value>,
        host: &dyn Host,
    ) -> Result<Emitted, DecideError> {
        let (control, guard, turn) = match event {
            RepositoryEvent::PromptSubmit => {
                let (control, turn) = self.prompt_submit(context, host)?;
                (Some(control), Some(guard::of_prompt(&turn)), turn)
            }
            RepositoryEvent::PreAbilityCreate => {
                let (control, guard, turn) = self.pre_ability_create(context, host)?;
                (Some(control), Some(guard), turn)
            }
            RepositoryEvent::PreAbilityCall => {
                let (control, guard, turn) = self.pre_ability_call(context, host)?;
                (Some(control), Some(guard), turn)
            }
            other => (None, None, self.collect(other, context, host)?),
        };
        Ok(Emitted { control, guard, turn })
    }
}
