//! `guide`, `vocabulary`, `schema`, `explain-code` and `completions`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "Topics: language (default), shell, agents [NAME], tests, codes.")]
pub(crate) struct Guide {
    /// A topic (default: language)
    pub(crate) topic: Option<String>,
    /// The agent, for the topic agents
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct VocabularyArgs {
    /// An event, a tool or an action, by its name or an agent's name of it (default: list all)
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// The schema: hooks, event, decision, test, repository, skill, workflow or an agent such as claude
    /// (default: list all)
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainCode {
    /// A code such as E0101 (default: list all)
    pub(crate) code: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
