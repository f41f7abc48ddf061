//! Claude Code's hook contract in three functions: what a message says, what is replied, and the exit code.

mod embedded;
mod event;
mod form;
mod glob;
mod mode;
mod reply;
mod tool;

use self::event::Event;
use self::form::Form;
use self::mode::HostMode;
use self::tool::Tool;
use crate::answer::Answer;
use crate::asked::{Asked, Change, Expansion, Hearing, Message, Report, Start, Unclear, Whose};
use countersign_policy::call::{Action, Call, CallId};
use countersign_policy::path::AbsPath;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The event that no call gets around, and by which calls are refused that cannot be understood.
pub const GATE_EVENT: &str = event::PRE_TOOL_USE;

/// A message as it stands on the wire. Every field is taken as it comes, so that a form that we do not know in a field
/// that does not matter never keeps us from judging; what is not listed is not looked at.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow, default)]
    hook_event_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    cwd: Option<&'a RawValue>,
    #[serde(borrow, default)]
    permission_mode: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_use_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    mcp_server: Option<&'a RawValue>,
    #[serde(borrow, default)]
    command_name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    command_args: Option<&'a RawValue>,
    #[serde(borrow, default)]
    prompt: Option<&'a RawValue>,
    #[serde(borrow, default)]
    source: Option<&'a RawValue>,
    #[serde(borrow, default)]
    file_path: Option<&'a RawValue>,
}

/// What a message says.
pub fn read(text: &str) -> Message {
    let unclear = |event: &str, session: String, why: String| {
        Message::Unclear(Unclear {
            event: event.to_owned(),
            session,
            why,
        })
    };
    if !text.trim_start().starts_with('{') {
        let why = "the host's message is not a JSON object".to_owned();
        return unclear(GATE_EVENT, String::new(), why);
    }
    let wire: Wire<'_> = match serde_json::from_str(text) {
        Ok(wire) => wire,
        Err(error) => {
            let why = format!("the host's message is not the JSON that is known: {error}");
            return unclear(GATE_EVENT, String::new(), why);
        }
    };
    let session = word(wire.session_id).unwrap_or_default();
    let Some(name) = word(wire.hook_event_name) else {
        return unclear(GATE_EVENT, session, "the message names no event".to_owned());
    };
    let event = Event::of(&name, wire.tool_input.is_some() || wire.tool_name.is_some());
    match event {
        Event::Call | Event::Question | Event::SkillShell => {
            call(&wire, name.clone(), session.clone(), event)
                .unwrap_or_else(|why| unclear(&name, session, why))
        }
        Event::Expansion => expansion(&wire, name.clone(), session.clone())
            .unwrap_or_else(|why| unclear(&name, session, why)),
        Event::Report(ran) => Message::Report(Report {
            event: name,
            session,
            call: word(wire.tool_use_id).unwrap_or_default(),
            tool: word(wire.tool_name).unwrap_or_default(),
            ran,
        }),
        Event::Start => Message::Start(Start {
            event: name,
            session,
            cwd: path(wire.cwd),
            fresh: word(wire.source).as_deref() == Some("startup"),
        }),
        Event::Change => Message::Change(Change {
            event: name,
            session,
            cwd: path(wire.cwd),
            of: whose(word(wire.source).as_deref()),
            file: path(wire.file_path),
        }),
        Event::Idle => Message::Idle,
        Event::UnknownOfTool => {
            let why = format!("`{name}` is about a tool and is not known to this version");
            unclear(&name, session, why)
        }
    }
}

/// The call of a message, or what is wrong with it.
fn call(
    wire: &Wire<'_>,
    event_name: String,
    session: String,
    event: Event,
) -> Result<Message, String> {
    let name = word(wire.tool_name).ok_or("the message names no tool")?;
    let cwd = word(wire.cwd).ok_or("the message names no working directory")?;
    let cwd = AbsPath::parse(&cwd).ok_or("the working directory of the message is not absolute")?;
    let server = wire.mcp_server.and_then(server_name);
    let tool = Tool::of(&name, server.as_deref());
    let form = Form::of(wire.tool_input);
    let mode = HostMode::of(word(wire.permission_mode).as_deref());
    let call = Call {
        id: CallId(word(wire.tool_use_id).unwrap_or_default()),
        input: wire
            .tool_input
            .map_or_else(String::new, |input| input.get().to_owned()),
        action: tool.action(&form, &cwd),
        tool: name,
        cwd,
    };
    Ok(Message::Call(Box::new(Asked {
        event: event_name,
        session,
        call,
        reads_only: mode == HostMode::Plan,
        prompting: event.prompting(&tool, mode),
        caution: tool::caution(&form),
        hearing: event.hearing(),
    })))
}

/// The text of a message that is about to become a prompt, or what is wrong with it.
fn expansion(wire: &Wire<'_>, event: String, session: String) -> Result<Message, String> {
    let prompt = word(wire.prompt).ok_or("the message names no prompt")?;
    let name = word(wire.command_name).ok_or("the message names no command")?;
    let arguments = match wire.command_args {
        None => String::new(),
        Some(value) if value.get() == "null" => String::new(),
        Some(value) => word(Some(value)).ok_or("the command's arguments are no text")?,
    };
    let (files, somewhere) = files(&name);
    Ok(Message::Expansion(Expansion {
        event,
        session,
        files,
        somewhere,
        name,
        prompt,
        arguments,
        cwd: path(wire.cwd),
    }))
}

/// Where the host may keep the text of a typed command, below `.claude`: a skill by its name, a command in any
/// directory, as directories are left out of what is typed.
fn files(name: &str) -> (Vec<String>, Option<(String, String)>) {
    let name = name.trim_start_matches('/');
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/');
    if name.is_empty() || !name.chars().all(plain) || name.contains("..") {
        return (Vec::new(), None);
    }
    let last = name.rsplit([':', '/']).next().unwrap_or(name);
    let mut files = vec![
        format!("skills/{name}/SKILL.md"),
        format!("skills/{last}/SKILL.md"),
    ];
    files.dedup();
    (files, Some(("commands".to_owned(), format!("{last}.md"))))
}

/// The commands that a text of the host's would run, as calls; an error where they are too many.
pub fn embedded(expansion: &Expansion, text: &str) -> Result<Vec<Asked>, String> {
    let text = embedded::filled(text, &expansion.arguments);
    let commands = embedded::commands(&text);
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    if commands.len() > embedded::MOST {
        return Err(format!(
            "`{}` embeds more than {} commands",
            expansion.name,
            embedded::MOST
        ));
    }
    let cwd = expansion.cwd.as_ref();
    let cwd = cwd.ok_or("the message names no working directory that is absolute")?;
    let asked = |(at, command): (usize, &str)| Asked {
        event: expansion.event.clone(),
        session: expansion.session.clone(),
        call: Call {
            id: CallId(format!("{}!{}", expansion.name, at + 1)),
            tool: SHELL.to_owned(),
            input: serde_json::json!({ "command": command }).to_string(),
            cwd: cwd.clone(),
            action: Action::Shell(command.to_owned()),
        },
        reads_only: false,
        prompting: Event::Expansion.prompting(&Tool::Bash, HostMode::Unknown),
        caution: embedded::is_open(command).then_some(OPEN),
        hearing: Hearing::First,
    };
    Ok(commands.into_iter().enumerate().map(asked).collect())
}

/// The tool as whose call an embedded command is judged.
const SHELL: &str = "Bash";

/// Why nothing certain can be said of some commands.
const OPEN: &str = "the host puts arguments into it by their number, and they are not known here";

/// Whose settings a message speaks of.
fn whose(source: Option<&str>) -> Whose {
    match source {
        Some("user_settings") => Whose::User,
        Some("project_settings") => Whose::Project,
        Some("local_settings") => Whose::Local,
        Some("policy_settings") => Whose::Managed,
        Some("skills") => Whose::Skill,
        Some(_) | None => Whose::Unknown,
    }
}

/// The absolute path of a field; nothing where it is none.
fn path(field: Option<&RawValue>) -> Option<AbsPath> {
    AbsPath::parse(&word(field)?)
}

/// The text of a field; nothing where it is none.
fn word(field: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(field?.get()).ok()
}

/// The name of the MCP server that the host gives with the call.
fn server_name(field: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Server {
        name: String,
    }
    let server: Server = serde_json::from_str(field.get()).ok()?;
    Some(server.name)
}

/// A call as the host tells it.
#[derive(Serialize)]
struct Told<'a, I: ?Sized> {
    hook_event_name: &'static str,
    cwd: &'a str,
    tool_name: &'a str,
    tool_input: &'a I,
}

/// What a call of a tool of that name wants, where the call itself does not come from the host: it is told as the host
/// would tell it, so that both say the same. The input is anything that serialises as it stands.
pub fn action<I: Serialize + ?Sized>(tool: &str, input: &I, cwd: &AbsPath) -> Action {
    let told = Told {
        hook_event_name: GATE_EVENT,
        cwd: cwd.as_str(),
        tool_name: tool,
        tool_input: input,
    };
    let text = match serde_json::to_string(&told) {
        Ok(text) => text,
        Err(error) => return Action::Malformed(error.to_string()),
    };
    match read(&text) {
        Message::Call(asked) => asked.call.action,
        Message::Unclear(unclear) => Action::Malformed(unclear.why),
        Message::Expansion(_)
        | Message::Report(_)
        | Message::Start(_)
        | Message::Change(_)
        | Message::Idle => Action::Unknown,
    }
}

/// What is replied to a message about `event`: a line of JSON, or nothing.
pub fn reply(event: &str, answer: &Answer) -> String {
    reply::reply(event, answer)
}

/// The exit code of a reply to a message about `event`.
pub fn exit_code(event: &str, answer: &Answer) -> i32 {
    reply::exit_code(event, answer)
}
