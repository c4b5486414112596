//! Options of a session that are saved with it, so that a resumed session has the same rules.
//!
//! An option that is given again replaces the saved one. A file that is gone or has changed since is
//! an error: the rules would be others without anybody's knowledge.

use std::path::{Path, PathBuf};

use crate::args::Common;
use crate::failure::Failure;
use crate::store::{self, Journal, Kind, Saved, SavedFile, Step};

impl SavedFile {
    /// The file as it is now.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
        let about = path.metadata().map_err(failed)?;
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // A pipe is read once, by who needs its content.
        let is_lasting = about.is_file() || about.is_dir();
        let hash = if is_lasting { hash(&real).map_err(failed)? } else { String::new() };
        Ok(Self { path: real, hash })
    }

    /// Its path, if it is still the same file.
    pub(crate) fn unchanged(&self, what: &str) -> Result<PathBuf, Failure> {
        let path = self.path.display();
        match hash(&self.path) {
            Ok(hash) if hash == self.hash => Ok(self.path.clone()),
            Ok(_) => {
                Err(Failure::usage(format!("{what} {path} has changed since it was saved with the session")))
            }
            Err(error) => {
                Err(Failure::usage(format!("{what} {path}, which is saved with the session: {error}")))
            }
        }
    }
}

/// The hash of a file, or of the files in a directory with their names.
fn hash(path: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    add(path, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn add(path: &Path, hasher: &mut blake3::Hasher) -> std::io::Result<()> {
    if !path.is_dir() {
        if !path.metadata()?.is_file() {
            return Err(std::io::Error::other("it is not a regular file"));
        }
        hasher.update(&std::fs::read(path)?);
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)?
        .map(|entry| entry.map(|dir_entry| dir_entry.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        hasher.update(entry.file_name().unwrap_or_default().as_encoded_bytes());
        hasher.update(&[0]);
        add(&entry, hasher)?;
    }
    Ok(())
}

impl Saved {
    /// The options of a command line.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn read(common: &Common) -> Result<Self, Failure> {
        let files = |paths: &[PathBuf]| -> Result<Vec<SavedFile>, Failure> {
            paths.iter().map(|path| SavedFile::read(path)).collect()
        };
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Ok(Self {
            model: common.model.as_deref().map(absolute_model),
            base_url: common.base_url.clone(),
            model_timeout: common.model_timeout,
            settings: files(&common.settings)?,
            policy: files(&common.policy)?,
            merge: common.merge,
            max_turns: common.max_turns,
            max_tokens: common.max_tokens,
            max_budget: common.max_budget,
            price: common.price,
            context_window: common.context_window,
            max_output_tokens: common.max_output_tokens,
            permission_mode: common.permission_mode,
            allow: common.allow.clone(),
            deny: common.deny.clone(),
            append_system_prompt: common.append_system_prompt.clone(),
            max_depth: common.max_depth,
            log: common.log.as_ref().map(absolute),
        })
    }

    /// Adds to a command line what it does not say itself.
    fn complete(self, common: &mut Common) -> Result<(), Failure> {
        let files = |option: &str, saved: Vec<SavedFile>, given: &mut Vec<PathBuf>| -> Result<(), Failure> {
            if !given.is_empty() {
                return Ok(());
            }
            let path = |saved_file: SavedFile| {
                saved_file.unchanged(option).map_err(|failure| {
                    Failure::usage(format!("{failure}; give `{option}` again to use other files"))
                })
            };
            *given = saved.into_iter().map(path).collect::<Result<_, Failure>>()?;
            Ok(())
        };
        files("--settings", self.settings, &mut common.settings)?;
        files("--policy", self.policy, &mut common.policy)?;
        let lists = [(self.allow, &mut common.allow), (self.deny, &mut common.deny)];
        for (saved, given) in lists {
            if given.is_empty() {
                *given = saved;
            }
        }
        fill(&mut common.base_url, self.base_url, common.model.is_some());
        fill(&mut common.model, self.model, false);
        fill(&mut common.model_timeout, self.model_timeout, false);
        fill(&mut common.merge, self.merge, false);
        fill(&mut common.max_turns, self.max_turns, false);
        fill(&mut common.max_tokens, self.max_tokens, false);
        fill(&mut common.max_budget, self.max_budget, false);
        fill(&mut common.price, self.price, false);
        fill(&mut common.context_window, self.context_window, false);
        fill(&mut common.max_output_tokens, self.max_output_tokens, false);
        fill(&mut common.permission_mode, self.permission_mode, false);
        fill(&mut common.append_system_prompt, self.append_system_prompt, false);
        fill(&mut common.max_depth, self.max_depth, false);
        fill(&mut common.log, self.log, false);
        Ok(())
    }
}

/// A value that is not given is the saved one, unless another option makes it obsolete.
fn fill<T>(given: &mut Option<T>, saved: Option<T>, is_obsolete: bool) {
    if given.is_none() && !is_obsolete {
        *given = saved;
    }
}

/// The name of a model; the path of a script does not depend on the working directory.
pub(crate) fn absolute_model(name: &str) -> String {
    match name.strip_prefix("script:") {
        Some(file) => {
            let path = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
            format!("script:{}", path.display())
        }
        None => name.to_owned(),
    }
}

/// The options of a session that is resumed: those of the command line, completed by the saved ones.
///
/// # Errors
/// The session cannot be read, or is of another kind; a file is gone or has changed.
pub(crate) fn restored(mut common: Common, id: Option<&str>, kind: Kind) -> Result<Common, Failure> {
    if let Some(id) = id {
        let steps = steps(common.state.as_deref(), id, kind)?;
        let saved = steps.into_iter().rev().find_map(|step| match step {
            Step::Options { options } => Some(*options),
            _ => None,
        });
        saved.unwrap_or_default().complete(&mut common)?;
    }
    if common.max_budget.is_some() && common.price.is_none() {
        return Err(Failure::usage(
            "`--max-budget` needs the prices of the model: `--price IN/OUT`, in USD per million tokens, such as `3/15`",
        ));
    }
    Ok(common)
}

/// The steps of a saved session of this kind.
///
/// # Errors
/// It cannot be read, or is of another kind.
pub(crate) fn steps(state: Option<&Path>, id: &str, kind: Kind) -> Result<Vec<Step>, Failure> {
    if !crate::id::is_session(id) {
        return Err(Failure::usage(crate::id::wrong(id)));
    }
    let directory = store::directory(state).map_err(Failure::usage)?;
    let read = Journal::read(&directory, id).map_err(|error| Failure::usage(error.to_string()))?;
    let saved_kind = read.iter().find_map(|entry| match &entry.step {
        Step::Session { kind, .. } => Some(*kind),
        _ => None,
    });
    match saved_kind.filter(|saved_kind| *saved_kind != kind) {
        Some(saved_kind) => Err(Failure::usage(format!(
            "{id} is {}, not {}: continue it with `{}`",
            saved_kind.as_str(),
            kind.as_str(),
            saved_kind.command(id)
        ))),
        None => Ok(read.into_iter().map(|entry| entry.step).collect()),
    }
}
