//! Claude Code's tools by name, and what their inputs want.

use super::form::Form;
use super::glob;
use countersign_policy::call::Action;
use countersign_policy::effects::mcp;
use countersign_policy::path::AbsPath;

/// A tool of the host's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tool {
    /// Runs a text in bash.
    Bash,
    /// Runs a text that is not read.
    PowerShell,
    /// Runs a text in bash and watches it.
    Monitor,
    /// Writes a file.
    Write,
    /// Changes a place in a file.
    Edit,
    /// Changes several places in a file.
    MultiEdit,
    /// Changes a notebook.
    NotebookEdit,
    /// Reads a file.
    Read,
    /// Reads a notebook.
    NotebookRead,
    /// Finds names.
    Glob,
    /// Searches contents.
    Grep,
    /// Lists a directory.
    List,
    /// Fetches a page.
    WebFetch,
    /// Asks a search engine.
    WebSearch,
    /// Starts another agent.
    Agent,
    /// Loads a skill.
    Skill,
    /// Lists what MCP servers offer to be read.
    ListMcpResources,
    /// Reads what an MCP server offers.
    ReadMcpResource,
    /// A tool of an MCP server.
    Mcp {
        /// The server's name.
        server: String,
        /// The tool's name there.
        tool: String,
    },
    /// One that touches nothing but the host itself.
    Control,
    /// One that is not known.
    Unknown,
}

/// Agents that the host itself gives tools that only read.
const READING_AGENTS: [&str; 2] = ["Explore", "Plan"];

/// Inputs of `Agent` that may give the agent more than its kind has.
const WIDENING: [&str; 3] = ["mode", "tools", "permission_mode"];

impl Tool {
    /// The tool of that name; `server` is the MCP server that the host names beside it.
    pub(super) fn of(name: &str, server: Option<&str>) -> Self {
        match name {
            "Bash" => Self::Bash,
            "PowerShell" => Self::PowerShell,
            "Monitor" => Self::Monitor,
            "Write" => Self::Write,
            "Edit" => Self::Edit,
            "MultiEdit" => Self::MultiEdit,
            "NotebookEdit" => Self::NotebookEdit,
            "Read" => Self::Read,
            "NotebookRead" => Self::NotebookRead,
            "Glob" => Self::Glob,
            "Grep" => Self::Grep,
            "LS" => Self::List,
            "WebFetch" => Self::WebFetch,
            "WebSearch" => Self::WebSearch,
            "Agent" | "Task" => Self::Agent,
            "Skill" => Self::Skill,
            "ListMcpResources" | "ListMcpResourcesTool" => Self::ListMcpResources,
            "ReadMcpResource" | "ReadMcpResourceTool" => Self::ReadMcpResource,
            "TodoWrite" | "TodoRead" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet"
            | "TaskOutput" | "TaskStop" | "BashOutput" | "KillShell" | "KillBash"
            | "AgentOutputTool" | "EnterPlanMode" | "ExitPlanMode" | "AskUserQuestion"
            | "ToolSearch" | "StructuredOutput" => Self::Control,
            _ => tool_of_server(name, server).unwrap_or(Self::Unknown),
        }
    }

    /// What a call of the tool wants.
    pub(super) fn action(&self, form: &Form<'_>, cwd: &AbsPath) -> Action {
        self.read(form, cwd).unwrap_or_else(Action::Malformed)
    }

    /// What a call of the tool wants, or what is wrong with its input.
    fn read(&self, form: &Form<'_>, cwd: &AbsPath) -> Result<Action, String> {
        form.check()?;
        Ok(match self {
            Self::Bash | Self::Monitor => Action::Shell(form.text("command")?),
            Self::PowerShell => {
                form.text("command")?;
                Action::Unknown
            }
            Self::Write => {
                form.text("content")?;
                Action::Edit(vec![form.path("file_path")?])
            }
            Self::Edit => {
                form.text("old_string")?;
                form.text("new_string")?;
                Action::Edit(vec![form.path("file_path")?])
            }
            Self::MultiEdit => Action::Edit(vec![form.path("file_path")?]),
            Self::NotebookEdit => Action::Edit(vec![form.path("notebook_path")?]),
            Self::Read => Action::Read(form.path("file_path")?),
            Self::NotebookRead => Action::Read(form.path("notebook_path")?),
            Self::Glob => {
                let pattern = form.path("pattern")?;
                Action::List(glob::directory(form.optional_path("path")?, &pattern))
            }
            Self::Grep => {
                form.text("pattern")?;
                let path = form.optional_path("path")?;
                match form.optional_text("glob")? {
                    Some(names) => Action::SearchNames { path, names },
                    None => Action::Search(path),
                }
            }
            Self::List => Action::List(form.optional_path("path")?),
            Self::WebFetch => Action::Fetch(form.text("url")?),
            Self::WebSearch => Action::WebSearch(form.text("query")?),
            Self::Agent => agent(form)?,
            Self::Skill => skill(form, cwd)?,
            Self::ListMcpResources => Action::Mcp {
                server: form
                    .optional_text("server")?
                    .unwrap_or_else(|| "*".to_owned()),
                tool: "resources/list".to_owned(),
                paths: Some(Vec::new()),
            },
            Self::ReadMcpResource => Action::Mcp {
                server: form.text("server")?,
                tool: "resources/read".to_owned(),
                paths: mcp::paths(&form.value()?),
            },
            Self::Mcp { server, tool } => Action::Mcp {
                server: server.clone(),
                tool: tool.clone(),
                paths: mcp::paths(&form.value()?),
            },
            Self::Control => Action::Control,
            Self::Unknown => Action::Unknown,
        })
    }
}

/// Why a person has to be asked about a call whatever the rules say.
pub(super) fn caution(form: &Form<'_>) -> Option<&'static str> {
    let out = form.is_set("dangerouslyDisableSandbox");
    out.then_some("it asks to run outside the host's sandbox (`dangerouslyDisableSandbox`)")
}

/// The agent that a call starts.
fn agent(form: &Form<'_>) -> Result<Action, String> {
    form.text("prompt")?;
    let kind = form.optional_text("subagent_type")?;
    let reads = kind.is_some_and(|kind| READING_AGENTS.contains(&kind.as_str()));
    let widened = WIDENING.iter().any(|name| form.is_set(name));
    Ok(Action::Task {
        read_only: reads && !widened,
    })
}

/// A skill is a file of the project's that is read; where the host keeps it elsewhere, its name still is the rule's.
fn skill(form: &Form<'_>, cwd: &AbsPath) -> Result<Action, String> {
    let name = match form.optional_text("skill")? {
        Some(name) => name,
        None => form.text("command")?,
    };
    let strange = name.contains(['\0', '\n', '~']) || name.starts_with('/') || name.contains("..");
    if name.is_empty() || strange {
        return Err("`skill` is not the name of a skill".to_owned());
    }
    let file = cwd.join(".claude/skills").join(&name).join("SKILL.md");
    Ok(Action::Read(file.as_str().to_owned()))
}

/// The tool of an MCP server behind `mcp__server__tool`. Where that can be split in several ways, the server that the
/// host names decides, and without it nothing does: an allow for one server must not serve another.
fn tool_of_server(name: &str, server: Option<&str>) -> Option<Tool> {
    let rest = name.strip_prefix("mcp__")?;
    let named = server.map(normalised).and_then(|server| {
        let tool = rest.strip_prefix(server.as_str())?.strip_prefix("__")?;
        Some((server, tool))
    });
    let (server, tool) = match (named, server) {
        (Some((server, tool)), _) => (server, tool),
        (None, Some(_)) => return None,
        (None, None) => {
            let (server, tool) = rest.split_once("__")?;
            if tool.contains("__") {
                return None;
            }
            (server.to_owned(), tool)
        }
    };
    let whole = !server.is_empty() && !tool.is_empty();
    whole.then(|| Tool::Mcp {
        server,
        tool: tool.to_owned(),
    })
}

/// A server's name as the host puts it into the names of its tools.
fn normalised(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Tool, tool_of_server};

    #[test]
    fn p2_mcp_names_are_split_only_where_that_is_certain() {
        let tool = |server: &str, tool: &str| {
            Some(Tool::Mcp {
                server: server.to_owned(),
                tool: tool.to_owned(),
            })
        };
        assert_eq!(
            tool_of_server("mcp__github__get_me", None),
            tool("github", "get_me")
        );
        assert_eq!(tool_of_server("mcp__a__b__c", None), None);
        assert_eq!(
            tool_of_server("mcp__a__b__c", Some("a__b")),
            tool("a__b", "c")
        );
        assert_eq!(tool_of_server("mcp__a__b__c", Some("a")), tool("a", "b__c"));
        assert_eq!(tool_of_server("mcp__a_b__c", Some("a.b")), tool("a_b", "c"));
        assert_eq!(tool_of_server("mcp__a__b", Some("other")), None);
        assert_eq!(tool_of_server("mcp__a__", None), None);
        assert_eq!(tool_of_server("mcp__", None), None);
        assert_eq!(tool_of_server("other", None), None);
    }
}
