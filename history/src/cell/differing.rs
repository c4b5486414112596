//! The latest matches that differ: `formerly(E where f != now.f)`.
//!
//! Each conjunct `not (TIES and ...)` excludes the events that have the current key. Whatever the current keys are, the
//! latest event that they do not exclude is among few: a match is kept only if some keys exclude all later ones that
//! are kept, and not it. With one current and one past key for each of `m` conjuncts there are at most `2^m` such
//! (Bollobás' theorem on pairs of sets, for sets with one element in each of `m` parts).

use super::{KEY, STAMP};
use crate::key::Key;
use crate::limits::{CONJUNCTS, EXCLUDED};
use crate::stamp::Stamp;

/// A match, and for each conjunct the current keys that exclude it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) stamp: Stamp,
    pub(crate) excluded: Box<[Vec<Key>]>,
}

impl Match {
    /// Whether one of the current keys excludes it.
    fn is_excluded(&self, keys: &[Vec<Key>]) -> bool {
        self.excluded.iter().zip(keys).any(|(excluded, keys)| keys.iter().any(|key| excluded.contains(key)))
    }
}

/// The matches that are kept, the latest first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Differing {
    pub(crate) matches: Vec<Match>,
    /// The latest match that was dropped because one current key for each conjunct cannot lead to it. Several can.
    pub(crate) pruned: Option<Stamp>,
}

impl Differing {
    /// Bytes that they take in a file, about.
    pub(crate) fn bytes(&self) -> usize {
        let keys = |found: &Match| found.excluded.iter().map(Vec::len).sum::<usize>().saturating_mul(KEY);
        self.matches.iter().map(|found| keys(found).saturating_add(STAMP)).sum()
    }

    /// Adds a match; the stamp of the latest one that could not be kept, although some keys lead to it.
    pub(crate) fn add(&mut self, stamp: Stamp, excluded: &[Vec<Key>]) -> Option<Stamp> {
        if excluded.len() > CONJUNCTS || excluded.iter().any(|keys| keys.len() > EXCLUDED) {
            return Some(stamp);
        }
        let most = 1_usize << excluded.len();
        let added = Match { stamp, excluded: excluded.into() };
        let earlier = std::mem::replace(&mut self.matches, vec![added]);
        let mut lost = None;
        for candidate in earlier {
            if !is_needed(&self.matches, &candidate, &mut vec![Vec::new(); excluded.len()]) {
                self.pruned = self.pruned.max(Some(candidate.stamp));
            } else if self.matches.len() >= most {
                lost = lost.max(Some(candidate.stamp));
            } else {
                self.matches.push(candidate);
            }
        }
        lost
    }

    /// The latest match that the current keys do not exclude.
    pub(crate) fn latest(&self, keys: &[Vec<Key>]) -> Option<Stamp> {
        self.matches.iter().find(|found| !found.is_excluded(keys)).map(|found| found.stamp)
    }
}

/// Whether some current keys, one for each conjunct, exclude all that is kept and not the candidate. `keys` are those
/// that have been chosen.
fn is_needed(kept: &[Match], candidate: &Match, keys: &mut Vec<Vec<Key>>) -> bool {
    let Some(first) = kept.iter().find(|found| !found.is_excluded(keys)) else { return true };
    for (index, (excluded, spared)) in first.excluded.iter().zip(&candidate.excluded).enumerate() {
        if keys.get(index).is_none_or(|chosen| !chosen.is_empty()) {
            continue;
        }
        for key in excluded.iter().filter(|key| !spared.contains(key)) {
            choose(keys, index, Some(*key));
            if is_needed(kept, candidate, keys) {
                return true;
            }
            choose(keys, index, None);
        }
    }
    false
}

fn choose(keys: &mut [Vec<Key>], index: usize, key: Option<Key>) {
    if let Some(chosen) = keys.get_mut(index) {
        chosen.clear();
        chosen.extend(key);
    }
}
