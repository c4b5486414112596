//! The types that the compiler and the virtual machine of hookc share: the closed enums of the
//! language, and its actions. This crate depends on no other crate of hookc.

pub mod action;
mod kinds;
pub mod text;

pub use kinds::{Family, Layer, Mode, OnError, OnFailure, Strategy};
