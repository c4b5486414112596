//! `test`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Test files (`*.test.yaml`), policies with `examples:`, or directories of both (default: this directory)
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Run only the tests and examples whose name contains this text
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Option<String>,
    /// Run the tests again whenever a test file or a policy changes
    #[arg(long)]
    pub(crate) watch: bool,
    /// Show which hooks and leaves were both true and false
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Fail if coverage is below this percentage (0 to 100)
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) coverage_fail_under: Option<u8>,
}
