//! Variables that cannot change what programs do.

use std::sync::LazyLock;

use super::super::Text;
use super::super::pattern::glob::{Case, Glob, Syntax};
use super::super::pattern::machine::{Match, Meter};
use super::shipped_sets;

/// Whether setting a variable is harmless: one of a list, or a lower-case name that no program gets. Shells tie some
/// lower-case names to variables in capital letters, and programs read some without `export`.
pub(in super::super) fn is_harmless(name: &str, is_exported: bool) -> bool {
    static HARMLESS: LazyLock<Vec<Glob>> = LazyLock::new(|| globs("harmless_variables"));
    static LOWER_CASE: LazyLock<Vec<Glob>> = LazyLock::new(|| globs("lower_case_variables"));
    let is_in = |globs: &[Glob]| {
        let text = Text::literal(name);
        globs.iter().any(|glob| glob.matches(text, Match::Certain, Case::Respected, &Meter::default()))
    };
    let is_lower =
        !name.is_empty() && !name.contains(|next: char| next.is_ascii_uppercase() || !next.is_ascii());
    is_in(&HARMLESS) || is_lower && !is_exported && !is_in(&LOWER_CASE)
}

fn globs(set: &str) -> Vec<Glob> {
    let set = shipped_sets().iter().find(|shipped| shipped.name == set);
    set.into_iter().flat_map(|set| set.of).map(|pattern| Glob::new(pattern, Syntax::Text)).collect()
}
