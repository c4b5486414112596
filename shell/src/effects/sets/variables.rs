//! Variables that cannot change what programs do.

use super::super::Text;
use super::super::pattern::glob::{Case, Glob, Syntax};
use super::super::pattern::machine::{Match, Meter};
use super::shipped_sets;

/// Whether setting a variable is harmless: one of a list, or a lower-case name that no program gets. Shells tie some
/// lower-case names to variables in capital letters, and programs read some without `export`.
pub(in super::super) fn is_harmless(name: &str, is_exported: bool) -> bool {
    let is_in = |set: &str| {
        let set = shipped_sets().iter().find(|shipped| shipped.name == set);
        let mut patterns = set.into_iter().flat_map(|set| set.of);
        patterns.any(|pattern| {
            let glob = Glob::new(pattern, Syntax::Text);
            glob.matches(Text::literal(name), Match::Certain, Case::Respected, &Meter::default())
        })
    };
    let is_lower =
        !name.is_empty() && !name.contains(|next: char| next.is_ascii_uppercase() || !next.is_ascii());
    is_in("harmless_variables") || is_lower && !is_exported && !is_in("lower_case_variables")
}
