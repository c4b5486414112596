//! A summary of a module, for `compile -v`.

use hookc_vm::format::{Header, Section, SectionKind};
use hookc_vm::{LoadError, Module};

/// Sizes of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes in all.
    pub bytes: usize,
    /// The total number of hooks; one with several events counts once per event.
    pub hooks: usize,
    /// The header, then the non-empty sections, in the order of the module.
    pub sections: Vec<SectionSize>,
    /// Event types, in the module's order.
    pub events: Vec<EventSize>,
}

/// Size of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionSize {
    /// Its name.
    pub name: &'static str,
    /// Rows.
    pub rows: usize,
    /// Bytes without padding.
    pub bytes: usize,
}

/// Hooks of an event type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventSize {
    /// Its vocabulary.
    pub family: &'static str,
    /// Its name.
    pub name: String,
    /// `first` or `all`.
    pub strategy: &'static str,
    /// Hooks.
    pub hooks: usize,
}

/// Size per section, hooks per event.
///
/// # Errors
/// The module was opened, and is not valid.
pub fn summary(module: &Module) -> Result<Summary, LoadError> {
    let tables = module.tables()?;
    let sized = |kind: &SectionKind| {
        let rows = tables.rows(*kind);
        SectionSize { name: kind.name(), rows, bytes: rows * kind.width() }
    };
    let mut sections: Vec<SectionSize> = SectionKind::ALL.iter().map(sized).filter(|s| s.rows > 0).collect();
    let frame = size_of::<Header>() + sections.len() * size_of::<Section>();
    sections.insert(0, SectionSize { name: "header", rows: 1, bytes: frame });
    let events = module.events().map(|event| EventSize {
        family: event.family.name(),
        name: event.name.to_owned(),
        strategy: event.strategy.name(),
        hooks: event.hooks,
    });
    let (bytes, hooks) = (module.bytes().len(), tables.hooks.len());
    Ok(Summary { bytes, hooks, sections, events: events.collect() })
}
