//! The module: what the compiler writes and the VM reads.
//!
//! `Image` (tables as vectors) `→ encode → bytes → decode → verify →`
//! [`Module`]. Only a [`Module`] evaluates.

pub mod format;
mod image;

pub use format::Row;
pub use image::Image;
