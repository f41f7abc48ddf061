//! Writes a tree back as bash text that reads as the same tree; it keeps meaning, not layout or comments.

mod parts;
mod printer;

use crate::print::parts::Surroundings;
use crate::print::printer::Printer;
use crate::token::Keyword;
use crate::tree::{
    AndOrOperator, AssignedValue, Assignment, Case, CaseEnd, Command, CommandKind, Coprocess,
    Descriptor, For, Function, HereDocument, If, List, Loop, Part, PipeOperator, Pipeline,
    Redirect, RedirectKind, Script, Simple, Test, Word,
};

/// Writes a script. Reading the result gives the same tree, spans and comments aside.
pub fn print(script: &Script) -> String {
    let mut printer = Printer::default();
    for entry in &script.body.entries {
        printer.entry(entry);
        printer.newline();
    }
    if printer.extended && !printer.out.contains("extglob") {
        // The reader takes extended patterns only where the text speaks of them.
        printer.out.insert_str(0, "# needs extglob\n");
    }
    printer.out
}

impl Printer {
    fn newline(&mut self) {
        self.out.push('\n');
        for body in std::mem::take(&mut self.pending) {
            self.after_body = true;
            self.out.push_str(&body);
        }
    }

    /// Ends an entry that is not the last on its line.
    fn separate(&mut self, background: bool) {
        if !self.pending.is_empty() || self.after_body {
            self.newline();
        } else if background {
            self.text(" ");
        } else {
            self.text("; ");
        }
    }

    /// Writes a list whose end needs no mark, such as one in front of a parenthesis.
    fn list(&mut self, list: &List) {
        let mut entries = list.entries.iter().peekable();
        while let Some(entry) = entries.next() {
            self.entry(entry);
            if entries.peek().is_some() {
                self.separate(entry.background);
            } else if !self.pending.is_empty() {
                self.newline();
            } else if is_bare(entry) {
                self.text(";");
            }
        }
    }

    /// Writes a list in front of a reserved word.
    fn body(&mut self, list: &List) {
        for entry in &list.entries {
            self.entry(entry);
            self.separate(entry.background);
        }
    }

    fn entry(&mut self, entry: &crate::tree::Entry) {
        self.pipeline(&entry.chain.first);
        for (operator, pipeline) in &entry.chain.rest {
            self.text(match operator {
                AndOrOperator::And => " && ",
                AndOrOperator::Or => " || ",
            });
            self.pipeline(pipeline);
        }
        if entry.background {
            self.text(" &");
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if let Some(timed) = pipeline.timed {
            self.text(if timed.posix { "time -p " } else { "time " });
            if pipeline.negations == 0 && pipeline.commands.first().is_some_and(starts_with_dash) {
                self.text("-- ");
            }
        }
        for _ in 0..pipeline.negations {
            self.text("! ");
        }
        let mut operators = pipeline.operators.iter();
        for (at, command) in pipeline.commands.iter().enumerate() {
            if at > 0 {
                self.text(match operators.next() {
                    Some(PipeOperator::OutputAndError) => " |& ",
                    Some(PipeOperator::Output) | None => " | ",
                });
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match &command.kind {
            CommandKind::Simple(simple) => {
                self.simple(simple, &command.redirects);
                return;
            }
            CommandKind::Subshell(list) => {
                self.text("( ");
                self.list(list);
                self.text(" )");
            }
            CommandKind::Group(list) => self.enclosed("{ ", list, "}"),
            CommandKind::If(inner) => self.conditional(inner),
            CommandKind::Loop(inner) => self.repeat(inner),
            CommandKind::For(inner) => self.for_words("for ", inner),
            CommandKind::Select(inner) => self.for_words("select ", inner),
            CommandKind::ArithmeticFor(inner) => {
                self.text("for ((");
                for (at, expression) in inner.expressions.iter().enumerate() {
                    if at > 0 {
                        self.text(";");
                    }
                    self.arithmetic(expression);
                }
                self.enclosed(")); do ", &inner.body, "done");
            }
            CommandKind::Case(inner) => self.case(inner),
            CommandKind::Function(inner) => self.function(inner),
            CommandKind::Arithmetic(inner) => {
                self.text("((");
                self.arithmetic(inner);
                self.text("))");
            }
            CommandKind::Test(inner) => {
                let before = std::mem::replace(&mut self.in_test, true);
                self.text("[[ ");
                self.test(inner);
                self.text(" ]]");
                self.in_test = before;
            }
            CommandKind::Coprocess(inner) => self.coprocess(inner),
        }
        for redirect in &command.redirects {
            self.text(" ");
            self.redirect(redirect);
        }
    }

    fn enclosed(&mut self, open: &str, list: &List, close: &str) {
        self.text(open);
        self.body(list);
        self.text(close);
    }

    fn simple(&mut self, simple: &Simple, redirects: &[Redirect]) {
        // A reserved word that is none here, because a redirection stood in front of it.
        let guarded = simple.assignments.is_empty()
            && matches!(simple.words.first().map(|word| word.parts.as_slice()),
                Some([Part::Literal(text)]) if Keyword::spelt(text.as_bytes()).is_some());
        let (before, after): (&[Redirect], &[Redirect]) = if guarded {
            (redirects, &[])
        } else {
            (&[], redirects)
        };
        let mut first = true;
        for redirect in before {
            self.space(&mut first);
            self.redirect(redirect);
        }
        for assignment in &simple.assignments {
            self.space(&mut first);
            self.assignment(assignment);
        }
        for word in &simple.words {
            self.space(&mut first);
            self.word(word);
        }
        for redirect in after {
            self.space(&mut first);
            self.redirect(redirect);
        }
    }

    fn space(&mut self, first: &mut bool) {
        if !std::mem::replace(first, false) {
            self.text(" ");
        }
    }

    fn word(&mut self, word: &Word) {
        self.parts(&word.parts, Surroundings::None);
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.text(&assignment.name);
        if let Some(subscript) = &assignment.subscript {
            self.text("[");
            self.arithmetic(subscript);
            self.text("]");
        }
        self.text(if assignment.append { "+=" } else { "=" });
        match &assignment.value {
            AssignedValue::Scalar(word) => self.word(word),
            AssignedValue::Array(elements) => {
                self.text("(");
                let mut first = true;
                for element in elements {
                    self.space(&mut first);
                    if let Some(subscript) = &element.subscript {
                        self.text("[");
                        self.arithmetic(subscript);
                        self.text(if element.append { "]+=" } else { "]=" });
                    }
                    self.word(&element.value);
                }
                self.text(")");
            }
        }
    }

    fn conditional(&mut self, conditional: &If) {
        for (at, (condition, body)) in conditional.branches.iter().enumerate() {
            self.text(if at == 0 { "if " } else { "elif " });
            self.body(condition);
            self.text("then ");
            self.body(body);
        }
        if let Some(body) = &conditional.otherwise {
            self.text("else ");
            self.body(body);
        }
        self.text("fi");
    }

    fn repeat(&mut self, repeat: &Loop) {
        self.text(if repeat.until { "until " } else { "while " });
        self.body(&repeat.condition);
        self.enclosed("do ", &repeat.body, "done");
    }

    fn for_words(&mut self, keyword: &str, inner: &For) {
        self.text(keyword);
        self.text(&inner.name);
        if let Some(words) = &inner.words {
            self.text(" in");
            for word in words {
                self.text(" ");
                self.word(word);
            }
        }
        self.enclosed("; do ", &inner.body, "done");
    }

    fn case(&mut self, case: &Case) {
        self.text("case ");
        self.word(&case.word);
        self.text(" in ");
        for arm in &case.arms {
            self.text("(");
            for (at, pattern) in arm.patterns.iter().enumerate() {
                if at > 0 {
                    self.text(" | ");
                }
                self.word(pattern);
            }
            self.text(") ");
            self.list(&arm.body);
            self.text(match arm.end {
                CaseEnd::Break => " ;; ",
                CaseEnd::FallThrough => " ;& ",
                CaseEnd::Continue => " ;;& ",
            });
        }
        self.text("esac");
    }

    fn function(&mut self, function: &Function) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
        let reserved = Keyword::spelt(function.name.as_bytes()).is_some();
        if function.name.bytes().all(plain) && !reserved {
            self.text(&function.name);
            self.text("() ");
        } else {
            self.text("function ");
            self.text(&function.name);
            self.text(" ");
        }
        self.command(&function.body);
    }

    fn coprocess(&mut self, coprocess: &Coprocess) {
        self.text("coproc ");
        if let Some(name) = &coprocess.name {
            self.word(name);
            self.text(" ");
        }
        self.command(&coprocess.command);
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Word(word) => self.word(word),
            Test::Unary { operator, operand } => {
                self.text(operator);
                self.text(" ");
                self.word(operand);
            }
            Test::Binary {
                left,
                operator,
                right,
            } => {
                self.word(left);
                self.text(" ");
                self.text(operator);
                self.text(" ");
                self.word(right);
            }
            Test::Not(inner) => {
                self.text("! ");
                self.test(inner);
            }
            Test::And(left, right) => {
                self.test(left);
                self.text(" && ");
                self.test(right);
            }
            Test::Or(left, right) => {
                self.test(left);
                self.text(" || ");
                self.test(right);
            }
            Test::Parenthesised(inner) => {
                self.text("( ");
                self.test(inner);
                self.text(" )");
            }
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        match &redirect.descriptor {
            Descriptor::Default => {}
            Descriptor::Number(number) => self.text(&number.to_string()),
            Descriptor::Variable(name) => {
                self.text("{");
                self.text(name);
                self.text("}");
            }
        }
        let (operator, word) = match &redirect.kind {
            RedirectKind::Read(word) => ("<", word),
            RedirectKind::Write(word) => (">", word),
            RedirectKind::Clobber(word) => (">|", word),
            RedirectKind::Append(word) => (">>", word),
            RedirectKind::ReadWrite(word) => ("<>", word),
            RedirectKind::WriteBoth(word) if redirect.descriptor == Descriptor::Default => {
                ("&>", word)
            }
            RedirectKind::WriteBoth(word) | RedirectKind::DuplicateOutput(word) => (">&", word),
            RedirectKind::AppendBoth(word) => ("&>>", word),
            RedirectKind::DuplicateInput(word) => ("<&", word),
            RedirectKind::HereString(word) => ("<<<", word),
            RedirectKind::HereDocument(here) => return self.here_document(here),
        };
        self.text(operator);
        if matches!(word.parts.first(), Some(Part::ProcessSubstitution(_))) {
            self.text(" ");
        }
        self.word(word);
    }

    fn here_document(&mut self, here: &HereDocument) {
        self.text(if here.strip_tabs { "<<-" } else { "<<" });
        if here.quoted {
            self.quoted(&here.delimiter);
        } else {
            if here.delimiter.starts_with('-') {
                self.text(" ");
            }
            self.text(&here.delimiter);
        }
        // The body is written aside, so that its own here-documents stay inside it.
        let mut inner = Self::default();
        if here.quoted {
            for part in &here.body {
                if let Part::Literal(text) = part {
                    inner.text(text);
                }
            }
        } else {
            inner.parts(&here.body, Surroundings::Here);
        }
        self.extended |= inner.extended;
        inner.text(&here.delimiter);
        inner.text("\n");
        self.pending.push(inner.out);
    }
}

/// True where the last pipeline of an entry is a lone `time` or `!`.
fn is_bare(entry: &crate::tree::Entry) -> bool {
    let last = entry
        .chain
        .rest
        .last()
        .map_or(&entry.chain.first, |(_, last)| last);
    last.commands.is_empty() && !entry.background
}

fn starts_with_dash(command: &Command) -> bool {
    match &command.kind {
        CommandKind::Simple(simple) => {
            simple.assignments.is_empty()
                && matches!(simple.words.first().and_then(|word| word.parts.first()),
                    Some(Part::Literal(text)) if text.starts_with('-'))
        }
        CommandKind::Subshell(_)
        | CommandKind::Group(_)
        | CommandKind::If(_)
        | CommandKind::Loop(_)
        | CommandKind::For(_)
        | CommandKind::ArithmeticFor(_)
        | CommandKind::Select(_)
        | CommandKind::Case(_)
        | CommandKind::Function(_)
        | CommandKind::Arithmetic(_)
        | CommandKind::Test(_)
        | CommandKind::Coprocess(_) => false,
    }
}
