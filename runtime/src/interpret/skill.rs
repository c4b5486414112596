//! Scripts of skills: the failure of one does not affect others.

use hookc_base::OnFailure;
use hookc_base::action::Action;

use super::{HostReply, Interpreter, plain};
use crate::context::ActionContext;

pub(super) struct Skills;

impl Interpreter for Skills {
    fn reply(&self, action: &Action, reply: HostReply, _: &ActionContext<'_>) -> HostReply {
        match action {
            Action::Script(_) => reply.map_err(|failure| failure.in_mode(OnFailure::Open)),
            _ => plain::unread(action, reply),
        }
    }
}
