//! The options that all comparing programs share.

use std::time::{Duration, Instant};

/// When to stop and where to begin.
#[derive(Debug, Clone)]
pub struct Options {
    /// The seed of all choices.
    pub seed: u64,
    /// Rounds after which to stop.
    pub rounds: Option<u64>,
    /// Minutes after which to stop.
    pub minutes: Option<u64>,
    /// The rule of the grammar from which texts grow.
    pub rule: String,
    /// Texts with one of these are left out: a cause that is known already would drown the others.
    pub without: Vec<String>,
    /// Words that are not options.
    pub words: Vec<String>,
    began: Instant,
}

impl Options {
    /// Reads the command line; the words say what is wrong with it.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            seed: 1,
            rounds: None,
            minutes: None,
            rule: "START".to_owned(),
            without: Vec::new(),
            words: Vec::new(),
            began: Instant::now(),
        };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "--rule" {
                options.rule = words.next().ok_or("`--rule` needs a name")?;
                continue;
            }
            if word == "--without" {
                options
                    .without
                    .push(words.next().ok_or("`--without` needs a text")?);
                continue;
            }
            let mut number = || {
                let value = words.next().and_then(|value| value.parse::<u64>().ok());
                value.ok_or_else(|| format!("`{word}` needs a number"))
            };
            match word.as_str() {
                "--seed" => options.seed = number()?,
                "--rounds" => options.rounds = Some(number()?),
                "--minutes" => options.minutes = Some(number()?),
                _ if word.starts_with("--") => return Err(format!("unknown option `{word}`")),
                _ => options.words.push(word),
            }
        }
        if options.rounds.is_none() && options.minutes.is_none() {
            options.minutes = Some(1);
        }
        Ok(options)
    }

    /// Whether it is time to stop before round `round`.
    pub fn is_over(&self, round: u64) -> bool {
        let late = self
            .minutes
            .is_some_and(|minutes| self.elapsed() >= Duration::from_secs(minutes * 60));
        late || self.rounds.is_some_and(|rounds| round >= rounds)
    }

    /// The time since the program began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}
