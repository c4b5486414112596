//! Variables of the environment whose values programs start or read as code (the key `variables` of rows), and those that
//! control what programs run or load.

use super::globs;
use super::packed::{VARIABLE_GLOBS, VARIABLES};

/// What the value of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'n> {
    /// A command that other programs start: a line for a shell, or the name of a program.
    Line,
    /// Words that a program reads in front of its own.
    Words,
    /// Text that a shell expands.
    Text,
    /// Code in the notation of the program of this name, whose row finds command lines in it.
    Escaped(&'n str),
    /// A shell that other programs start.
    Shell,
    /// The path of a file that the program of this name runs.
    File(&'n str),
    /// Code in a notation of its own.
    Opaque,
    /// The key of a setting of git, whose value is in another variable with this number.
    GitKey(&'n str),
}

impl<'n> Content<'n> {
    /// Of a role in the row of a program.
    pub(crate) fn from_role(role: &str, program: &'n str) -> Self {
        match role {
            "LINE" => Self::Line,
            "WORDS" => Self::Words,
            "SHELL" => Self::Shell,
            "EXPR" => Self::Escaped(program),
            "SCRIPT" => Self::File(program),
            _ => Self::Opaque,
        }
    }
}

/// What the value of a variable is, if it is code.
#[must_use]
pub fn content(name: &str) -> Option<Content<'_>> {
    if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
        return Some(Content::GitKey(number));
    }
    // `BASH_FUNC_ls%%=() { CODE; }`
    match name {
        "PS0" | "PS4" => return Some(Content::Text),
        _ if name.starts_with("BASH_FUNC_") => return Some(Content::Opaque),
        _ => {}
    }
    let exact = VARIABLES.binary_search_by_key(&name, |(listed, ..)| listed).ok();
    let found = exact.and_then(|at| VARIABLES.get(at));
    let found = found.or_else(|| VARIABLE_GLOBS.iter().find(|(glob, ..)| globs::matches(glob, name)));
    found.map(|(_, role, program)| Content::from_role(role, program))
}

/// Those that control what programs run or load, but for those with code.
const LOADING: &[&str] = &[
    // The shells, and what every program looks up.
    "PATH",
    "CDPATH",
    "FPATH",
    "HOME",
    "ENV",
    "IFS",
    "SHELL",
    "SHELLOPTS",
    "PROMPT",
    "PS1",
    "PS2",
    "PS3",
    "ZDOTDIR",
    "INPUTRC",
    "XDG_CONFIG_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
    "XDG_RUNTIME_DIR",
    "APPDATA",
    "USERPROFILE",
    "COMSPEC",
    "PATHEXT",
    "PSModulePath",
    // The loader and the C library.
    "GCONV_PATH",
    "GETCONF_DIR",
    "LOCPATH",
    "NIX_LD",
    "NIX_LD_LIBRARY_PATH",
    "NLSPATH",
    // Programs that others start.
    "MANOPT",
    "MANPATH",
    "SSH_SK_PROVIDER",
    "HGRCPATH",
    "CVSEDITOR",
    "RSYNC_PROXY",
    "TAR_OPTIONS",
    "RSH",
    "LESS",
    "LESSKEY",
    "LESSEDIT",
    "MORE",
    "VIMINIT",
    "EXINIT",
    "VIM",
    "VIMRUNTIME",
    "MYVIMRC",
    "EMACSLOADPATH",
    "SCREENRC",
    "FZF_DEFAULT_OPTS",
    "RIPGREP_CONFIG_PATH",
    "PSQLRC",
    "MYSQL_HOME",
    "CURL_HOME",
    "WGETRC",
    "UNZIP",
    "ZIPOPT",
    // Languages.
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "ELECTRON_RUN_AS_NODE",
    "CLASSPATH",
    "JAVA_HOME",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "_JAVA_OPTIONS",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "AWKPATH",
    "AWKLIBPATH",
    "TCLLIBPATH",
    "TCL_LIBRARY",
    "GUILE_LOAD_PATH",
    "GUILE_LOAD_COMPILED_PATH",
    "GUILE_INIT_SEGMENT_SIZE",
    "PLTUSERHOME",
    "PLTCOLLECTS",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTDOC",
    "RUSTFLAGS",
    "RUSTDOCFLAGS",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOENV",
    "GOFLAGS",
    "GOPATH",
    "GOROOT",
    "GOTOOLCHAIN",
    // Building.
    "MAKEFLAGS",
    "GNUMAKEFLAGS",
    "MFLAGS",
    "MAKEFILES",
    "MAKESHELL",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "COMPILER_PATH",
    "CMAKE_TOOLCHAIN_FILE",
    "M2_HOME",
    "MAVEN_OPTS",
    "MAVEN_ARGS",
    "GRADLE_OPTS",
    "GRADLE_HOME",
    "GRADLE_USER_HOME",
    "ANT_HOME",
    "ANT_OPTS",
    "SBT_OPTS",
    "PIP_CONFIG_FILE",
    // Configuration that names programs to run.
    "DOCKER_CONFIG",
    "DOCKER_CLI_PLUGIN_EXTRA_DIRS",
    "KUBECONFIG",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "CLOUDSDK_CONFIG",
    "CLOUDSDK_PYTHON",
    "HELM_PLUGINS",
    "TF_CLI_CONFIG_FILE",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "GNUPGHOME",
    "QT_PLUGIN_PATH",
    "GTK_MODULES",
    "GTK_PATH",
    "GIO_EXTRA_MODULES",
    "GIO_MODULE_DIR",
    "GST_PLUGIN_PATH",
    "DBUS_SESSION_BUS_ADDRESS",
];

/// How the names of further ones begin.
const LOADING_STARTS: &[&str] = &[
    "LD_",
    "DYLD_",
    "BASH",
    "GIT_",
    "PYTHON",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "LUA_",
    "R_",
    "JULIA_",
    "ERL_",
    "ELIXIR_",
    "DOTNET_",
    "CORECLR_",
    "COR_",
    "CARGO_",
    "CGO_",
    "npm_config_",
    "NPM_CONFIG_",
    "YARN_",
    "UV_",
    "TF_CLI_ARGS",
    "ANSIBLE_",
    "HOOKC_",
];

/// Whether a variable controls what programs run or load.
#[must_use]
pub fn loads(name: &str) -> bool {
    let name = name.trim_end_matches('+');
    content(name).is_some()
        || LOADING.contains(&name)
        || LOADING_STARTS.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_rows() {
        assert_eq!(content("EDITOR"), Some(Content::Line));
        assert_eq!(content("GH_PAGER"), Some(Content::Line));
        assert_eq!(content("GOFLAGS"), Some(Content::Words));
        assert_eq!(content("GIT_CONFIG_PARAMETERS"), Some(Content::Opaque));
        assert_eq!((content("_EDITO"), content("HOME"), content("")), (None, None, None));
        assert!(VARIABLES.is_sorted_by(|(one, ..), (two, ..)| one < two));
    }
}
