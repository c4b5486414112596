//! Guards that never match at one of the agents that a policy is for (W0634), and handlers that take longer than it waits
//! (W0656).

mod mcp;
mod timeout;
mod tool;

use hookc_schema::Diagnostics;
use hookc_schema::tree::Policy;
use hookc_schema::vocab::Vocabulary;

pub(crate) use timeout::timeout;

use crate::hosts::Hosts;

/// Checks the conditions of a policy.
pub(crate) fn check(policy: &Policy, vocabulary: &Vocabulary, hosts: &Hosts, out: &mut Diagnostics) {
    mcp::check(policy, hosts, out);
    tool::check(policy, vocabulary, hosts, out);
}
