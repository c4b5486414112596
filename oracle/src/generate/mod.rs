//! Random policies with matching events: small pools of paths and values, so that leaves are often
//! true. A case is a seed; the same seed gives the same case on every machine.

mod action;
pub mod effects;
mod event;
mod hand;
pub mod history;
mod near;
mod policy;
mod pool;
mod predicate;
mod query;
mod rng;
mod schema;
pub mod variants;
mod when;

pub use event::{event, event_near};
pub use hand::handwritten;
pub use policy::{Shape, policies};
pub use predicate::programs;
pub use rng::Rng;
pub use schema::{schema, value};
pub use when::when;
