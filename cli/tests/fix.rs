//! `hookc check --fix`.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

/// A policy with a comment, a slip that nobody is sure about, and an operator whose correction is certain.
const SLIPS: &str = "# Ours.\nhooks:\n  - event: PreToolUse   # each call\n    when: may_run('git psuh')\n    action: {type: deny, reason: No.}\n";
const FIXED: &str = "# Ours.\nhooks:\n  - event: PreToolUse   # each call\n    when: may_run('git push')\n    action: {type: deny, reason: No.}\n";

fn hookc(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    common::hookc(folder, args, input).parts()
}

fn policy(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    common::put(folder, name, text)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn only_certain_fixes_are_applied_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = policy(&folder, "guard.yaml", SLIPS);
    let (code, _, err) = hookc(folder.path(), &["check", "--fix", "guard.yaml"], "");
    assert_eq!((code, read(&path).as_str()), (0, SLIPS), "{err}");
    assert!(err.contains("W0661"), "{err}");
    assert!(err.ends_with("no fix is certain; 1 is applied by `--unsafe`\n"), "{err}");
    let (code, out, err) = hookc(folder.path(), &["check", "--fix", "--unsafe", "guard.yaml"], "");
    assert_eq!((code, err.as_str()), (0, "guard.yaml: applied 1 fix (W0661 1)\n"));
    assert_eq!((read(&path).as_str(), out.as_str()), (FIXED, "1 hook in 1 file, no problems\n"));
    assert_eq!(hookc(folder.path(), &["check", "--fix", "--unsafe", "guard.yaml"], "").2, "");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left next to it");
}

#[test]
fn a_certain_fix_is_applied_in_xml_and_yaml() {
    let folder = tempfile::tempdir().unwrap();
    let xml = "<directive name=\"a\" version=\"1.0.0\">\n  <hooks>\n    <hook event=\"PreToolUse\" when=\"tool_name == 'a' && true\">\n      <action type=\"deny\"><param name=\"reason\">A & B</param></action>\n    </hook>\n  </hooks>\n</directive>\n";
    let path = policy(&folder, "a.xml", xml);
    let (_, _, err) = hookc(folder.path(), &["check", "--fix", "a.xml"], "");
    assert!(read(&path).contains("A &amp; B"), "{err}\n{}", read(&path));
}

#[test]
fn the_difference_is_shown_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = policy(&folder, "guard.yaml", SLIPS);
    let (code, out, err) = hookc(folder.path(), &["check", "--fix", "--unsafe", "--diff", "guard.yaml"], "");
    assert_eq!((code, read(&path).as_str()), (1, SLIPS));
    assert!(out.contains("-    when: may_run('git psuh')\n+    when: may_run('git push')\n"), "{out}");
    assert!(err.contains("guard.yaml: would apply 1 fix (W0661 1)"), "{err}");
    for args in [&["check", "--unsafe", "guard.yaml"], &["check", "--diff", "guard.yaml"]] {
        assert_eq!(hookc(folder.path(), args, "").0, 2, "only with `--fix`");
    }
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = hookc(folder.path(), &["check", "--fix", "--unsafe", "-"], SLIPS);
    assert_eq!((code, out.as_str(), err.as_str()), (0, FIXED, "<stdin>: applied 1 fix (W0661 1)\n"));
    let args = ["check", "--fix", "--unsafe", "--format", "json", "-"];
    assert_eq!(hookc(folder.path(), &args, SLIPS).0, 2);
}

#[test]
fn directories_and_sets_of_files_are_fixed_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (policy(&folder, "one.yaml", SLIPS), policy(&folder, "sub/two.yaml", SLIPS));
    policy(&folder, "notes.txt", "git psuh\n");
    let (_, out, err) = hookc(folder.path(), &["check", "--fix", "--unsafe", "."], "");
    assert_eq!((read(&one).as_str(), read(&two).as_str()), (FIXED, FIXED), "{out}{err}");
    fs::write(&one, SLIPS).unwrap();
    fs::write(&two, SLIPS).unwrap();
    let args = ["check", "--fix", "--unsafe", "--format", "json", "one.yaml", "sub/two.yaml"];
    let (_, out, _) = hookc(folder.path(), &args, "");
    assert_eq!((read(&one).as_str(), read(&two).as_str()), (FIXED, FIXED));
    assert!(out.contains(r#"{"file":"one.yaml","fixes":1,"codes":{"W0661":1},"written":true}"#), "{out}");
}

#[test]
fn fixes_in_strings_of_json_and_with_other_line_ends_stay_valid() {
    let folder = tempfile::tempdir().unwrap();
    let crlf = SLIPS.replace('\n', "\r\n");
    let path = policy(&folder, "crlf.yaml", &format!("\u{feff}{crlf}"));
    let (_, _, err) = hookc(folder.path(), &["check", "--fix", "--unsafe", "crlf.yaml"], "");
    assert_eq!(read(&path), format!("\u{feff}{}", FIXED.replace('\n', "\r\n")), "{err}");
    let json = "{\"hooks\": [{\"event\": \"PreToolUse\", \"when\": \"may_run('git psuh', \\\"git comit\\\")\", \"action\": {\"type\": \"deny\", \"reason\": \"No.\"}}]}\n";
    let path = policy(&folder, "p.json", json);
    hookc(folder.path(), &["check", "--fix", "--unsafe", "--dialect", "hooks-yaml", "p.json"], "");
    assert_eq!(read(&path), json.replace("psuh", "push").replace("comit", "commit"));
}

#[cfg(unix)]
#[test]
fn files_that_must_not_change_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let foreign = policy(&elsewhere, "theirs.yaml", SLIPS);
    symlink(&foreign, folder.path().join("link.yaml")).unwrap();
    let locked = policy(&folder, "locked.yaml", SLIPS);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o444)).unwrap();
    let free = policy(&folder, "zfree.yaml", SLIPS);
    let (code, _, err) =
        hookc(folder.path(), &["check", "--fix", "--unsafe", "link.yaml", "locked.yaml", "zfree.yaml"], "");
    assert_eq!((read(&foreign).as_str(), read(&locked).as_str()), (SLIPS, SLIPS), "{err}");
    assert_eq!((code, read(&free).as_str()), (1, FIXED), "the others are written");
    assert!(err.contains("locked.yaml: it is read-only"), "{err}");
    let real = policy(&folder, "sub/real.yaml", SLIPS);
    symlink(&real, folder.path().join("here.yaml")).unwrap();
    hookc(folder.path(), &["check", "--fix", "--unsafe", "here.yaml"], "");
    assert_eq!(read(&real), FIXED);
    assert!(fs::symlink_metadata(folder.path().join("here.yaml")).unwrap().is_symlink());
}
