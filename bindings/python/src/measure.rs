//! The same decision in Rust alone, for `bench/decide.py`.

use std::time::Instant;

use hookc::DecideOptions;
use pyo3::prelude::*;

use crate::engine::with_scratch;
use crate::error;
use crate::policy::Policy;

/// The seconds that `count` decisions about an event take, without Python.
#[pyfunction]
pub(crate) fn _rust_seconds(
    py: Python<'_>,
    policy: &Bound<'_, Policy>,
    event: &[u8],
    count: u32,
) -> PyResult<f64> {
    let module = policy.get().inner.module();
    let options = DecideOptions::default();
    let run = || {
        let start = Instant::now();
        for _ in 0..count {
            let decided = with_scratch(|scratch| {
                let decision = module.decide(scratch, std::hint::black_box(event), &options)?;
                Ok::<_, hookc::DecideError>(hookc::Decision::from(&decision))
            });
            std::hint::black_box(decided?);
        }
        Ok(start.elapsed().as_secs_f64())
    };
    py.detach(run).map_err(|error: hookc::DecideError| error::of_decide(&error))
}
