//! The state of an instance, and what its functions do.

use std::collections::BTreeMap;

use hookc::{Module, Scratch, Session};
use hookc_bindings::{Failure, Options, Status};
use serde_json::json;

use crate::buffers::Buffers;

/// The version of this interface: it changes if a function, a status or a member of a failure changes.
pub(crate) const INTERFACE: u32 = 4;

/// The schema of `hookc_runtime::thread::Returns`, compiled.
const RETURNS: &[u8] = include_bytes!("../../../runtime/src/thread/returns.hookc");

/// Address and length of bytes that the host wrote.
#[derive(Clone, Copy)]
pub(crate) struct Input(pub(crate) usize, pub(crate) usize);

#[derive(Default)]
pub(crate) struct Instance {
    pub(crate) buffers: Buffers,
    modules: BTreeMap<u32, Module>,
    pub(crate) sessions: BTreeMap<u32, Session>,
    /// Handles are never used again, so that an old one is noticed.
    last: u32,
    scratch: Scratch,
    /// What the last call made.
    pub(crate) result: Vec<u8>,
}

impl Instance {
    /// Keeps what a call made, and returns its status.
    pub(crate) fn finish(&mut self, done: Result<(u32, Vec<u8>), Failure>) -> i32 {
        match done {
            Ok((handle, result)) => {
                self.result = result;
                i32::try_from(handle).unwrap_or(0)
            }
            Err(failure) => {
                self.result = failure.to_json().into_bytes();
                -(failure.status as i32)
            }
        }
    }

    pub(crate) fn version() -> Vec<u8> {
        let compiler = cfg!(feature = "compiler");
        let version = env!("CARGO_PKG_VERSION");
        let format = hookc::MODULE_VERSION;
        json!({"hookc": version, "interface": INTERFACE, "format": format, "compiler": compiler})
            .to_string()
            .into_bytes()
    }

    /// Loads a module; its handle.
    pub(crate) fn load(&mut self, input: Input) -> Result<u32, Failure> {
        let bytes = self.buffers.read(input.0, input.1)?;
        let mut owned = Vec::new();
        owned.try_reserve_exact(bytes.len()).map_err(|_| out_of_memory(bytes.len()))?;
        owned.extend_from_slice(bytes);
        let module = Module::load(owned).map_err(|error| Failure::module(&error))?;
        self.keep(module)
    }

    pub(crate) fn keep(&mut self, module: Module) -> Result<u32, Failure> {
        let handle = self.next_handle()?;
        self.modules.insert(handle, module);
        Ok(handle)
    }

    /// A handle that was never used.
    pub(crate) fn next_handle(&mut self) -> Result<u32, Failure> {
        let full = || Failure::new(Status::Memory, "no handle is left");
        self.last = self.last.checked_add(1).filter(|next| i32::try_from(*next).is_ok()).ok_or_else(full)?;
        Ok(self.last)
    }

    pub(crate) fn unload(&mut self, handle: u32) -> Result<(), Failure> {
        self.modules.remove(&handle).map(drop).ok_or_else(|| unknown(handle))
    }

    /// The decision about an event, as JSON.
    pub(crate) fn decide(&mut self, handle: u32, event: Input, options: Input) -> Result<Vec<u8>, Failure> {
        let module = self.modules.get(&handle).ok_or_else(|| unknown(handle))?;
        let event = self.buffers.read(event.0, event.1)?;
        let options = Options::read(self.buffers.read(options.0, options.1)?)?;
        let decided = module.decide(&mut self.scratch, event, &options.decide()?);
        let decision = decided.map_err(|error| Failure::event(&error, event))?;
        // The buffer of the last result, which is no longer valid.
        let mut out = String::from_utf8(std::mem::take(&mut self.result)).unwrap_or_default();
        out.clear();
        decision.write_json(&mut out);
        Ok(out.into_bytes())
    }

    /// Loads the shipped schema of what actions of threads return; its handle.
    pub(crate) fn returns(&mut self) -> Result<u32, Failure> {
        let module = Module::load(RETURNS.to_vec()).map_err(|error| Failure::module(&error))?;
        self.keep(module)
    }

    /// The event type that a name probably means; empty for a known name, and for a name that resembles no
    /// known one.
    pub(crate) fn misspelt(&self, handle: u32, name: Input) -> Result<Vec<u8>, Failure> {
        let module = self.modules.get(&handle).ok_or_else(|| unknown(handle))?;
        let name = std::str::from_utf8(self.buffers.read(name.0, name.1)?);
        let name = name.map_err(|_| Failure::argument("the name is not UTF-8"))?;
        Ok(module.misspelt_event_type(name).unwrap_or_default().as_bytes().to_vec())
    }

    /// The module of a handle.
    pub(crate) fn module(&self, handle: u32) -> Result<&Module, Failure> {
        self.modules.get(&handle).ok_or_else(|| unknown(handle))
    }
}

fn unknown(handle: u32) -> Failure {
    Failure::new(Status::Handle, format!("no module has the handle {handle}"))
}

fn out_of_memory(bytes: usize) -> Failure {
    Failure::new(Status::Memory, format!("no memory for {bytes} bytes"))
}
