//! Managers of packages, as they are in front of the packages that a program adds: `npm:left-pad`, whichever program
//! adds it.

use super::notation::Role;
use super::{If, Place, Row, program, rows};

/// The manager of the packages that a program adds: `npm` of `yarn`, `pypi` of `pip`. `None` if it adds none.
#[must_use]
pub fn manager(name: &str) -> Option<&'static str> {
    let program = program(name)?;
    of_row(program.row, None, program.kind)
}

/// Whether a name is one of a manager.
#[must_use]
pub fn is_manager(name: &str) -> bool {
    rows().any(|row| of_row(row, None, row.name()) == Some(name))
}

/// The manager of the first package in a row: that of the registry that its program talks to, or the program itself.
fn of_row<'r>(row: &'r Row, registry: Option<&'r str>, kind: &'r str) -> Option<&'r str> {
    let registry = row.text("hosts").and_then(in_hosts).or(registry);
    let adds = row.operands().is_some_and(|places| has_package(&places))
        || row.options().any(|option| option.roles.contains(&Some(Role::Package)))
        || row.ifs().iter().filter_map(If::operands).any(|places| has_package(&places));
    match adds {
        true => Some(registry.unwrap_or(kind)),
        false => row.subs().iter().find_map(|sub| of_row(sub, registry, kind)),
    }
}

fn in_hosts(hosts: &str) -> Option<&str> {
    hosts.split(' ').find_map(|host| host.strip_prefix("registry:"))
}

fn has_package(places: &[Place]) -> bool {
    places.iter().any(|place| place.role == Role::Package)
}
