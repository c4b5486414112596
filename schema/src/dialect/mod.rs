//! The objects of every dialect, one table each: keys, types, required keys, synonyms, legacy keys.
//! Front ends decode with them, detection and the formatter use their keys, and the published JSON
//! Schemas are made from them.

pub mod declared;
pub mod history;
pub mod hooks;
pub mod meant;
pub mod moment;
pub mod predicates;
pub mod repository;
pub mod settings;
pub mod skill;
pub mod test;
pub mod workflow;
pub mod xml;

/// The key of the hooks in files of all dialects that are mappings.
pub const HOOKS: &str = "hooks";
