//! The agents that policies are for.

use hookc_schema::agents::Agent;

/// The agents that a policy is for. By default any of them.
///
/// ```
/// use hookc_compiler::{Hosts, Options};
/// use hookc_schema::agents;
///
/// let options = Options::default().hosts(Hosts::from_agents(agents::by_name("claude")));
/// assert_eq!(options.hosts.agents.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Hosts {
    /// Which; none for whichever there are.
    pub agents: Vec<&'static Agent>,
    /// Whether `hookc run` executes the handlers of the agents' own settings too.
    pub runs_settings: bool,
    /// Whether none of its findings is an error: the program that executes the policy handles them.
    pub advisory: bool,
    /// The seconds after which the agents end the call of hookc, if their settings have a timeout for it.
    pub timeout: Option<u32>,
}

impl Hosts {
    /// These agents.
    #[must_use]
    pub fn from_agents(agents: impl IntoIterator<Item = &'static Agent>) -> Self {
        Self { agents: agents.into_iter().collect(), ..Self::default() }
    }
}
