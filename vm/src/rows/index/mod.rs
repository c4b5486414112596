//! Indexes in a module: the hash, the filters, the grams and the sets that their tables are made of. What their
//! probes and dimensions look for is in [`ProbeTag`](hookc_base::ProbeTag) and
//! [`DimTag`](hookc_base::DimTag).

pub mod affix;
pub mod filter;
pub mod gram;
pub mod hash;
pub mod set;
