//! `schema`, `explain-code` and `completions`.

use clap::Args;

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
