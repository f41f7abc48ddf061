//! Variables that change what programs run, load, reach or write, by their names. Nobody can list all that some program
//! obeys: where many of one family do the whole family is named, and what is known to be harmless is taken out.

use crate::effects::value::Value;

/// Whether a variable of that name changes what some program does, whatever its value.
pub(crate) fn changes_by_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    // npm takes them in letters of any size.
    if ["npm_config_", "pnpm_config_"]
        .iter()
        .any(|front| lower.starts_with(front))
    {
        return true;
    }
    !HARMLESS.contains(&name)
        && !HARMLESS_FRONTS.iter().any(|front| name.starts_with(front))
        && (CHANGING.iter().any(|names| names.contains(&name))
            || CHANGING_FRONTS.iter().any(|front| name.starts_with(front)))
}

/// Whether a setting holds a command with arguments, or one that is not known, which some program will run.
pub(crate) fn hides_command(name: &str, value: &Value) -> bool {
    // A file that a shell or interpreter runs before anything else, or a function.
    if matches!(
        name,
        "BASH_ENV" | "ENV" | "PROMPT_COMMAND" | "PYTHONSTARTUP" | "ZDOTDIR"
    ) || name.starts_with("BASH_FUNC_")
    {
        return value.known() != Some("");
    }
    let holds = HOLDING_COMMANDS.contains(&name)
        || ["_COMMAND", "_PAGER", "_EDITOR", "_ASKPASS"]
            .iter()
            .any(|end| name.ends_with(end));
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    holds && !value.known().is_some_and(|text| text.chars().all(plain))
}

/// Whether options only say how much and how hard is packed: `-9`, `-T0 -9e`.
pub(crate) fn is_level(options: &str) -> bool {
    options.split_whitespace().all(|word| {
        let letters = word.strip_prefix('-');
        letters.is_some_and(|letters| {
            letters
                .chars()
                .all(|c| c.is_ascii_digit() || "eT".contains(c))
        })
    })
}

/// Variables whose value is a command.
const HOLDING_COMMANDS: [&str; 23] = [
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "LESSOPEN",
    "LESSCLOSE",
    "LESSGLOBALTAGS",
    "GREP",
    "GIT_SSH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_CONFIG_PARAMETERS",
    "PS4",
    "PROMPT_COMMAND",
    "RSYNC_RSH",
    "TAR_OPTIONS",
    "ZIPOPT",
    "PERL5OPT",
    "PERL5DB",
    "NODE_OPTIONS",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "MANOPT",
];

/// Names that belong to a family of those that change something, and change nothing but what is printed or how much.
const HARMLESS: &[&str] = &[
    "BAT_THEME",
    "BAT_STYLE",
    "BAT_PAGING",
    "JUST_COLOR",
    "JUST_VERBOSE",
    "LESSCHARSET",
    "LESSUTFCHARDEF",
    "MISE_QUIET",
    "MISE_VERBOSE",
    "PERL_UNICODE",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "PIP_NO_INPUT",
    "PIP_PROGRESS_BAR",
    "POETRY_NO_INTERACTION",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "RUSTC_BOOTSTRAP",
    "RUSTC_LOG",
    "SYSTEMD_COLORS",
    "SYSTEMD_LOG_LEVEL",
    "UV_NO_PROGRESS",
    "UV_OFFLINE",
    "BUNDLE_FROZEN",
    "CLOUDSDK_CORE_DISABLE_PROMPTS",
    "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE",
];

/// Beginnings of such names.
const HARMLESS_FRONTS: [&str; 1] = ["HOMEBREW_NO_"];

/// Names that change something, by what obeys them.
const CHANGING: [&[&str]; 9] = [
    SHELLS,
    LIBRARIES,
    INTERPRETERS,
    BUILDERS,
    MANAGERS,
    PAGERS,
    FILES,
    NETWORK,
    CLOUDS,
];

/// Shells, and what they start of themselves.
const SHELLS: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "INPUTRC",
    "SHELL",
    "CDPATH",
    "HOME",
    "FPATH",
    "FCEDIT",
    "HISTFILE",
    "BASH_LOADABLES_PATH",
    "BASH_XTRACEFD",
    "POSIXLY_CORRECT",
    "BROWSER",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "SSH_ASKPASS_REQUIRE",
    "SSH_AUTH_SOCK",
    "SSH_SK_PROVIDER",
    "SSH_SK_HELPER",
    "SSH_PKCS11_HELPER",
    "VIMINIT",
    "EXINIT",
    "MYVIMRC",
    "VIMRUNTIME",
    "NVIM_APPNAME",
    "EMACSLOADPATH",
];

/// Libraries that every program, or many, are linked with.
const LIBRARIES: &[&str] = &[
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "HOSTALIASES",
    "LOCALDOMAIN",
    "RES_OPTIONS",
    "GETCONF_DIR",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERMCAP",
    "TERMPATH",
    "MALLOC_TRACE",
    "GTK_MODULES",
    "GTK_PATH",
    "QT_PLUGIN_PATH",
    "GIO_EXTRA_MODULES",
    "GIO_MODULE_DIR",
    "GST_PLUGIN_PATH",
    "SSLKEYLOGFILE",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "XML_CATALOG_FILES",
    "SGML_CATALOG_FILES",
    "ASAN_OPTIONS",
    "LSAN_OPTIONS",
    "MSAN_OPTIONS",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
    "ASAN_SYMBOLIZER_PATH",
    "LLVM_PROFILE_FILE",
    "GCOV_PREFIX",
    "KRB5_CONFIG",
    "GNUPGHOME",
];

/// Interpreters.
const INTERPRETERS: &[&str] = &[
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PYTHONUSERBASE",
    "PYTHONPLATLIBDIR",
    "PYTHONEXECUTABLE",
    "PYTHONINSPECT",
    "PYTHONCASEOK",
    "PYTHONBREAKPOINT",
    "PYTHONPYCACHEPREFIX",
    "PYTHONWARNINGS",
    "PYTHONDUMPREFSFILE",
    "PYTHON_PRESITE",
    "PYTHON_HISTORY",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "NODE_REPL_EXTERNAL_MODULE",
    "NODE_REPL_HISTORY",
    "NODE_V8_COVERAGE",
    "NODE_REDIRECT_WARNINGS",
    "NODE_COMPILE_CACHE",
    "NODE_ICU_DATA",
    "NODE_CHANNEL_FD",
    "ELECTRON_RUN_AS_NODE",
    "RUBYOPT",
    "RUBYLIB",
    "RUBYSHELL",
    "RUBYPATH",
    "RUBYGEMS_GEMDEPS",
    "IRBRC",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "LUA_PATH",
    "LUA_CPATH",
    "TCLLIBPATH",
    "TCL_LIBRARY",
    "GUILE_LOAD_PATH",
    "GUILE_LOAD_COMPILED_PATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "JAVA_OPTS",
    "JAVA_HOME",
    "JAVACMD",
    "CLASSPATH",
    "R_PROFILE",
    "R_PROFILE_USER",
    "R_ENVIRON",
    "R_ENVIRON_USER",
    "R_HOME",
    "R_LIBS",
    "R_LIBS_USER",
    "R_LIBS_SITE",
    "ERL_FLAGS",
    "ERL_AFLAGS",
    "ERL_ZFLAGS",
    "ERL_LIBS",
    "ELIXIR_ERL_OPTIONS",
    "MIX_HOME",
    "MIX_ARCHIVES",
    "MIX_EXS",
    "JULIA_LOAD_PATH",
    "JULIA_DEPOT_PATH",
    "JULIA_PROJECT",
    "GHCRTS",
    "GHC_PACKAGE_PATH",
    "CAML_LD_LIBRARY_PATH",
    "OCAMLRUNPARAM",
    "DOTNET_STARTUP_HOOKS",
    "DOTNET_ROOT",
    "DOTNET_HOST_PATH",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_SHARED_STORE",
    "DOTNET_CLI_HOME",
    "DENO_DIR",
    "DENO_INSTALL_ROOT",
    "DENO_CERT",
    "BUN_OPTIONS",
    "BUN_INSTALL",
    "BUN_CONFIG",
    "AWKPATH",
    "AWKLIBPATH",
];

/// Compilers, and tools that build.
const BUILDERS: &[&str] = &[
    "CC",
    "CXX",
    "LD",
    "AR",
    "CPP",
    "PKG_CONFIG",
    "PKG_CONFIG_LOG",
    "COMPILER_PATH",
    "LIBRARY_PATH",
    "CPATH",
    "CCC_OVERRIDE_OPTIONS",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "MAKE",
    "MAKEFLAGS",
    "GNUMAKEFLAGS",
    "MFLAGS",
    "MAKEFILES",
    "RUSTC",
    "RUSTDOC",
    "RUSTFMT",
    "GOFLAGS",
    "GOPROXY",
    "GOROOT",
    "GOPATH",
    "GOBIN",
    "GOENV",
    "GOTOOLCHAIN",
    "GOCACHE",
    "GOCACHEPROG",
    "GOMODCACHE",
    "GOTMPDIR",
    "GOWORK",
    "GOAUTH",
    "GOVCS",
    "GOSUMDB",
    "GONOSUMDB",
    "GONOSUMCHECK",
    "GONOPROXY",
    "GOPRIVATE",
    "GOINSECURE",
    "GOCOVERDIR",
    "MAVEN_OPTS",
    "MAVEN_ARGS",
    "GRADLE_OPTS",
    "GRADLE_USER_HOME",
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
    "MYPYPATH",
    "MYPY_CACHE_DIR",
    "BLACK_CACHE_DIR",
    "SHELLCHECK_OPTS",
    "YAMLLINT_CONFIG_FILE",
    "VALE_CONFIG_PATH",
    "GVBINDIR",
    "GV_FILE_PATH",
];

/// Managers of packages, versions and environments.
const MANAGERS: &[&str] = &[
    "PYENV_VERSION",
    "PYENV_ROOT",
    "PYENV_HOOK_PATH",
    "NVM_DIR",
    "VIRTUAL_ENV",
    "COMPOSER_HOME",
    "COMPOSER",
    "COMPOSER_VENDOR_DIR",
    "COMPOSER_BIN_DIR",
    "COMPOSER_CACHE_DIR",
    "GEMRC",
    "USE_BAZEL_VERSION",
    "CONDARC",
    "CONDA_EXE",
    "CONDA_PREFIX",
    "CONDA_PYTHON_EXE",
];

/// Programs that show and search: files of settings, and options in front of what the call says.
const PAGERS: &[&str] = &[
    "LESS",
    "LESSOPEN",
    "LESSCLOSE",
    "MORE",
    "SYSTEMD_LESS",
    "ACK_OPTIONS",
    "ACKRC",
    "MANOPT",
    "MANPATH",
    "RI_PAGER",
    // Options that let a manual page run commands.
    "MANROFFOPT",
    "MANROFFSEQ",
    // A file whose words are quoted in complaints.
    "MAGIC",
    // What `zgrep` and its kin run.
    "GREP",
    "GREP_OPTIONS",
    "RIPGREP_CONFIG_PATH",
    "EZA_CONFIG_DIR",
    "DEBUGINFOD_URLS",
    "DEBUGINFOD_CACHE_PATH",
];

/// Programs that pack, copy and write.
const FILES: &[&str] = &[
    "RSYNC_RSH",
    "RSYNC_CONNECT_PROG",
    "RSYNC_SHELL",
    "TAR_OPTIONS",
    // Where tar writes that is told no archive.
    "TAPE",
    "ZIPOPT",
    "UNZIP",
    "UNZIPOPT",
    "ZIPINFO",
    "ZIPINFOOPT",
    "PIGZ",
    // The end of the name of a copy that is kept.
    "SIMPLE_BACKUP_SUFFIX",
    "VERSION_CONTROL",
    "FFREPORT",
    "BC_ENV_ARGS",
    "UNITSFILE",
];

/// Where the net is reached, and as whom.
const NETWORK: &[&str] = &[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "FTP_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "ftp_proxy",
    "CURL_HOME",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "WGETRC",
    "SYSTEM_WGETRC",
    "NETRC",
    "SVN_SSH",
    "CVS_RSH",
    "HGRCPATH",
    "PSQLRC",
    "PGSERVICEFILE",
    "PGSYSCONFDIR",
    "PGPASSFILE",
    "PGHOST",
    "PGHOSTADDR",
    "MYSQL_HOME",
    "MYSQL_TEST_LOGIN_FILE",
    "REDISCLI_RCFILE",
];

/// Clouds, containers and forges: files of settings that name programs, and other places that are asked.
const CLOUDS: &[&str] = &[
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_CA_BUNDLE",
    "AWS_DATA_PATH",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_EC2_METADATA_SERVICE_ENDPOINT",
    "AZURE_CONFIG_DIR",
    "AZURE_EXTENSION_DIR",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES",
    "TF_CLI_CONFIG_FILE",
    "TF_DATA_DIR",
    "TF_LOG_PATH",
    "TF_PLUGIN_CACHE_DIR",
    "TF_REATTACH_PROVIDERS",
    "TERRAFORM_CONFIG",
    "GH_CONFIG_DIR",
    "GH_HOST",
    "GH_PATH",
    "GITLAB_HOST",
    "GITLAB_URI",
    "GLAB_CONFIG_DIR",
    "DOCKER_HOST",
    "DOCKER_CONFIG",
    "DOCKER_CONTEXT",
    "DOCKER_CERT_PATH",
    "DOCKER_TLS_VERIFY",
    "COMPOSE_FILE",
    "COMPOSE_ENV_FILES",
    "BUILDX_CONFIG",
    "BUILDKIT_HOST",
    "CONTAINER_HOST",
    "CONTAINERS_CONF",
    "REGISTRY_AUTH_FILE",
    "VAULT_ADDR",
    "KUBECONFIG",
    "KUBE_EDITOR",
    "CONSUL_HTTP_ADDR",
    "NOMAD_ADDR",
];

/// Beginnings of names that change something.
const CHANGING_FRONTS: &[&str] = &[
    "LD_",
    "DYLD_",
    "BASH_FUNC_",
    "XDG_",
    "DBUS_",
    "OPENSSL_",
    "GIT_",
    "PERL",
    "LUA_INIT",
    "RUSTUP_",
    "RUSTC_",
    "CARGO_",
    "CGO_",
    "GCC_",
    "CCACHE_",
    "SCCACHE_",
    "CORECLR_",
    "COR_ENABLE",
    "COR_PROFILER",
    "BUN_CONFIG_",
    "PIP_",
    "PIPX_",
    "PIPENV_",
    "POETRY_",
    "PDM_",
    "HATCH_",
    "UV_",
    "RUFF_",
    "BIOME_",
    "TAPLO_",
    "DPRINT_",
    "GEM_",
    "BUNDLE_",
    "NPX_",
    "YARN_",
    "PNPM_",
    "COREPACK_",
    "VOLTA_",
    "FNM_",
    "ASDF_",
    "MISE_",
    "RTX_",
    "DIRENV_",
    "HOMEBREW_",
    "JUST_",
    "BAZELISK_",
    "RTK_",
    "BAT_",
    "FZF_",
    "DELTA_",
    "LESS",
    "GROFF_",
    "SYSTEMD_",
    "MAGICK_",
    "AWS_ENDPOINT_URL",
    "CLOUDSDK_",
    "TF_CLI_ARGS",
    "TERRAGRUNT_",
    "KUBECTL_",
    "HELM_",
    "ANSIBLE_",
];
