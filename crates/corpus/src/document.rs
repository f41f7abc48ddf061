//! The shape of a case file: markdown with cases and fenced blocks, each with its line; what a block means is told
//! elsewhere.

/// A case file in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What stands before the first case; its blocks hold for every case.
    pub common: Section,
    /// The cases, in order.
    pub cases: Vec<Section>,
    /// What is wrong with the shape: a line and words.
    pub faults: Vec<(usize, String)>,
}

/// A heading and the blocks below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    /// The words of the heading.
    pub name: String,
    /// Its line, counted from 1.
    pub line: usize,
    /// The fenced blocks, in order.
    pub blocks: Vec<Block>,
}

/// A fenced block that says what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The backticks that open and close it.
    pub fence: String,
    /// The words after the opening fence; the first says what the block is.
    pub info: Vec<String>,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// The lines between the fences.
    pub body: Vec<String>,
}

impl Block {
    /// What the block is.
    pub fn kind(&self) -> &str {
        self.info.first().map_or("", String::as_str)
    }

    /// Whether the words after the fence hold this one.
    pub fn says(&self, word: &str) -> bool {
        self.info.iter().skip(1).any(|own| own == word)
    }

    /// The line that opens it.
    pub fn opening(&self) -> String {
        format!("{}{}", self.fence, self.info.join(" "))
    }

    /// Its lines as one text with a newline at the end of each.
    pub fn text(&self) -> String {
        let mut out = self.body.join("\n");
        out.push('\n');
        out
    }
}

/// Takes a text apart.
pub fn document(text: &str) -> Document {
    let mut out = Document {
        common: Section::default(),
        cases: Vec::new(),
        faults: Vec::new(),
    };
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            heading(&mut out, name.trim(), at + 1);
            continue;
        }
        let fence = line.len() - line.trim_start_matches('`').len();
        if fence < 3 {
            continue;
        }
        let (ticks, info) = line.split_at(fence);
        let mut block = Block {
            fence: ticks.to_owned(),
            info: info.split_whitespace().map(str::to_owned).collect(),
            line: at + 1,
            body: Vec::new(),
        };
        let mut closed = false;
        for (_, line) in lines.by_ref() {
            closed = line == ticks;
            if closed {
                break;
            }
            block.body.push(line.to_owned());
        }
        if !closed {
            out.faults
                .push((at + 1, "the block is never closed".to_owned()));
        }
        // A block that does not say what it is belongs to the prose.
        if !block.info.is_empty() {
            let section = out.cases.last_mut().unwrap_or(&mut out.common);
            section.blocks.push(block);
        }
    }
    out
}

fn heading(out: &mut Document, name: &str, line: usize) {
    if out.cases.iter().any(|case| case.name == name) {
        let words = format!("there is another case named `{name}`");
        out.faults.push((line, words));
    }
    out.cases.push(Section {
        name: name.to_owned(),
        line,
        blocks: Vec::new(),
    });
}

#[cfg(test)]
mod tests {
    use super::document;

    #[test]
    fn cases_and_blocks_are_found_with_their_lines() {
        let text = "# t\n```world\ndir a\n```\n## one\nwhy\n````verdict known-gap\n```\nask\n````\n```\nprose\n```\n";
        let found = document(text);
        assert_eq!(found.common.blocks.len(), 1);
        let case = found.cases.first().unwrap();
        assert_eq!((case.name.as_str(), case.line), ("one", 5));
        let block = case.blocks.first().unwrap();
        assert_eq!((block.kind(), block.line), ("verdict", 7));
        assert!(block.says("known-gap"));
        assert_eq!(block.body, ["```", "ask"]);
        assert_eq!(case.blocks.len(), 1);
        assert!(found.faults.is_empty());
    }

    #[test]
    fn an_open_block_and_a_repeated_name_are_faults() {
        let found = document("## a\n## a\n```call\nshell: ls\n");
        let lines: Vec<usize> = found.faults.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3]);
    }
}
