//! A directive: a Markdown or XML file with instructions and the hooks of its thread.

use std::path::{Path, PathBuf};

use hookc_base::Layer;
use hookc_compiler::Dialect;
use hookc_runtime::Engine;
use hookc_runtime::skill::SkillRegistry;
use hookc_runtime::thread::Returns;
use hookc_syntax::limits::SOURCE_BYTES;

use crate::args::Common;
use crate::failure::Failure;
use crate::policy::Files;

/// Where a project has its directives.
const DIRECTORY: &str = ".ai/directives";
const ENDINGS: [&str; 2] = ["md", "xml"];

/// A directive.
#[derive(Clone, Debug)]
pub(crate) struct Directive {
    /// As events have it.
    pub(crate) name: String,
    path: PathBuf,
    pub(crate) text: String,
}

impl Directive {
    /// The directive of a path, or of a name in the project.
    ///
    /// # Errors
    /// The file is missing or cannot be read.
    pub(crate) fn open(project: &Path, given: &str) -> Result<Self, Failure> {
        let path = Path::new(given);
        if path.is_file() {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            return Self::read(name, path.to_owned());
        }
        Self::named(project, given)?.ok_or_else(|| Failure::usage(missing(given)))
    }

    /// The directive of a name in the project, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or the name leads out of the directory of directives.
    pub(crate) fn named(project: &Path, name: &str) -> Result<Option<Self>, Failure> {
        let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0']);
        if !name.split('/').all(plain) {
            return Err(Failure::usage(format!("`{name}` is not the name of a directive")));
        }
        let paths = ENDINGS.map(|ending| project.join(DIRECTORY).join(format!("{name}.{ending}")));
        match paths.into_iter().find(|path| path.symlink_metadata().is_ok()) {
            Some(path) => Self::read(name.to_owned(), path).map(Some),
            None => Ok(None),
        }
    }

    fn read(name: String, path: PathBuf) -> Result<Self, Failure> {
        let wrong = |why: String| Failure::usage(format!("{}: {why}", path.display()));
        let bytes =
            hookc_runtime::open::read(&path, SOURCE_BYTES).map_err(|error| wrong(error.to_string()))?;
        if bytes.len() > SOURCE_BYTES {
            return Err(wrong(format!("it is larger than {SOURCE_BYTES} bytes")));
        }
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text".to_owned()))?;
        Ok(Self { name, path, text })
    }

    /// The policies of its thread: those of the project, and its own hooks.
    pub(crate) fn policies(&self, common: &Common, project: &Path) -> Result<(Engine, Returns), Failure> {
        let mut files = Files::new(project, &common.settings, &common.policy);
        files.policies.push((Layer::Directive, self.path.clone(), Some(Dialect::DirectiveXml)));
        let skills = SkillRegistry::read(files.skills.0.as_deref(), Some(&files.skills.1));
        files.compile(&skills, common.merge())
    }

    /// The hash of its text.
    pub(crate) fn hash(&self) -> String {
        blake3::hash(self.text.as_bytes()).to_hex().to_string()
    }
}

pub(super) fn missing(name: &str) -> String {
    format!("there is no directive `{name}`: expected a file, or `{DIRECTORY}/{name}.md` or `.xml`")
}
