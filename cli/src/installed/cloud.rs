//! The end of a call for a service that runs the hooks of a repository on a machine without hookc.

use hookc_schema::agents::Cloud;

/// Where the end of such a call starts.
const START: &str = " || { [ -n \"$";

/// The end with which a call passes there if the program is absent, with a message. Elsewhere, and if the program fails,
/// its status stays one that denies.
pub(crate) fn end(cloud: &Cloud, program: &str) -> String {
    let Cloud { label, variable } = cloud;
    format!(
        "{START}{variable}\" ] && ! command -v {program} >/dev/null 2>&1 && echo 'hookc is not installed: {label} runs \
         without the policy' >&2; }}"
    )
}

/// A line without that end.
pub(crate) fn without_end(line: &str) -> &str {
    let end = line.find(START).filter(|_| line.ends_with("' >&2; }"));
    end.and_then(|at| line.get(..at)).unwrap_or(line)
}

/// What the service does with the hooks, for a project's settings.
pub(crate) fn note(cloud: &Cloud, is_passed: bool) -> String {
    let label = &cloud.label;
    match is_passed {
        true => format!(
            "{label} runs these hooks too: where `hookc` is not installed, it runs without the policy"
        ),
        false => format!(
            "{label} runs these hooks too, and denies every tool if `hookc` is not installed there: install it in its \
             setup steps, or let the calls pass there (`--cloud`)"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_removed() {
        let cloud = Cloud { label: "a cloud".to_owned(), variable: "IN_CLOUD".to_owned() };
        let line = "hookc run --host copilot p.yaml";
        assert_eq!(without_end(&format!("{line}{}", end(&cloud, "hookc"))), line);
        for other in [line, "hookc run p || { [ -n \"$X\" ]; }", "hookc run p || exit 2"] {
            assert_eq!(without_end(other), other);
        }
    }
}
