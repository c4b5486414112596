//! Declarations of wrappers beside the tables of programs.

use hookc_schema::vocab::Wrapper;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell::programs;

/// The wrappers of a file without those that the tables have (W0414).
pub(super) fn check(declared: &[Wrapper], out: &mut Diagnostics) -> Vec<Wrapper> {
    let mut own = Vec::with_capacity(declared.len());
    for wrapper in declared {
        let name = &wrapper.name.node;
        if !programs::is_described(name) {
            own.push(wrapper.clone());
            continue;
        }
        let what = format!("hookc knows what `{name}` starts");
        let new = Diagnostic::new(Code::W0414, wrapper.name.span, what).with_label("known already");
        out.push(new.note("the declaration changes nothing").help("remove the declaration"));
    }
    own
}
