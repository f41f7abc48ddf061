//! Claude Code's hook contract in three functions: what a message says, what is replied, and the exit code.

mod event;
mod form;
mod glob;
mod mode;
mod tool;

use self::event::Event;
use self::form::Form;
use self::mode::HostMode;
use self::tool::Tool;
use crate::answer::Answer;
use crate::asked::{Asked, Message, Report, Unclear};
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
        Event::Call => call(&wire, name.clone(), session.clone(), event)
            .unwrap_or_else(|why| unclear(&name, session, why)),
        Event::SkillShell => call(&wire, name.clone(), session.clone(), event)
            .unwrap_or_else(|why| unclear(&name, session, why)),
        Event::Report(ran) => Message::Report(Report {
            session,
            call: word(wire.tool_use_id).unwrap_or_default(),
            ran,
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
    })))
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

/// A reply as it stands on the wire.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    hook_specific_output: Output<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
}

/// The part of a reply that decides.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'a str,
    permission_decision: &'static str,
    permission_decision_reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
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
        Message::Report(_) | Message::Idle => Action::Unknown,
    }
}

/// What is replied to a message about `event`: a line of JSON, or nothing.
pub fn reply(event: &str, answer: &Answer) -> String {
    let (decision, reason, context, person) = match answer {
        Answer::Nothing => return String::new(),
        Answer::Allow(reason) => ("allow", reason, None, None),
        Answer::Ask(reason) => ("ask", reason, None, None),
        Answer::Deny(denial) => (
            "deny",
            &denial.reason,
            denial.hint.as_deref(),
            denial.person.as_deref(),
        ),
    };
    let reply = Reply {
        hook_specific_output: Output {
            hook_event_name: event,
            permission_decision: decision,
            permission_decision_reason: reason,
            additional_context: context,
        },
        system_message: person,
    };
    // Texts always serialise; an empty reply would leave the exit code to speak, which refuses.
    serde_json::to_string(&reply).unwrap_or_default()
}

/// The exit code: 2 refuses, whatever stands on stdout, and 0 leaves the word to it. A refusal uses both, as hosts have
/// been seen to lose either.
pub const fn exit_code(answer: &Answer) -> i32 {
    match answer {
        Answer::Allow(_) | Answer::Ask(_) | Answer::Nothing => 0,
        Answer::Deny(_) => crate::exit::BLOCK,
    }
}
