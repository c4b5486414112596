//! The notation of rows: the roles of words, the options of a list, and the operands.
//!
//! The generator of the tables includes this file too, so it needs nothing but the standard library.

/// Defines an enum whose variants have names in rows.
macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $text:literal),* $(,)? }) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in rows.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }
    };
}

names! {
    /// What a word is to a program.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    Role {
        /// Text without a meaning outside the program.
        Text "TEXT",
        /// A file whose content the program shows.
        Read "READ",
        /// A file that the program opens for itself.
        Use "USE",
        /// A file whose name, size or date it looks at.
        List "LIST",
        /// A file that it creates or replaces.
        Write "WRITE",
        /// A file that it reads and writes.
        Edit "EDIT",
        /// A file that it deletes.
        Delete "DELETE",
        /// A file that it moves to another place.
        Move "MOVE",
        /// The directory of what it writes.
        Into "INTO",
        /// The directory that it runs in.
        Dir "DIR",
        /// A file that it sends to another machine.
        Send "SEND",
        /// Text that it sends; after `@`, the name of a file.
        Data "DATA",
        /// A field of a form; after `=@` or `=<`, the name of a file.
        Form "FORM",
        /// An address of a machine with what it is asked for.
        Url "URL",
        /// A machine.
        Host "HOST",
        /// A file, or a file of another machine: `HOST:PATH`.
        Remote "REMOTE",
        /// The name of a remote of a repository.
        RemoteName "REMOTENAME",
        /// A branch of a remote that is moved.
        Ref "REF",
        /// A local branch that is moved.
        SetRef "SETREF",
        /// A local branch that is deleted.
        DelRef "DELREF",
        /// A branch of a remote, and the local one that is moved to it.
        RefSpec "REFSPEC",
        /// A package that nothing declares yet.
        Package "PACKAGE",
        /// A package that is declared.
        Declared "DECLARED",
        /// Code in the language of the program.
        Expr "EXPR",
        /// Code for a database.
        Sql "SQL",
        /// A patch that it applies.
        Patch "PATCH",
        /// Code for a shell, or in the language of an interpreter.
        Code "CODE",
        /// A command line that it gives to a shell.
        Line "LINE",
        /// Several command lines, one in each word.
        Lines "LINES",
        /// The name of a variable of the environment that it prints.
        Variable "VARIABLE",
        /// A file that it runs.
        Script "SCRIPT",
        /// What it loads.
        Load "LOAD",
        /// A setting, which can name code.
        Setting "SETTING",
        /// The name of a program whose arguments follow.
        Module "MODULE",
        /// A program that it starts, with its arguments.
        Command "COMMAND",
        /// Words that precede the others.
        Words "WORDS",
        /// `NAME=VALUE` of the environment.
        Set "SET",
    }
}

impl Role {
    /// The role of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.name() == name)
    }

    /// Whether a word in this role can be code, or start a program.
    #[must_use]
    pub const fn starts(self) -> bool {
        self.is_code()
            || matches!(self, Self::Script | Self::Load | Self::Module | Self::Command | Self::Words)
    }

    /// Whether a word in this role is code.
    #[must_use]
    pub const fn is_code(self) -> bool {
        self.is_line() || matches!(self, Self::Expr | Self::Sql | Self::Code | Self::Setting)
    }

    /// Whether a word in this role is a command line for a shell.
    #[must_use]
    pub const fn is_line(self) -> bool {
        matches!(self, Self::Line | Self::Lines)
    }
}

/// The argument of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionArgument {
    /// It takes nothing.
    Nothing,
    /// This number of words of data.
    Data(usize),
    /// Data in the same word.
    Joined,
    /// Digits in the same word.
    Digits,
    /// Code.
    Code,
    /// A command line for a shell.
    Line,
    /// Code; the words after it are data.
    LastCode,
    /// A program, whose arguments are the words after it.
    Module,
    /// What is run or loaded.
    Program,
    /// The directory that the program runs in.
    Folder,
    /// `NAME=VALUE`.
    Variable,
    /// A name and a value.
    NameAndValue,
    /// Words that precede the others.
    Words,
    /// A command up to `;` or `+`.
    Command,
    /// Nothing; the first operand is code.
    FirstIsCode,
    /// Nothing; all operands are code.
    AllAreCode,
    /// Any text after this prefix.
    Prefix,
}

names! {
    /// What an option says about the whole command.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    Attribute {
        /// Nothing is written, deleted, sent, installed or pushed.
        Dry "dry",
        /// Operands are directories with everything in them.
        Tree "tree",
        /// It runs code that is not on the line.
        Code "code",
        /// It writes a file with the name at the end of the address.
        Download "download",
        /// All branches are pushed.
        AllRefs "allrefs",
        /// All tags are pushed.
        Tags "tags",
        /// Its value is a file that is written, besides its role.
        Write "write",
        /// Its value is a package that is installed, besides its role.
        Package "package",
        /// With a value, it writes a second file.
        Backup "backup",
        /// The first operand is code.
        FirstIsCode "first-is-code",
        /// All operands are code.
        AllAreCode "all-are-code",
        /// The file of its value, or the input, names further operands.
        Names "names",
    }
}

/// Attributes of an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes(u16);

impl Attributes {
    /// Whether an attribute is among them.
    #[must_use]
    pub const fn has(self, attribute: Attribute) -> bool {
        self.0 & (1 << attribute as u16) != 0
    }

    /// These attributes and another one.
    #[must_use]
    pub const fn with(self, attribute: Attribute) -> Self {
        Self(self.0 | 1 << attribute as u16)
    }

    /// Both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// An option of a list: `-o/--output=WRITE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opt<'r> {
    /// Its names with their dashes, with `/` between them.
    names: &'r str,
    /// What it takes.
    pub takes: OptionArgument,
    /// The roles of its values; `None` for an option without one.
    pub roles: [Option<Role>; 3],
    /// What its value names, if that is no file: `env`, `store` or `ref`.
    pub scheme: Option<&'static str>,
    /// What it says about the command.
    pub attributes: Attributes,
}

impl<'r> Opt<'r> {
    /// Its names with their dashes.
    pub fn names(&self) -> impl Iterator<Item = &'r str> + use<'r> {
        names(self.names)
    }

    /// The role of its first value.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.roles[0]
    }
}

/// The names of an option: a `/` before a dash or a plus separates them.
fn names(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = ["/-", "/+"].iter().filter_map(|between| text.find(between)).min();
        let (name, after) = match end.and_then(|end| text.split_at_checked(end)) {
            Some((name, after)) => (name, after.strip_prefix('/')),
            None => (text, None),
        };
        rest = after;
        Some(name)
    })
}

/// What is wrong with a value, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub help: String,
    /// A name that is unknown, and those that are known.
    pub unknown: Option<(String, Vec<&'static str>)>,
}

impl Fault {
    /// A fault without an unknown name.
    #[must_use]
    pub fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into(), unknown: None }
    }

    /// A name that is not among the known ones.
    #[must_use]
    pub fn unknown(what: impl Into<String>, name: &str, known: Vec<&'static str>) -> Self {
        let help = format!("write one of {}", known.join(" "));
        Self { unknown: Some((name.to_owned(), known)), ..Self::new(what, help) }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.what, self.help)
    }
}

/// The options of a list.
pub fn options(list: &str) -> impl Iterator<Item = Result<Opt<'_>, Fault>> {
    list.split_ascii_whitespace().map(option)
}

/// Reads an option.
///
/// # Errors
///
/// Says what is wrong with it.
pub fn option(token: &str) -> Result<Opt<'_>, Fault> {
    let (head, mut attributes, mut of) = (head(token), Attributes::default(), None);
    for name in token.get(head.len()..).unwrap_or_default().split(':').skip(1) {
        if let Some(known) = scheme(name) {
            of = Some(known);
            continue;
        }
        let attribute = Attribute::ALL.iter().copied().find(|attribute| attribute.name() == name);
        let attribute = attribute.ok_or_else(|| {
            let known = Attribute::ALL.iter().map(|attribute| attribute.name()).collect();
            Fault::unknown(format!("`{token}` has the unknown attribute `{name}`"), name, known)
        })?;
        attributes = attributes.with(attribute);
    }
    let (spelled, value) = match head
        .split_once('=')
        .and_then(|(name, value)| Some((name.strip_suffix('[')?, value.strip_suffix(']')?)))
    {
        Some((spelled, value)) => (spelled, Value::Joined(value)),
        None => match head.split_once('=').filter(|(spelled, _)| !spelled.is_empty()) {
            Some((spelled, value)) => (spelled, Value::Next(value)),
            None => (head, Value::None),
        },
    };
    let (spelled, is_prefix) = match spelled.strip_suffix('*').filter(|spelled| spelled.starts_with('-')) {
        Some(spelled) => (spelled, true),
        None => (spelled, false),
    };
    if let Some(name) =
        names(spelled).find(|name| !name.starts_with(['-', '+']) && !matches!(*name, "(" | "!" | ","))
    {
        let help = "write `-x` or `--name`, several with `/` between them";
        return Err(Fault::new(format!("`{name}` is no name of an option"), help));
    }
    let (takes, roles) = takes(token, value, is_prefix)?;
    let takes = match takes {
        OptionArgument::Nothing if attributes.has(Attribute::FirstIsCode) => OptionArgument::FirstIsCode,
        OptionArgument::Nothing if attributes.has(Attribute::AllAreCode) => OptionArgument::AllAreCode,
        takes => takes,
    };
    Ok(Opt { names: spelled, takes, roles, scheme: of, attributes })
}

/// An option without its attributes: they are after the first `:` that is no name itself.
fn head(token: &str) -> &str {
    let end = token.char_indices().skip(2).find(|(_, char)| *char == ':').map_or(token.len(), |(at, _)| at);
    token.get(..end).unwrap_or(token)
}

enum Value<'t> {
    None,
    Next(&'t str),
    Joined(&'t str),
}

/// What an option takes, and the roles of its values.
fn takes(
    token: &str,
    value: Value<'_>,
    is_prefix: bool,
) -> Result<(OptionArgument, [Option<Role>; 3]), Fault> {
    let none = [None; 3];
    let one = |role: Role| [Some(role), None, None];
    if is_prefix {
        return match value {
            Value::Next("CODE") => Ok((OptionArgument::Prefix, one(Role::Code))),
            _ => Err(Fault::new(format!("`{token}` has another role than code"), "write `-X*=CODE`")),
        };
    }
    Ok(match value {
        Value::None => (OptionArgument::Nothing, none),
        Value::Joined("DIGITS") => (OptionArgument::Digits, one(Role::Text)),
        Value::Joined(name) => (OptionArgument::Joined, one(role(token, name)?)),
        Value::Next("NAME,VALUE") => {
            (OptionArgument::NameAndValue, [Some(Role::Set), Some(Role::Text), None])
        }
        Value::Next("CODE...") => (OptionArgument::LastCode, one(Role::Code)),
        Value::Next("MODULE...") => (OptionArgument::Module, one(Role::Module)),
        Value::Next("COMMAND;") => (OptionArgument::Command, one(Role::Command)),
        Value::Next(names) if names.contains(',') => {
            let mut roles = none;
            let mut count = 0;
            for name in names.split(',') {
                let Some(place) = roles.get_mut(count) else {
                    let what = format!("`{token}` takes more than three values");
                    return Err(Fault::new(what, "write at most three roles"));
                };
                *place = Some(role(token, name)?);
                count += 1;
            }
            (OptionArgument::Data(count), roles)
        }
        Value::Next(name) => {
            let role = role(token, name)?;
            let takes = match role {
                Role::Code | Role::Expr | Role::Sql | Role::Setting => OptionArgument::Code,
                Role::Line | Role::Lines => OptionArgument::Line,
                Role::Load | Role::Script => OptionArgument::Program,
                Role::Dir => OptionArgument::Folder,
                Role::Set => OptionArgument::Variable,
                Role::Words => OptionArgument::Words,
                Role::Module => {
                    return Err(Fault::new(format!("`{token}` is a module"), "write `=MODULE...`"));
                }
                Role::Command => {
                    return Err(Fault::new(format!("`{token}` is a command"), "write `=COMMAND;`"));
                }
                _ => OptionArgument::Data(1),
            };
            (takes, one(role))
        }
    })
}

fn role(within: &str, name: &str) -> Result<Role, Fault> {
    Role::from_name(name).ok_or_else(|| {
        let known = Role::ALL.iter().map(|role| role.name()).collect();
        Fault::unknown(format!("`{within}` has the unknown role `{name}`"), name, known)
    })
}

/// Names of what is no file.
const SCHEMES: [&str; 3] = ["env", "store", "ref"];

fn scheme(name: &str) -> Option<&'static str> {
    SCHEMES.into_iter().find(|scheme| *scheme == name)
}

/// The place of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the operand is.
    pub role: Role,
    /// What it names, if that is no file: `env`, `store` or `ref`.
    pub scheme: Option<&'static str>,
    /// There is none if an option gave it.
    pub unless_given: bool,
    /// Any number of operands.
    pub repeats: bool,
}

fn unknown_scheme(token: &str, name: &str) -> Fault {
    Fault::unknown(format!("`{token}` has the unknown scheme `{name}`"), name, SCHEMES.to_vec())
}

/// Reads the operands of a row: `READ... WRITE`.
///
/// # Errors
///
/// Says what is wrong with them.
pub fn operands(list: &str) -> Result<Vec<Place>, Fault> {
    let mut places = Vec::new();
    for token in list.split_ascii_whitespace() {
        let (bare, repeats) = token.strip_suffix("...").map_or((token, false), |bare| (bare, true));
        let (bare, unless_given) = bare.strip_suffix('?').map_or((bare, false), |bare| (bare, true));
        let (bare, scheme) = match bare.split_once(':') {
            Some((bare, name)) => (bare, Some(scheme(name).ok_or_else(|| unknown_scheme(token, name))?)),
            None => (bare, None),
        };
        places.push(Place { role: role(token, bare)?, scheme, unless_given, repeats });
    }
    let many = places.iter().filter(|place| place.repeats && place.role != Role::Set).count();
    match many {
        0 | 1 => Ok(places),
        _ => Err(Fault::new(format!("`{list}` has `...` twice"), "one operand may repeat")),
    }
}

/// A field of a list in the value of an option: `--secret:src=SEND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'r> {
    /// The option, with its dashes.
    pub option: &'r str,
    /// The name of the field; `*` for any.
    pub name: &'r str,
    /// What its value is.
    pub role: Role,
}

impl<'r> Field<'r> {
    /// Reads an entry of the key `fields`.
    #[must_use]
    pub fn parse(entry: &'r str) -> Option<Self> {
        let (place, role) = entry.split_once('=')?;
        let (option, name) = place.split_once(':')?;
        let is_named = option.starts_with('-') && !name.is_empty();
        Some(Self { option, name, role: Role::from_name(role).filter(|_| is_named)? })
    }
}
