//! Adds the hook to an existing file: settings, a `SKILL.md`, or the file of `--into`.

use hookc_compiler::Dialect;
use hookc_schema::tree::Hook;
use hookc_syntax::front::skill;

use super::built::Built;
use super::plan::{Placement, Plan};
use super::policy;
use super::spec::Spec;
use crate::args::Global;
use crate::edit::settings::{File, Refused};
use crate::edit::yaml::{self, List};
use crate::edit::{line_end, save};
use crate::exit::Failure;
use crate::{files, out};

/// Determines how to change the policy and its new text; `alone` is the hook in its own file.
/// `None` if nothing can be written, after reporting it.
pub(super) fn into(
    global: &Global,
    plan: &mut Plan,
    spec: &Spec,
    alone: Built,
) -> Result<Option<Built>, Failure> {
    if !matches!(plan.placement, Placement::Shown) {
        return Ok(Some(report(global, alone)));
    }
    let path = plan.policy.path.clone();
    let Ok(old) = save::read(global, &path)? else { return Ok(None) };
    let old = old.ok_or_else(|| Failure::file(&path, &"the symbolic link is broken"))?;
    let before = Built::new(plan, spec, &old, None);
    let empty = old.trim_start_matches('\u{feff}').trim().is_empty();
    if !empty && before.compiled.failed() {
        let errors = before.compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        out::diagnostics(global, &errors.cloned().collect::<Vec<_>>(), &before.sources);
        let name = path.display();
        out::say(global, &format!("hookc: {name} already has errors: nothing was written"));
        return Ok(None);
    }
    let new = match if empty { Ok(Some(plan.policy.text.clone())) } else { text(plan, spec, &old) } {
        Ok(new) => new,
        Err(why) => {
            out::diagnostics(global, &why.diagnostics, &why.sources);
            out::say(global, "hookc: nothing was written");
            return Ok(None);
        }
    };
    let Some(new) = new else { return Ok(Some(report(global, alone))) };
    if new == old {
        plan.placement = Placement::Exists;
        let index = alone.hooks().first().and_then(|new| before.hooks().iter().position(|hook| hook == new));
        return Ok(Some(Built { index, ..before }));
    }
    let mut after = Built::new(plan, spec, &new, None);
    after.index = added(if empty { &[] } else { before.hooks() }, after.hooks());
    if after.index.is_none() && !after.compiled.failed() {
        return Ok(Some(report(global, alone)));
    }
    out::diagnostics(global, &after.new_diagnostics(&before), &after.sources);
    if after.compiled.failed() {
        out::say(global, "hookc: the file with the hook does not compile: nothing was written");
        return Ok(None);
    }
    plan.policy.text = new;
    plan.placement = Placement::Into(old);
    Ok(Some(after))
}

fn report(global: &Global, built: Built) -> Built {
    out::diagnostics(global, &built.compiled.diagnostics, &built.sources);
    built
}

/// Which of the hooks is new, if all others are unchanged.
fn added(before: &[Hook], after: &[Hook]) -> Option<usize> {
    let same = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    (before.get(same..)? == after.get(same + 1..)?).then_some(same)
}

/// The text of the file with the hook; `None` where it is not plain how.
fn text(plan: &Plan, spec: &Spec, old: &str) -> Result<Option<String>, Refused> {
    let piece = policy::piece(spec, plan.handler.as_ref().map(|file| file.local.as_str()));
    match spec.dialect {
        Dialect::Settings => {
            let name = files::name(&plan.policy.path);
            let file = File::read(&name, old)?;
            if file.has(&spec.event, &piece) {
                return Ok(Some(old.to_owned()));
            }
            file.with(None, &[(&spec.event, piece)]).map(Some)
        }
        Dialect::Skill => Ok(in_skill(spec, old, &piece)),
        _ => Ok(yaml::put(old, &List { keys: &["hooks"], alone: None }, &piece)),
    }
}

fn in_skill(spec: &Spec, old: &str, piece: &serde_json::Value) -> Option<String> {
    let Some(end) = skill::front_matter(old) else {
        let bom = if old.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        let matter = policy::front_matter(spec).replace('\n', line_end(old));
        return Some([bom, &matter, old.get(bom.len()..)?].concat());
    };
    let (matter, body) = old.split_at_checked(end)?;
    let list = List { keys: &["hooks", &spec.event], alone: Some("script") };
    Some(yaml::put(matter, &list, piece)? + body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_is_new() {
        let hook = |id: &str| {
            let (text, mut diagnostics) = (
                format!("hooks: [{{id: {id}, event: stop, action: {{type: deny}}}}]"),
                hookc_schema::Diagnostics::new(),
            );
            let read = hookc_syntax::front::hooks_yaml::read(&text, Default::default(), &mut diagnostics);
            read.hooks[0].clone()
        };
        let hooks = |ids: &str| ids.chars().map(|id| hook(&id.to_string())).collect::<Vec<_>>();
        for (before, after, expected) in [
            ("", "a", Some(0)),
            ("ab", "acb", Some(1)),
            ("aa", "aaa", Some(2)),
            ("a", "bc", None),
            ("a", "a", None),
            ("ab", "ac", None),
        ] {
            assert_eq!(added(&hooks(before), &hooks(after)), expected, "{before} {after}");
        }
    }
}
