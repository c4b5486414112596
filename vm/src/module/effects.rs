//! The predicates about effects of a module, and the roles of inputs, each made when it is first needed; and the programs
//! of policies.

use std::sync::OnceLock;

use hookc_shell::effects::{Candidates, Compiled, Predicate, Set, Tools, check};
use hookc_shell::programs::Programs;

use super::{LoadError, Tables, row};
use crate::rows::SectionKind;

/// Makes a predicate of its parts.
type Make = fn(Predicate, &[Set], &Programs) -> Option<Compiled>;

/// What the rows of a module mean; `None` for one that is not valid.
#[derive(Debug)]
pub(crate) struct Effects {
    predicates: Box<[OnceLock<Option<Compiled>>]>,
    tools: Box<[OnceLock<Option<Tools>>]>,
    candidates: OnceLock<Candidates>,
    /// The programs of policies.
    pub(super) programs: Programs,
}

impl Effects {
    pub(super) fn new(tables: &Tables<'_>) -> Result<Self, LoadError> {
        fn cells<T>(count: usize) -> Box<[OnceLock<T>]> {
            std::iter::repeat_with(OnceLock::new).take(count).collect()
        }
        let programs = tables.shell_programs()?;
        let (predicates, tools) = (cells(tables.effects.len()), cells(tables.scopes.len()));
        Ok(Self { predicates, tools, candidates: OnceLock::new(), programs })
    }

    /// A predicate, whose patterns are read when they are needed; `None` for one that is not valid.
    pub(crate) fn predicate(&self, tables: &Tables<'_>, number: u32) -> Option<&Compiled> {
        self.predicate_with(tables, number, |predicate, sets, programs| {
            Some(Compiled::new(predicate, sets, programs))
        })
    }

    /// The predicates by what an event must have so that they are true.
    pub(crate) fn candidates(&self, tables: &Tables<'_>) -> &Candidates {
        self.candidates.get_or_init(|| {
            let numbers = (0..).take(self.predicates.len());
            Candidates::new(&numbers.map(|number| self.predicate(tables, number)).collect::<Vec<_>>())
        })
    }

    fn predicate_with(&self, tables: &Tables<'_>, number: u32, make: Make) -> Option<&Compiled> {
        let compiled = || {
            let bytes = tables.blob_of(row(tables.effects, number)?.predicate);
            let (predicate, sets) = Predicate::decode(bytes).ok()?;
            make(predicate, &sets, &self.programs)
        };
        self.predicates.get(number as usize)?.get_or_init(compiled).as_ref()
    }

    /// The roles of inputs of a scope; `None` for bytes that are not valid.
    pub(crate) fn tools(&self, tables: &Tables<'_>, scope: u32) -> Option<&Tools> {
        let tools = || Tools::decode(tables.blob_of(row(tables.scopes, scope)?.tools)).ok();
        self.tools.get(scope as usize)?.get_or_init(tools).as_ref()
    }

    /// Makes all of them, with all regular expressions.
    pub(super) fn compile(&self, tables: &Tables<'_>) -> Result<(), LoadError> {
        let invalid = |section, row, what| Err(LoadError::Row { section, row, what });
        for (number, row) in (0..).zip(0..self.tools.len()) {
            if self.tools(tables, number).is_none() {
                return invalid(SectionKind::Scopes, row, "the bytes are not roles of inputs");
            }
        }
        let checked: Make = |predicate, sets, programs| check(&predicate, sets, programs).ok();
        for (number, row) in (0..).zip(0..self.predicates.len()) {
            if self.predicate_with(tables, number, checked).is_none() {
                return invalid(SectionKind::Effects, row, "the bytes are not a predicate");
            }
        }
        Ok(())
    }
}
