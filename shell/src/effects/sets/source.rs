//! What patterns can name, for those that are read later.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::Set;
use super::Sets;
use crate::programs::Programs;

/// What patterns can name.
#[derive(Debug)]
pub(in super::super) struct Source {
    /// The sets of the policy.
    pub(in super::super) sets: Vec<Set>,
    pub(in super::super) programs: Programs,
    /// A pattern was needed that cannot be read.
    has_failed: AtomicBool,
}

impl Source {
    pub(in super::super) fn new(sets: Vec<Set>, programs: &Programs) -> Self {
        Self { sets, programs: programs.clone(), has_failed: AtomicBool::new(false) }
    }

    pub(in super::super) fn sets(&self) -> Sets<'_> {
        Sets { declared: &self.sets, programs: &self.programs }
    }

    /// Whether each pattern could be read that was needed so far.
    pub(in super::super) fn is_readable(&self) -> bool {
        !self.has_failed.load(Ordering::Relaxed)
    }

    /// Notes that a pattern cannot be read.
    pub(in super::super) fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }
}
