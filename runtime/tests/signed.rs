//! Signed modules: what is rejected, and that the active module stays.

use std::thread;

use hookc_runtime::Engine;
use hookc_runtime::limits::CLOCK_SKEW;
use hookc_runtime::policies::PolicySet;
use hookc_runtime::signed::{ModuleError, Verifier, now};
use hookc_schema::tree::Layer;
use minisign::KeyPair;

use crate::common;

/// A module that denies `Stop` for this reason.
fn module(reason: &str) -> Vec<u8> {
    let policy = format!("hooks: [{{event: Stop, action: {{type: deny, reason: {reason}}}}}]");
    common::module(&policy).bytes().to_vec()
}

struct Keys(KeyPair);

impl Keys {
    fn new() -> Self {
        Self(KeyPair::generate_unencrypted_keypair().unwrap())
    }

    fn verifier(&self) -> Verifier {
        Verifier::new(&self.0.pk.to_box().unwrap().into_string()).unwrap()
    }

    fn sign(&self, module: &[u8], comment: &str) -> String {
        minisign::sign(Some(&self.0.pk), &self.0.sk, module, Some(comment), None).unwrap().into_string()
    }
}

#[test]
fn a_valid_signature_states_its_time() {
    let keys = Keys::new();
    let module = module("a");
    let signature = keys.sign(&module, "timestamp:100\tfile:a.hookc\thashed\texpires:200");
    let signed = keys.verifier().verify(&module, &signature, 199).unwrap();
    assert_eq!((signed.time, signed.expires, signed.file.as_deref()), (100, Some(200), Some("a.hookc")));
    signed.check_name("a.hookc").unwrap();
    assert!(matches!(signed.check_name("b.hookc"), Err(ModuleError::OtherFile { .. })));
    signed.check_age(100).unwrap();
    assert!(matches!(signed.check_age(101), Err(ModuleError::Older { time: 100, other: 101 })));
    assert!(matches!(keys.verifier().verify(&module, &signature, 200), Err(ModuleError::Expired(200))));
    // What minisign itself writes.
    let plain = keys.sign(&module, "timestamp:100\tfile:a.hookc\thashed");
    assert_eq!(keys.verifier().verify(&module, &plain, u64::MAX).unwrap().expires, None);
}

/// A clock that was set back cannot extend a signature: it is before the signature was made.
#[test]
fn a_wrong_clock_extends_no_signature() {
    let (keys, module) = (Keys::new(), module("a"));
    let made = 1_000_000;
    let limited = keys.sign(&module, &format!("timestamp:{made}\texpires:{}", made + 100));
    let earliest = made - CLOCK_SKEW.as_secs();
    for (now, accepted) in [(0, false), (earliest - 1, false), (earliest, true), (made + 99, true)] {
        let verified = keys.verifier().verify(&module, &limited, now);
        match accepted {
            true => assert_eq!(verified.unwrap().time, made),
            false => {
                let error = verified.unwrap_err();
                assert!(
                    matches!(error, ModuleError::Clock { time, now: said } if (time, said) == (made, now))
                );
                assert!(error.to_string().starts_with("the clock is wrong: it says "), "{error}");
            }
        }
    }
    // One that a clock set forward lets expire is rejected, too.
    let later = keys.verifier().verify(&module, &limited, u64::MAX);
    assert!(matches!(later, Err(ModuleError::Expired(_))));
    // Without `expires:` there is no time that could be wrong.
    let unlimited = keys.sign(&module, &format!("timestamp:{made}"));
    keys.verifier().verify(&module, &unlimited, 0).unwrap();
}

#[test]
fn comments_that_would_not_be_kept_are_rejected() {
    let keys = Keys::new();
    for comment in [
        "",
        "signed by me",
        "file:a.hookc",
        "timestamp:",
        "timestamp:-1",
        "timestamp:1\texpires:soon",
        "timestamp:1\texpire:2",
        "timestamp:1\ttimestamp:2",
        "timestamp:1\texpires:2\texpires:9999999999",
        "timestamp:1 expires:2",
        "timestamp:99999999999999999999999",
    ] {
        let signature = keys.sign(b"m", comment);
        let error = keys.verifier().verify(b"m", &signature, 0).unwrap_err();
        assert!(matches!(error, ModuleError::Comment(_)), "{comment}: {error}");
    }
}

#[test]
fn any_change_is_rejected() {
    let keys = Keys::new();
    let module = module("a");
    let signature = keys.sign(&module, "timestamp:100");
    let verifier = keys.verifier();
    for (at, _) in module.iter().enumerate().step_by(7) {
        let mut changed = module.clone();
        changed[at] ^= 1;
        assert!(matches!(verifier.verify(&changed, &signature, 0), Err(ModuleError::Altered)), "byte {at}");
    }
    assert!(verifier.verify(&module[1..], &signature, 0).is_err());
    // The first line is not covered.
    let covered = signature.find('\n').unwrap() + 1;
    for at in covered..signature.trim_end().len() {
        for byte in [b'A', b'=', b'\n', b'\t', 0] {
            let mut changed = signature.clone().into_bytes();
            if changed[at] != byte {
                changed[at] = byte;
                let changed = String::from_utf8(changed).unwrap();
                let verified = verifier.verify(&module, &changed, 0);
                assert!(verified.is_err(), "byte {at}: {verified:?}\n{changed}");
            }
        }
        assert!(verifier.verify(&module, &signature[..at], 0).is_err(), "cut off at {at}");
    }
    let other = Keys::new();
    assert!(matches!(other.verifier().verify(&module, &signature, 0), Err(ModuleError::OtherKey)));
    let long = format!("{signature}{}", " ".repeat(5_000));
    assert!(matches!(verifier.verify(&module, &long, 0), Err(ModuleError::Malformed)));
    for key in ["", "a", "a\nb", "a\nRWQ", &signature] {
        assert!(matches!(Verifier::new(key), Err(ModuleError::Key)), "{key}");
    }
}

#[test]
fn an_engine_keeps_its_module_if_another_is_rejected() {
    let keys = Keys::new();
    let signed = |module: &[u8], time: u64| keys.sign(module, &format!("timestamp:{time}"));
    let (first, second) = (module("first"), module("second"));
    assert!(matches!(
        Engine::signed(keys.verifier(), first.clone(), &signed(&second, 1)),
        Err(ModuleError::Altered)
    ));
    let engine = Engine::signed(keys.verifier(), first.clone(), &signed(&first, 100)).unwrap();
    let active = engine.module().hash();
    let rejected = |module: &[u8], signature: &str| {
        let error = engine.reload_signed(module.to_vec(), signature).unwrap_err();
        assert_eq!(engine.module().hash(), active, "{error}");
        error
    };
    assert!(matches!(rejected(&second, &signed(&second, 99)), ModuleError::Older { time: 99, other: 100 }));
    let expired = keys.sign(&second, &format!("timestamp:101\texpires:{}", now() - 1));
    assert!(matches!(rejected(&second, &expired), ModuleError::Expired(_)));
    assert!(matches!(rejected(&second, &signed(&first, 101)), ModuleError::Altered));
    assert!(matches!(rejected(b"no module", &signed(b"no module", 101)), ModuleError::Load(_)));
    assert!(matches!(engine.reload(second.clone()), Err(ModuleError::Unsigned)));
    assert_eq!(engine.module().hash(), active);
    engine.reload_signed(second.clone(), &signed(&second, 100)).unwrap();
    assert_ne!(engine.module().hash(), active);
    let plain = Engine::new(hookc_vm::Module::load(first.clone()).unwrap());
    assert!(matches!(plain.reload_signed(first.clone(), &signed(&first, 1)), Err(ModuleError::NoKey)));
}

#[test]
fn of_many_reloads_at_once_the_newest_stays() {
    let keys = Keys::new();
    let modules: Vec<(Vec<u8>, String)> = (0..8_u64)
        .map(|n| {
            let module = module(&format!("n{n}"));
            let signature = keys.sign(&module, &format!("timestamp:{n}"));
            (module, signature)
        })
        .collect();
    for _ in 0..20 {
        let engine = Engine::signed(keys.verifier(), modules[0].0.clone(), &modules[0].1).unwrap();
        thread::scope(|threads| {
            for (module, signature) in &modules {
                let engine = &engine;
                threads.spawn(move || drop(engine.reload_signed(module.clone(), signature)));
            }
        });
        let newest = hookc_vm::Module::load(modules[7].0.clone()).unwrap();
        assert_eq!(engine.module().hash(), newest.hash());
    }
}

/// Policies that are compiled have no signature.
#[test]
fn an_engine_of_signed_modules_takes_no_others() {
    let (keys, first) = (Keys::new(), module("a"));
    let engine = Engine::signed(keys.verifier(), first.clone(), &keys.sign(&first, "timestamp:100")).unwrap();
    assert!(matches!(engine.swap(common::module("hooks: []")), Err(ModuleError::Unsigned)));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hooks.yaml"), "hooks: []").unwrap();
    let layers = PolicySet::new().with(Layer::Project, folder.path(), None);
    let rejected = engine.reload_layers(&layers).unwrap_err();
    assert_eq!(rejected.to_string(), "the module has no signature");
    assert_eq!(engine.module().bytes(), first);
}
