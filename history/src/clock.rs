//! The history clock, which never goes back.

/// What the clocks of a machine showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Which boot of which machine: a hash of its id, or [`Reading::NO_BOOT`].
    pub boot: u64,
    /// Milliseconds since then, with sleep.
    pub since_boot: u64,
    /// Milliseconds of the wall clock since 1970.
    pub wall: u64,
}

impl Reading {
    /// The boot of a machine without a clock of the boot.
    pub const NO_BOOT: u64 = 0;

    /// Milliseconds since an earlier reading: by the boot clock within one boot, else by the wall clock, at least 0. So
    /// setting the wall clock changes nothing.
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        if self.boot == earlier.boot && self.boot != Self::NO_BOOT {
            self.since_boot.saturating_sub(earlier.since_boot)
        } else {
            self.wall.saturating_sub(earlier.wall)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_changes_nothing() {
        let first = Reading { boot: 1, since_boot: 1_000, wall: 5_000_000 };
        let set_back = Reading { boot: 1, since_boot: 4_000, wall: 1_000 };
        assert_eq!(set_back.since(first), 3_000);
        let set_forward = Reading { boot: 1, since_boot: 4_000, wall: 9_000_000 };
        assert_eq!(set_forward.since(first), 3_000);
    }

    #[test]
    fn the_wall_clock_counts_from_one_boot_to_another() {
        let first = Reading { boot: 1, since_boot: 900_000, wall: 5_000_000 };
        assert_eq!(Reading { boot: 2, since_boot: 10, wall: 5_060_000 }.since(first), 60_000);
        assert_eq!(Reading { boot: 2, since_boot: 10, wall: 4_000_000 }.since(first), 0);
    }
}
