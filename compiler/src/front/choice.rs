//! The words of keys that hooks have in more than one notation.

use hookc_schema::tree::{Mode, OnError, OnFailure};

/// Of `mode`.
pub(super) const MODES: &[(&str, Mode)] =
    &[("enforce", Mode::Enforce), ("warn", Mode::Warn), ("shadow", Mode::Shadow)];

/// Of `on_error`.
pub(super) const ON_ERROR: &[(&str, OnError)] =
    &[("skip", OnError::Skip), ("fail", OnError::Fail), ("retry", OnError::Retry)];

/// Of `on_failure`.
pub(super) const ON_FAILURE: &[(&str, OnFailure)] =
    &[("open", OnFailure::Open), ("closed", OnFailure::Closed)];
