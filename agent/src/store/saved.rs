//! The options that are saved with a session.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::args::{MergeHooks, Mode};

/// The saved options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Saved {
    pub(crate) model: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) model_timeout: Option<u64>,
    pub(crate) settings: Vec<SavedFile>,
    pub(crate) policy: Vec<SavedFile>,
    pub(crate) merge: Option<MergeHooks>,
    pub(crate) max_turns: Option<u64>,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) max_budget: Option<f64>,
    pub(crate) price: Option<(f64, f64)>,
    pub(crate) context_window: Option<u64>,
    pub(crate) max_output_tokens: Option<u64>,
    pub(crate) permission_mode: Option<Mode>,
    pub(crate) allow: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) append_system_prompt: Option<String>,
    pub(crate) max_depth: Option<u32>,
    pub(crate) log: Option<PathBuf>,
}

/// A file of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedFile {
    pub(crate) path: PathBuf,
    pub(crate) hash: String,
}
