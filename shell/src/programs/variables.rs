//! Variables of the environment that contain code, or control what programs run or load.

/// What the value of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'n> {
    /// A command that other programs start: code for a shell, or the name of a program.
    Code,
    /// Text that a shell expands.
    Text,
    /// Code in a notation of its own.
    Opaque,
    /// The key of a setting of git, whose value is in another variable with this number.
    GitKey(&'n str),
}

/// Those that start a command, but for the names of [`ENDS`].
const NAMES: &[&str] = &[
    "BROWSER",
    "CVS_RSH",
    "EDITOR",
    "FCEDIT",
    "FZF_DEFAULT_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "HGEDITOR",
    "KUBECTL_EXTERNAL_DIFF",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RSYNC_CONNECT_PROG",
    "RSYNC_RSH",
    "SVN_SSH",
    "VISUAL",
];

/// How the names of further ones end: `GH_PAGER`, `KUBE_EDITOR`.
const ENDS: &[&str] = &["_ASKPASS", "_BROWSER", "_EDITOR", "_PAGER"];

/// What the value of a variable is, if it is code.
#[must_use]
pub fn content(name: &str) -> Option<Content<'_>> {
    if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
        return Some(Content::GitKey(number));
    }
    match name {
        "PS0" | "PS4" => Some(Content::Text),
        "GIT_CONFIG_PARAMETERS" => Some(Content::Opaque),
        // `BASH_FUNC_ls%%=() { CODE; }`
        _ if name.starts_with("BASH_FUNC_") => Some(Content::Opaque),
        _ if NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end)) => Some(Content::Code),
        _ => None,
    }
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
