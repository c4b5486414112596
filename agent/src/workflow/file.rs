//! A workflow file: the configuration of an agent with the steps of its workflow. Its hooks are
//! read by the compiler (dialect `workflow`).

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_runtime::{Engine, PolicySet};
use hookc_schema::tree::{Layer, print};
use hookc_schema::{Diagnostics, Sources};
use hookc_syntax::front::yaml;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::amount::Amount;
use super::artifact::Artifact;
use crate::failure::Failure;
use crate::policy;

/// The configuration of an agent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Agent {
    id: String,
    current_goal: Option<String>,
    system_prompt: Option<String>,
    /// What an agent has that the ledger does not know.
    #[serde(default)]
    balance: Amount,
    max_hook_depth: Option<u32>,
    #[serde(default)]
    context: Map<String, Value>,
    #[serde(default)]
    artifacts: Artifacts,
    workflow: Flow,
    // Both are the compiler's.
    #[serde(rename = "hooks")]
    _hooks: Option<Value>,
    #[serde(rename = "subscribed_artifacts")]
    _subscribed: Option<Value>,
}

/// The artifacts, or the file that has them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Artifacts {
    File(PathBuf),
    These(BTreeMap<String, Value>),
}

impl Default for Artifacts {
    fn default() -> Self {
        Self::These(BTreeMap::new())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flow {
    name: Option<String>,
    steps: Vec<Step>,
    #[serde(rename = "hooks")]
    _hooks: Option<Value>,
    #[serde(rename = "subscribed_artifacts")]
    _subscribed: Option<Value>,
}

/// A step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    #[serde(alias = "id")]
    pub(crate) name: String,
    pub(crate) prompt: String,
    #[serde(rename = "hooks")]
    _hooks: Option<Value>,
    #[serde(rename = "subscribed_artifacts")]
    _subscribed: Option<Value>,
}

/// A workflow that is ready to run.
#[derive(Debug)]
pub(crate) struct WorkflowFile {
    pub(crate) agent: String,
    pub(crate) name: Option<String>,
    pub(crate) goal: Option<String>,
    pub(crate) system: Option<String>,
    pub(crate) opening: Amount,
    pub(crate) depth: u32,
    pub(crate) context: Map<String, Value>,
    pub(crate) artifacts: BTreeMap<String, Artifact>,
    pub(crate) steps: Vec<Step>,
    /// Where its artifacts run.
    pub(crate) directory: PathBuf,
    pub(crate) engine: Engine,
    /// The hash of the file, and of the file with its artifacts.
    pub(crate) hash: String,
}

impl WorkflowFile {
    /// Reads a file and what it names, and compiles its hooks.
    ///
    /// # Errors
    /// Something cannot be read, or is not valid.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let (text, agent) = value(path)?;
        let sender: Agent = parse(path, agent)?;
        let mut hash = blake3::Hasher::new();
        hash.update(text.as_bytes());
        let wrong = |why: String| Failure::usage(format!("{}: {why}", path.display()));
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = directory.canonicalize().map_err(|error| wrong(error.to_string()))?;
        let artifacts = match sender.artifacts {
            Artifacts::These(artifacts) => artifacts,
            Artifacts::File(file) => {
                let file = directory.join(file);
                let (text, artifacts) = value(&file)?;
                hash.update(&[0]).update(text.as_bytes());
                parse(&file, artifacts)?
            }
        };
        let mut known = BTreeMap::new();
        for (id, value) in artifacts {
            let artifact: Artifact =
                serde_json::from_value(value).map_err(|error| wrong(format!("artifact `{id}`: {error}")))?;
            artifact.check(&id).map_err(wrong)?;
            known.insert(id, artifact);
        }
        if sender.workflow.steps.is_empty() {
            return Err(wrong("the workflow has no steps".to_owned()));
        }
        let mut names = HashSet::new();
        if let Some(twice) = sender.workflow.steps.iter().find(|step| !names.insert(step.name.as_str())) {
            // The hooks of one would run for the other.
            return Err(wrong(format!("two steps are called `{}`", twice.name)));
        }
        let policies = PolicySet::new().with(Layer::Project, path, Some(Dialect::Workflow));
        let module = policies.compile().map_err(|error| policy::failure(&error))?;
        Ok(Self {
            agent: sender.id,
            name: sender.workflow.name,
            goal: sender.current_goal,
            system: sender.system_prompt,
            opening: sender.balance,
            depth: sender.max_hook_depth.unwrap_or(hookc_runtime::workflow::DEPTH),
            context: sender.context,
            artifacts: known,
            steps: sender.workflow.steps,
            directory,
            engine: Engine::new(module),
            hash: hash.finalize().to_hex().to_string(),
        })
    }
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path, value: Value) -> Result<T, Failure> {
    if !value.is_object() {
        return Err(Failure::usage(format!("{}: it is not a mapping of names to values", path.display())));
    }
    serde_json::from_value(value).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// A YAML or JSON file, as text and as a value.
fn value(path: &Path) -> Result<(String, Value), Failure> {
    let wrong = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let most = hookc_syntax::limits::SOURCE_BYTES;
    let bytes = hookc_runtime::open::read(path, most).map_err(|error| wrong(error.to_string()))?;
    if bytes.len() > most {
        return Err(wrong(format!("it is larger than {most} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text".to_owned()))?;
    let (mut sources, mut reported) = (Sources::new(), Diagnostics::new());
    let source = sources.add(path.display().to_string(), text.as_str());
    let read = yaml::read(&text, source, &mut reported);
    if let Some(error) = reported.iter().find(|one| one.is_error()) {
        let location = error.span().map(|span| sources.location(span)).unwrap_or_default();
        return Err(Failure::usage(format!("{location}: {}", error.message)));
    }
    let json = read.as_ref().map(print::json).unwrap_or_default();
    let value = serde_json::from_str(&json).map_err(|error| wrong(error.to_string()))?;
    Ok((text, value))
}
