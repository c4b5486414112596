//! The generator of the rows of programs: what the page about programs shows can be built, and faults are reported.

use hookc_shell::programs::draft::{Table, Value};
use hookc_shell::programs::{
    Attribute, Described, Options, Programs, Role, Row, draft, hash, notation, shape,
};
use hookc_shell::{Context, Wrapper, with_commands};

#[path = "../build/like.rs"]
mod like;
#[path = "../build/pack.rs"]
mod pack;

const PAGE: &str = include_str!("../../docs/programs.md");

/// The example of the page.
fn example() -> &'static str {
    let (_, after) = PAGE.split_once("```toml\n").unwrap();
    after.split_once("```").unwrap().0
}

/// What the generator says about a file.
fn faults(text: &str) -> String {
    let with_source = text.replace("[x]\n", "[x]\nsource = \"x 1: x(1)\"\n");
    pack::pack(&[("x.toml".to_owned(), with_source)]).err().unwrap_or_default().join("\n")
}

#[test]
fn the_example_of_the_page_is_a_program() {
    assert!(example().lines().count() <= 10);
    let packed = pack::pack(&[("mine.toml".to_owned(), example().to_owned())]).unwrap();
    assert!(packed.contains("frobnicate"));
    let document = example().parse().unwrap();
    let row = Row::from_policy("frobnicate", &pack::program(&document, "frobnicate")).unwrap();
    let options = Options::from_row(&row);
    assert_eq!(options.option("--output").and_then(|option| option.role()), Some(Role::Write));
    assert_eq!(options.same("o"), [("o", "output")]);
    assert!(options.option("-n").is_some_and(|option| option.attributes.has(Attribute::Dry)));
    assert!(!options.lists("--force"));
    let push = row.sub("p").unwrap();
    assert_eq!(push.canonical("p"), "push");
    assert!(Options::from_row(push).lists("--force"));
    let roles: Vec<Role> = push.operands().unwrap().iter().map(|place| place.role).collect();
    assert_eq!(roles, [Role::Send, Role::Host]);
}

#[test]
fn keys_roles_and_attributes_are_on_the_page() {
    let known = |name: &str| PAGE.contains(&format!("`{name}`"));
    let keys = draft::KEYS.iter().map(|(key, _)| *key).filter(|key| !known(key));
    assert_eq!(keys.collect::<Vec<_>>(), [""; 0]);
    let roles = Role::ALL.iter().map(|role| role.name()).filter(|name| !known(name));
    assert_eq!(roles.collect::<Vec<_>>(), [""; 0]);
    let attributes = Attribute::ALL.iter().map(|one| one.name()).filter(|name| !known(&format!(":{name}")));
    assert_eq!(attributes.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_fault_says_where_it_is_and_what_to_write() {
    let all = [
        ("[x]\nsources = 'a'", "x.toml: [x] `sources`: is no key; write one of names also"),
        ("[x]\noptions = true", "[x] `options`: is no text; write it in quotes"),
        ("[x]\nplain = 'yes'", "[x] `plain`: is no flag; write `true` or `false`"),
        ("[x]\noptions = '-o=WRIT'", "`-o=WRIT` has the unknown role `WRIT`; write one of TEXT READ"),
        ("[x]\noptions = '-n:dri'", "`-n:dri` has the unknown attribute `dri`; write one of dry"),
        ("[x]\noptions = 'output'", "`output` is no name of an option; write `-x` or `--name`"),
        ("[x]\noptions = '-c=COMMAND'", "`-c=COMMAND` is a command; write `=COMMAND;`"),
        ("[x]\noptions = '-o -v -o'", "`-o` is there twice; write its names once, `-x/--name`"),
        ("[x]\noptions = '-o/--out=TEXT -O/--out'", "`--out` is there twice"),
        ("[x]\noperands = 'READ... WRITE...'", "has `...` twice; one operand may repeat"),
        ("[x]\noperands = 'READ:envy'", "`READ:envy` has the unknown scheme `envy`; write one of env"),
        ("[x]\nrest = 'none'", "[x] `rest`: is neither `harmless` nor `text`"),
        ("[x]\nplain = true", "[x] `plain`: has no `operands`"),
        ("[x]\nplain = true\noperands = 'TEXT'\nrest = 'harmless'", "a plain row lists every option"),
        (
            "[x]\nplain = true\noperands = 'SCRIPT TEXT...'",
            "runs files that its `operands` name; no plain row does",
        ),
        ("[x]\n[[x.if]]\nplain = true", "has no condition; write `flag`, `unless`"),
        ("[x]\n[[x.if]]\nflags = '-x'", "[x] `if.flags`: is no key"),
        ("[x]\n[x.a]\nalso = 'b'\n[x.b]", "[x]: `b` is a subcommand twice; write its names in one table"),
        ("[x]\nalso = 'y'\n[y]\nsource = 'y 1: y(1)'", "`y` is a name of [x] too; write it in one table"),
        ("x = 1", "x.toml: `x` is no table; write `[x]`"),
        ("[x]\nlike = 'z'", "[x] `like`: `z` is not a table; write its path, `like = \"docker.run\"`"),
        (
            "[x]\nlike = 'x.a'\n[x.a]\nlike = 'x'",
            "[x.a] `like`: `x` is like [x.a], or has it; write one of them in full",
        ),
        (
            "[x]\nlike = 'x.a'\nwithout = 'plain'\n[x.a]",
            "[x] `without`: [x.a] has no `plain`; remove the word",
        ),
        ("[x]\nwithout = 'plain'", "[x] `without`: has no effect without `like`; write the keys that it has"),
        ("[x]\nlike = true", "[x] `like`: is no key"),
        (
            "starts_code = true\n[x]\n[x.a]\n[[x.a.if]]\nflag = '-x'\nplain = true",
            "[x.a] `plain`: is in a file of programs that start code of the project; no row of it is plain",
        ),
        ("[x]\nprints = 'output'", "[x] `prints`: `output` is unknown; write one of input words"),
        ("[y]\n", "[y] `source`: is missing; write `source = [\"PROGRAM VERSION: FILE OR PAGE\"]`"),
        (
            "[y]\nsource = \"from memory\"\n",
            "[y] `source`: names no file or page; write `source = [\"PROGRAM VERSION: FILE OR PAGE\"]`",
        ),
    ];
    let missing = all.iter().filter(|(text, fault)| !faults(text).contains(fault));
    let missing: Vec<_> = missing.map(|(text, fault)| (text, fault, faults(text))).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn what_is_no_fault_is_none() {
    let all = [
        "[x]\noptions = '-n/--quiet -n/--silent'",
        "[x]\noptions = '--preserve-env[=TEXT] -E/--preserve-env'",
        "[x]\noptions = '-/=LOAD -#[=DIGITS] +x -D*=CODE -c:first-is-code'",
        "[x]\noperands = 'READ:env... WRITE'",
        "[x]\nplain = true\noperands = 'COMMAND...'",
        "[x]\ngroups = 'a'\n[x.b]\nalso = 'a b|c'",
    ];
    for text in all {
        assert_eq!(faults(text), "", "{text}");
    }
}

/// `like` takes over values, what is different with some words, and subcommands, but no names.
#[test]
fn a_table_that_is_like_another_one_is_short() {
    let short = "[y]\nlike = 'x'\nwithout = 'plain c'\noperands = 'WRITE'\n[y.b]\noptions = '-v'\n[y.d]\nlike = 'x.a'";
    let full = "[y]\nrest = 'text'\noperands = 'WRITE'\n[[y.if]]\nflag = '-n'\ndry = true\n\
                [y.a]\nalso = 'e'\noperands = 'LIST'\n[y.b]\nalso = 'g'\noptions = '-v'\n[y.d]\noperands = 'LIST'";
    let base = "[x]\nsource = 'x 1: x(1)'\nalso = 'z'\nrest = 'text'\nplain = true\noperands = 'READ'\n[[x.if]]\nflag = '-n'\n\
                dry = true\n[x.a]\nalso = 'e'\noperands = 'LIST'\n[x.b]\nalso = 'g'\noptions = '-q'\n[x.c]\n";
    let packed = |text: &str| {
        let text = text.replace("[y]\n", "[y]\nsource = 'y 1: y(1)'\n");
        pack::pack(&[("x.toml".to_owned(), format!("{base}{text}"))])
    };
    assert_eq!(packed(short), packed(full));
    assert!(packed(short).is_ok());
}

/// Subcommands have all of their names, in their groups and outside.
#[test]
fn names_of_subcommands_lead_to_one_row() {
    let text = "[x]\ngroups = 'a'\n[x.run]\nalso = 'r|a run'\noperands = 'WRITE'\n[x.'a rm']\nnames = 'a rm|a del|rm'";
    let document = text.parse().unwrap();
    let row = Row::from_policy("x-mine", &pack::program(&document, "x")).unwrap();
    let group = row.sub("a").unwrap();
    assert_eq!(row.sub("r").unwrap().canonical("r"), "run");
    let nested = group.sub("run").unwrap();
    assert_eq!((nested.canonical("run"), nested.group()), ("run", ""));
    assert_eq!(nested.text("operands"), Some("WRITE"));
    let removes = group.sub("del").unwrap();
    assert_eq!((removes.canonical("del"), removes.group()), ("del", "a"));
    assert_eq!(row.sub("rm").unwrap().group(), "");
}

#[test]
fn policies_add_programs_and_change_none() {
    let table: Table = vec![("operands".to_owned(), Value::Text("READ...".to_owned()))];
    assert!(Row::from_policy("frobnicate", &table).is_ok());
    let wrong = Row::from_policy("git", &table).unwrap_err();
    assert!(wrong.iter().any(|one| one.to_string().contains("a policy adds programs")), "{wrong:?}");
    let table: Table = vec![("operand".to_owned(), Value::Flag(true))];
    assert!(Row::from_policy("frobnicate", &table).is_err());
}

/// The reader, effects and patterns of commands know the programs of policies.
#[test]
fn programs_of_policies_are_read_as_shipped_ones() {
    let document = example().parse().unwrap();
    let table = pack::program(&document, "frobnicate");
    let described = Described { name: "frobnicate".to_owned(), table };
    assert_eq!(Described::decode(&described.to_bytes()), Ok(described.clone()));
    let wrapper = Wrapper::new("in-box").with_options(["-u"]).with_operands(1);
    let git = Described { name: "git".to_owned(), table: Table::new() };
    let programs = Programs::new(vec![wrapper, Wrapper::new("sudo")], vec![described, git]).unwrap();
    let kind = |name: &str| programs.find(name).map(|program| program.kind);
    assert_eq!(
        (kind("frobnicate"), kind("frobnicate.exe"), kind("frobnicat")),
        (Some("frobnicate"), Some("frobnicate"), None)
    );
    assert_eq!((kind("git"), kind("in-box")), (Some("git"), Some("in-box")));
    assert!(programs.find("git").is_some_and(|git| !git.row.subs().is_empty()), "a shipped row stays");
    let context = Context { programs: &programs, ..Context::default() };
    let line = "in-box -u me web frobnicate p -f .env backup.example";
    let roles = with_commands(line, &context, |commands| {
        let push = commands.iter().find(|command| command.name() == Some("frobnicate")).unwrap();
        assert_eq!((push.verb().as_deref(), push.has_flag("force")), (Some("push"), true));
        push.arguments().iter().filter_map(|argument| argument.role).collect::<Vec<_>>()
    });
    assert_eq!(roles, Ok(vec![Role::Send, Role::Host]));
    let wrong = Described { name: "x".to_owned(), table: vec![("operands".to_owned(), Value::Flag(true))] };
    assert!(Programs::new(Vec::new(), vec![wrong]).is_err());
}
