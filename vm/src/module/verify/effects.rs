//! Predicates about effects, as far as their rows say; their bytes are verified when they are compiled.

use super::{Checked, Work, ensure, spans, within};
use hookc_shell::limits::SHELL_PROGRAMS;

use crate::limits::EFFECT_BYTES;
use crate::module::Tables;
use crate::rows::{NONE, SectionKind};

/// The rows of programs, predicates and scopes are in range, and their bytes are within the limit.
pub(super) fn effects(t: &Tables<'_>, work: &mut Work) -> Checked {
    ensure(t.blob.len() <= EFFECT_BYTES, SectionKind::Blob, 0, "more bytes than the limit")?;
    ensure(t.programs.len() <= SHELL_PROGRAMS, SectionKind::Programs, 0, "too many programs")?;
    for (row, program) in t.programs.iter().enumerate() {
        ensure(spans(*program, t.blob), SectionKind::Programs, row, "the bytes are out of range")?;
        work.charge(program.length.get() as usize)?;
    }
    for (row, scope) in t.scopes.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Scopes, row, what);
        bad(scope.input.get() < t.slots, "the input is out of range")?;
        for slot in [scope.tool, scope.host_tool, scope.cwd, scope.project] {
            bad(slot.get() == NONE || slot.get() < t.slots, "a slot is out of range")?;
        }
        let stated = scope.stated.get() == NONE || within(scope.stated, t.strings);
        bad(stated, "the project is out of range")?;
        bad(spans(scope.tools, t.blob), "the roles are out of range")?;
        work.charge(scope.tools.length.get() as usize)?;
    }
    for (row, effect) in t.effects.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Effects, row, what);
        bad(spans(effect.predicate, t.blob), "the bytes are out of range")?;
        bad(within(effect.scope, t.scopes), "the scope is out of range")?;
        work.charge(effect.predicate.length.get() as usize)?;
    }
    Ok(())
}
