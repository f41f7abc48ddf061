//! The lines of a text: where an expansion fails on one, bash goes on with the next.

use crate::effects::discard::Discards;
use crate::effects::env::{Env, Flow, join_options};
use crate::effects::script::Walker;
use crate::effects::stream::Stream;
use countersign_shell::tree::List;

impl Walker<'_> {
    /// Walks the lines of a text.
    pub(crate) fn lines(
        &mut self,
        list: &List,
        text: &str,
        env: Env,
        input: &Stream,
    ) -> (Flow, Stream) {
        self.discards.open();
        let mut flow = Flow {
            success: Some(env),
            failure: None,
        };
        let mut output = Stream::Known(String::new());
        let mut end = 0;
        for entry in &list.entries {
            let between = text.get(end..entry.span.start).unwrap_or("\n");
            end = entry.span.end;
            if between.contains('\n') {
                flow.failure = join_options(flow.failure, self.discards.take());
            }
            let Some(env) = flow.merged() else {
                // Nothing comes here, but something may come to a later line.
                flow = Flow::never();
                continue;
            };
            let out;
            (flow, out) = self.entry(entry, env, input);
            output = if list.entries.len() == 1 {
                out
            } else {
                Stream::Unknown
            };
        }
        flow.failure = join_options(flow.failure, self.discards.close());
        (flow, output)
    }

    /// Walks what runs in a process of its own: a failure there ends that process and no more.
    pub(crate) fn apart<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.discards);
        let out = walk(self);
        self.discards = outer;
        out
    }

    /// Sets apart what was dropped so far, until [`Self::unwound`] is told how a failure from now on is undone.
    pub(crate) fn unwinding(&mut self) -> Discards {
        let fresh = self.discards.fresh();
        std::mem::replace(&mut self.discards, fresh)
    }

    /// Puts together what was dropped before and, undone as far as bash undoes it, since.
    pub(crate) fn unwound(&mut self, before: Discards, undo: impl Fn(&mut Env)) {
        let since = std::mem::replace(&mut self.discards, before);
        self.discards.add(since, undo);
    }
}
