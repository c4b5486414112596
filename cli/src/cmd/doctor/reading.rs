//! The agents' files that `doctor` reads: each is opened and parsed once, however many checks use it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use hookc_runtime::open;
use hookc_schema::value::Value;
use hookc_schema::{Diagnostics, Sources};
use hookc_syntax::front::settings_value;

use crate::files;
use crate::installed::location;

/// The maximum size of an agent's file that is read.
const BYTES: usize = 16 << 20;

/// A file of an agent.
#[derive(Debug)]
pub(super) struct AgentText {
    pub(super) root: Value,
    pub(super) sources: Sources,
}

/// The files by their absolute paths; `None` for one that cannot be read.
#[derive(Debug, Default)]
pub(super) struct Readings {
    read: RefCell<BTreeMap<PathBuf, Option<Rc<AgentText>>>>,
}

impl Readings {
    /// Takes over a file that a check read.
    pub(super) fn add(&self, path: &Path, text: Option<Rc<AgentText>>) {
        self.read.borrow_mut().insert(location::normalized(path), text);
    }

    /// A file, if it can be read.
    pub(super) fn read(&self, path: &Path) -> Option<Rc<AgentText>> {
        let key = location::normalized(path);
        if let Some(known) = self.read.borrow().get(&key) {
            return known.clone();
        }
        let text = opened(path).map(Rc::new);
        self.read.borrow_mut().insert(key, text.clone());
        text
    }
}

fn opened(path: &Path) -> Option<AgentText> {
    let text = String::from_utf8(open::read(path, BYTES).ok()?).ok()?;
    // Under the name it has when found in a directory, so that each finding is reported once.
    let here = std::env::current_dir().ok();
    let shown = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    let (mut sources, name) = (Sources::new(), files::name(shown.as_deref().unwrap_or(path)));
    let source = sources.add(name.as_str(), text.as_str());
    Some(AgentText { root: settings_value(&name, &text, source, &mut Diagnostics::new())?, sources })
}
