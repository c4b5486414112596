//! Renderers, a file each: `text` for people, `short` a line each, `json`.

pub mod json;
pub mod short;
pub mod text;
