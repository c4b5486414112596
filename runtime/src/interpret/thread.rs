//! Thread policy: replies are values, which the thread's state decides about.

use hookc_base::action::{Action, ResultForm};

use super::{HostReply, Interpreter};
use crate::context::ActionContext;
use crate::ended;
use crate::process::Ended;

pub(super) struct Threads;

impl Interpreter for Threads {
    fn ended(&self, ended: &Ended, form: ResultForm, _: &ActionContext<'_>) -> HostReply {
        match form {
            ResultForm::Return => ended::by_output(ended),
            _ => ended::by_status(ended),
        }
    }

    fn reply(&self, _: &Action, reply: HostReply, _: &ActionContext<'_>) -> HostReply {
        reply
    }
}
