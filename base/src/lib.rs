//! The words that the compiler and the virtual machine of hookc share: the
//! closed enums of the language. It depends on no other crate.

mod kinds;

pub use kinds::{Family, Layer, Mode, OnError, OnFailure, Strategy};
