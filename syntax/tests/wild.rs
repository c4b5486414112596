//! Real-world files, if present: nothing panics or hangs, spans are within the text, and the
//! reference policy has no diagnostics.

use hookc_schema::tree::Section;
use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::front::{detect, hooks_yaml, yaml};

#[test]
fn every_file_is_survived() {
    let Some(root) = hookc_corpus::shared() else { return };
    for path in hookc_corpus::files(&root.join("wild")) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.to_string_lossy();
        let mut out = Diagnostics::new();
        let _ = detect::detect(&name, &text);
        let _ = yaml::read(&text, SourceId(0), &mut out);
        hooks_yaml::read(&text, SourceId(0), &mut out);
        for new in out {
            assert!(new.labels.iter().all(|l| text.get(l.span.range()).is_some()), "{name}: {new:?}");
        }
    }
}

/// The YAML fences of a Markdown text.
fn fences(text: &str) -> Vec<String> {
    text.split("```yaml\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0.to_owned())).collect()
}

#[test]
fn the_reference_policy_reads_clean() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("seeds")));
    let mut policies = 0;
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        for block in
            fences(&text).iter().filter(|b| b.contains("\naction_types:") || b.contains("\nhooks:\n  "))
        {
            if !block.contains("event:") {
                continue;
            }
            let mut out = Diagnostics::new();
            let policy = hooks_yaml::read(block, SourceId(0), &mut out);
            assert!(out.is_empty(), "{}: {out:#?}", path.display());
            let builtin = policy.hooks.iter().filter(|hook| hook.section == Section::Builtin).count();
            assert!(builtin == 3 || builtin == 0);
            policies += 1;
        }
    }
    assert!(policies >= 2, "{policies}");
}
