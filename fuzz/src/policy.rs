//! Policies: any text compiles or has diagnostics, and every span of a diagnostic is within its
//! source.

use hookc_compiler::{Compiled, Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_schema::diag::render;
use hookc_schema::tree::Family;
use hookc_syntax::front::detect::{self, Role};
use hookc_syntax::write;
use hookc_vm::Module;

/// A hooks file. One that compiles, with hooks, is recognized in a directory.
#[allow(clippy::panic, reason = "a property that fails panics")]
pub fn hooks_yaml(bytes: &[u8]) {
    policy(bytes, Dialect::HooksYaml);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (name, dialect) = ("guards.yaml", Dialect::HooksYaml);
    let (compiled, _) = built(text, dialect);
    let has_hooks = compiled.policies.first().is_some_and(|policy| !policy.hooks.is_empty());
    if has_hooks && !compiled.failed() && detect::detect(name, text) == Some(dialect) {
        assert_eq!(detect::role(name, text), Role::Policy(dialect), "hooks are lost:\n{text}");
    }
}

/// A directive, bare or in Markdown.
pub fn directive_xml(bytes: &[u8]) {
    policy(bytes, Dialect::DirectiveXml);
}

/// Settings of an agent. Their written form parses back, hook by hook.
#[allow(clippy::panic, reason = "a property that fails panics")]
pub fn settings(bytes: &[u8]) {
    policy(bytes, Dialect::Settings);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (compiled, _) = built(text, Dialect::Settings);
    let Some(policy) = compiled.policies.first().filter(|_| !compiled.failed()) else { return };
    let (written, losses) = write::settings::write(policy);
    let Some(written) = written.first().filter(|_| losses.is_empty()) else { return };
    let (again, _) = built(&written.text, Dialect::Settings);
    let count = again.policies.first().map(|again| again.hooks.len());
    assert!(!again.failed(), "what is written has errors:\n{}\n{:?}", written.text, again.diagnostics);
    assert_eq!(count, Some(policy.hooks.len()), "written:\n{}", written.text);
}

/// A repository hook. Written in its own notation it has the same meaning.
pub fn repository(bytes: &[u8]) {
    policy(bytes, Dialect::Repository);
    own(bytes, Dialect::Repository);
}

/// A skill. Written in its own notation it has the same meaning.
pub fn skill(bytes: &[u8]) {
    policy(bytes, Dialect::Skill);
    own(bytes, Dialect::Skill);
}

/// Hooks files of agents: any text, as each of them reads it.
pub fn agents(bytes: &[u8]) {
    for dialect in Dialect::all().filter(|dialect| dialect.agent().is_some()) {
        policy(bytes, dialect);
    }
}

/// A workflow file.
pub fn workflow(bytes: &[u8]) {
    policy(bytes, Dialect::Workflow);
}

#[allow(clippy::panic, reason = "a property that fails panics")]
fn own(bytes: &[u8], dialect: Dialect) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (compiled, _) = built(text, dialect);
    let Some(policy) = compiled.policies.first().filter(|_| !compiled.failed()) else { return };
    let (written, losses) = write::write(policy, dialect);
    let Some(written) = written.first().filter(|_| losses.is_empty()) else { return };
    let (again, _) = built(&written.text, dialect);
    let same = match policy.hooks.iter().any(|hook| hook.family == Family::Agent) {
        true => again.policies.first().is_some_and(|again| again.hooks.len() == policy.hooks.len()),
        false => again.module == compiled.module,
    };
    assert!(same, "written again it means something else:\n{}\n{:?}", written.text, again.diagnostics);
}

#[allow(clippy::panic, clippy::expect_used, reason = "a property that fails panics")]
fn policy(bytes: &[u8], dialect: Dialect) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (compiled, sources) = built(text, dialect);
    for diagnostic in &compiled.diagnostics {
        for label in &diagnostic.labels {
            let source = sources.text(label.span.source);
            assert!(source.get(label.span.range()).is_some(), "{label:?} lies outside its source");
        }
    }
    let _ = render::text::render(&compiled.diagnostics, &sources);
    let _ = render::json::render(&compiled.diagnostics, &sources);
    let Some(bytes) = compiled.module else {
        assert!(compiled.failed(), "no module, and no error says why");
        return;
    };
    Module::load(bytes.clone()).expect("what the compiler writes loads");
    let Some(policy) = compiled.policies.first() else { return };
    for target in [Dialect::HooksYaml, Dialect::Workflow] {
        let (files, losses) = write::write(policy, target);
        let Some(file) = files.first().filter(|_| losses.is_empty()) else { continue };
        let (again, _) = built(&file.text, target);
        let same = again.module.as_ref() == Some(&bytes);
        assert!(same, "written as {} it means something else:\n{}", target.name(), file.text);
    }
}

fn built(text: &str, dialect: Dialect) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let source = sources.add("policy", text);
    let input = Input::new(source).with_dialect(dialect);
    let options = Options::default().strip(true);
    (compile(&mut sources, &[input], &options), sources)
}
