//! The objects of every dialect, one table each: keys, types, what must be
//! there, other names, earlier editions. Front ends decode by them, the
//! formatter orders keys by them, the published schemas are made of them.

pub mod declared;
pub mod hooks;
pub mod repository;
pub mod settings;
pub mod skill;
pub mod test;
pub mod workflow;
pub mod xml;
