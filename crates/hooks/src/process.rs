//! A hook process from its start to its exit: stdin in, an answer out in time, a refusal whatever goes wrong here.
//!
//! # What refuses, and how
//!
//! The message is judged on the first thread. A second one waits for the deadline: whatever hangs (stdin, a disk, a
//! lock), it says the refusal in time and ends the process. A panic is answered by the panic hook, which runs before
//! any unwinding or abort, says the refusal and ends the process too. Of the three only the first to come speaks. What
//! no code can answer is the death of the process itself (a kill, memory that cannot be had, a stack that overflows):
//! the exit code is then none of ours and stdout is empty, which a host refuses only if its entry says `onFailure:
//! "block"`. The entry that is installed does, and the doctor looks for it. All reading is bounded in bytes and depth,
//! so that neither is expected.

use crate::agent::Agent;
use crate::answer::Answer;
use crate::asked::{Message, Unclear};
use crate::deadline::Deadline;
use crate::decided::late;
use crate::exit::BLOCK;
use crate::respond::{Response, note, respond};
use countersign_gate::world::environment::Environment;
use countersign_policy::path::AbsPath;
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::sync::OnceLock;
use std::sync::mpsc::sync_channel;
use std::thread::{Builder, ThreadId, current, sleep};
use std::time::Duration;

/// A longer message is refused, in bytes. Ten megabytes are judged.
pub const MOST_BYTES: u64 = 32 << 20;

/// The stack of the thread that waits for the deadline.
const WATCH_BYTES: usize = 256 << 10;

/// How long the record of a refusal without a verdict is waited for.
const NOTE_WAIT: Duration = Duration::from_millis(500);

/// The thread that speaks to the host.
static SPEAKER: OnceLock<ThreadId> = OnceLock::new();

/// Where this process finds its rules and journals.
static PINS: OnceLock<Pins> = OnceLock::new();

/// Places that the hook's own entry names, whatever the environment says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pins {
    /// In place of `XDG_CONFIG_HOME`.
    pub config_home: Option<AbsPath>,
    /// In place of `XDG_STATE_HOME`.
    pub state_home: Option<AbsPath>,
}

impl Pins {
    /// Reads the arguments behind the agent's name; nothing where one is not understood.
    pub fn parse(arguments: &[OsString]) -> Option<Self> {
        let mut pins = Self::default();
        for pair in arguments.chunks(2) {
            let [name, value] = pair else { return None };
            let place = AbsPath::parse(value.to_str()?)?;
            let slot = match name.to_str()? {
                "--config-home" => &mut pins.config_home,
                "--state-home" => &mut pins.state_home,
                _ => return None,
            };
            if slot.replace(place).is_some() {
                return None;
            }
        }
        Some(pins)
    }
}

/// The environment of the process, with the pinned places in it.
fn environment() -> Environment {
    let own = Environment::of_process();
    let pins = PINS.get().cloned().unwrap_or_default();
    Environment {
        config_home: pins.config_home.or(own.config_home),
        state_home: pins.state_home.or(own.state_home),
        ..own
    }
}

/// What is known of the message that is being answered, for the record of a refusal without a verdict.
static CURRENT: OnceLock<Current> = OnceLock::new();

struct Current {
    event: String,
    session: String,
    call: Option<String>,
}

impl Current {
    fn of(message: &Message) -> Option<Self> {
        let (event, session, call) = match message {
            Message::Call(asked) => (&asked.event, &asked.session, Some(&asked.call.id.0)),
            Message::Expansion(expansion) => (&expansion.event, &expansion.session, None),
            // What it says of a call is no refusal of it.
            Message::Report(report) => (&report.event, &report.session, None),
            Message::Start(start) => (&start.event, &start.session, None),
            Message::Change(change) => (&change.event, &change.session, None),
            Message::Unclear(unclear) => (&unclear.event, &unclear.session, None),
            Message::Idle => return None,
        };
        Some(Self {
            event: event.clone(),
            session: session.clone(),
            call: call.cloned(),
        })
    }
}

/// Answers the message on stdin and ends the process.
pub fn run(agent: Agent, pins: Pins) -> ! {
    let deadline = Deadline::of_process();
    // It is set once, before anything can fail.
    let _ = PINS.set(pins);
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic
            .location()
            .map_or_else(String::new, ToString::to_string);
        let why = format!("a fault in countersign at {place}");
        refuse(agent, &Answer::failure(&why, Some(REPORT)));
    }));
    let watching = Builder::new().stack_size(WATCH_BYTES).spawn(move || {
        sleep(deadline.left());
        refuse(agent, &late(deadline.limit()));
    });
    if let Err(error) = watching {
        let why = format!("no thread could be started: {error}");
        refuse(agent, &Answer::failure(&why, None));
    }
    let response = answer(agent, deadline);
    speak();
    say(agent, &response.event, &response.answer)
}

/// Takes the one turn to speak. Whoever comes later leaves the speaker a moment to end the process, and then ends it.
fn speak() {
    let own = current().id();
    if SPEAKER.set(own).is_err() {
        if SPEAKER.get() != Some(&own) {
            sleep(Duration::from_secs(1));
        }
        std::process::exit(BLOCK);
    }
}

const REPORT: &str = "report this with the words above; the call was not judged";

/// Reads and answers one message.
fn answer(agent: Agent, deadline: Deadline) -> Response {
    let message = match stdin() {
        Ok(text) => agent.read(&text),
        Err(why) => Message::Unclear(Unclear {
            event: agent.gate_event().to_owned(),
            session: String::new(),
            why,
        }),
    };
    if let Some(current) = Current::of(&message) {
        // It is set once, as one message is answered.
        let _ = CURRENT.set(current);
    }
    fault();
    respond(agent, message, environment(), deadline)
}

/// The whole message, or what keeps it from being one.
fn stdin() -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    let read = stdin.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("the host's message cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        // A host that still writes must not take a closed pipe for a failure of its own.
        let rest = io::copy(&mut stdin, &mut io::sink()).unwrap_or(0);
        let all = bytes.len() as u64 + rest;
        return Err(format!(
            "the host's message is too large, it has {all} bytes of {MOST_BYTES}"
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("the host's message is not UTF-8 (from byte {at} on)")
    })
}

/// Refuses without a verdict, and records that if it can be done.
fn refuse(agent: Agent, answer: &Answer) -> ! {
    speak();
    let current = CURRENT.get();
    let event = current.map_or(agent.gate_event(), |current| current.event.as_str());
    let said = agent.reply(event, answer);
    // The host hears it first, and the record is not waited for without end: it may be what hangs.
    let written = said.write();
    let (session, call) = match current {
        Some(current) => (current.session.clone(), current.call.clone()),
        None => (String::new(), None),
    };
    let why = said.stderr.clone();
    let (done, noted) = sync_channel(1);
    let noting = Builder::new().spawn(move || {
        let environment = environment();
        note(agent, &session, call.as_deref(), &why, &environment);
        // Where nobody waits any more, the process is over.
        let _ = done.send(());
    });
    if noting.is_ok() {
        let _ = noted.recv_timeout(NOTE_WAIT);
    }
    // The exit code speaks where stdout could not.
    std::process::exit(written.map_or(BLOCK, |()| said.code))
}

/// Says the answer. A host that cannot hear it is refused.
fn say(agent: Agent, event: &str, answer: &Answer) -> ! {
    let said = agent.reply(event, answer);
    let code = match said.write() {
        Ok(()) => said.code,
        Err(_) => BLOCK,
    };
    std::process::exit(code)
}

/// Lets a test make this process fail where it is told to; nothing in what is shipped.
#[cfg(any(debug_assertions, feature = "faults"))]
fn fault() {
    match std::env::var("COUNTERSIGN_HOOK_FAULT").as_deref() {
        #[expect(clippy::panic, reason = "a test asks for it")]
        Ok("panic") => panic!("as a test asked"),
        Ok("hang") => sleep(Duration::from_mins(10)),
        Ok("abort") => std::process::abort(),
        Ok(_) | Err(_) => {}
    }
}

#[cfg(not(any(debug_assertions, feature = "faults")))]
const fn fault() {}
