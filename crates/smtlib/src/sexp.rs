//! S-expressions: one top-level expression at a time, as a flat array in pre-order.
//!
//! No node owns another, so a million levels of nesting are a million entries and nothing recurses
//! to read or to drop them.

use crate::error::{Fault, Outcome};

/// A node of the current expression.
pub(crate) type NodeId = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    List,
    /// A plain symbol.
    Symbol,
    /// A symbol in bars.
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    Binary,
    Hexadecimal,
    Text,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: NodeKind,
    /// Byte range in the script, parentheses included.
    start: u32,
    end: u32,
    /// The node after the last one inside this one.
    next: u32,
}

/// The nodes of some expressions of one text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sexp {
    nodes: Vec<Node>,
}

impl Sexp {
    pub(crate) fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node].kind
    }

    pub(crate) fn offset(&self, node: NodeId) -> usize {
        self.nodes[node].start as usize
    }

    /// The text of the node as it was written.
    pub(crate) fn source<'t>(&self, text: &'t str, node: NodeId) -> &'t str {
        let node = &self.nodes[node];
        &text[node.start as usize..node.end as usize]
    }

    /// The name that a symbol node stands for, without bars.
    pub(crate) fn symbol<'t>(&self, text: &'t str, node: NodeId) -> Option<&'t str> {
        let source = self.source(text, node);
        match self.kind(node) {
            NodeKind::Symbol => Some(source),
            NodeKind::Quoted => Some(&source[1..source.len() - 1]),
            NodeKind::List
            | NodeKind::Keyword
            | NodeKind::Numeral
            | NodeKind::Decimal
            | NodeKind::Binary
            | NodeKind::Hexadecimal
            | NodeKind::Text => None,
        }
    }

    /// The content of a string literal.
    pub(crate) fn string(&self, text: &str, node: NodeId) -> Option<String> {
        let source = self.source(text, node);
        (self.kind(node) == NodeKind::Text)
            .then(|| source[1..source.len() - 1].replace("\"\"", "\""))
    }

    /// The node after this one and everything inside it: the next member of the list, or its end.
    pub(crate) fn sibling(&self, node: NodeId) -> NodeId {
        self.nodes[node].next as usize
    }

    /// The members of a list; none for an atom.
    pub(crate) fn children(&self, list: NodeId) -> Children<'_> {
        let end = if self.kind(list) == NodeKind::List { self.sibling(list) } else { list + 1 };
        Children { sexp: self, at: list + 1, end }
    }

    /// The members of a list as a fixed number of nodes.
    pub(crate) fn members<const N: usize>(&self, list: NodeId) -> Option<[NodeId; N]> {
        let mut children = self.children(list);
        let mut members = [0; N];
        for member in &mut members {
            *member = children.next()?;
        }
        children.next().is_none().then_some(members)
    }

    /// A copy of one node with everything inside, as an expression of its own.
    pub(crate) fn detach(&self, node: NodeId) -> Sexp {
        let shift = u32::try_from(node).expect("nodes are counted in 32 bits");
        let nodes = self.nodes[node..self.sibling(node)]
            .iter()
            .map(|inner| Node { next: inner.next - shift, ..*inner })
            .collect();
        Sexp { nodes }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Children<'s> {
    sexp: &'s Sexp,
    at: NodeId,
    end: NodeId,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        (self.at < self.end).then(|| {
            let child = self.at;
            self.at = self.sexp.sibling(child);
            child
        })
    }
}

/// The place of a reader in a script.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, at: 0 }
    }

    /// Reads the next expression into `sexp`; `false` at the end of the text. After a fault nothing
    /// more is read, since nothing shows where the next expression would begin.
    pub(crate) fn read(&mut self, sexp: &mut Sexp) -> Outcome<bool> {
        sexp.nodes.clear();
        let result = self.read_nodes(&mut sexp.nodes);
        if result.is_err() {
            self.at = self.text.len();
        }
        result
    }

    fn read_nodes(&mut self, nodes: &mut Vec<Node>) -> Outcome<bool> {
        if self.text.len() >= u32::MAX as usize {
            return Err(Fault::unsupported("a script of 4 GiB or more").at(0));
        }
        let mut open: Vec<NodeId> = Vec::new();
        loop {
            self.skip_blanks();
            let Some(&byte) = self.text.as_bytes().get(self.at) else {
                return match open.first() {
                    None => Ok(false),
                    Some(&list) => {
                        let offset = nodes[list].start as usize;
                        Err(Fault::syntax("this parenthesis is never closed").at(offset))
                    }
                };
            };
            match byte {
                b'(' => {
                    open.push(nodes.len());
                    let start = narrow(self.at);
                    nodes.push(Node { kind: NodeKind::List, start, end: start, next: 0 });
                    self.at += 1;
                }
                b')' => {
                    let Some(list) = open.pop() else {
                        return Err(Fault::syntax("unexpected `)`").at(self.at));
                    };
                    self.at += 1;
                    nodes[list].end = narrow(self.at);
                    nodes[list].next = narrow(nodes.len());
                }
                _ => {
                    let start = self.at;
                    let kind = self.atom(byte).map_err(|fault| fault.at(start))?;
                    let next = narrow(nodes.len() + 1);
                    let (start, end) = (narrow(start), narrow(self.at));
                    nodes.push(Node { kind, start, end, next });
                }
            }
            if open.is_empty() {
                return Ok(true);
            }
        }
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b';' => {
                    let rest = &bytes[self.at..];
                    let line = rest.iter().position(|&byte| byte == b'\n');
                    self.at = line.map_or(bytes.len(), |line| self.at + line);
                }
                _ => break,
            }
        }
    }

    fn atom(&mut self, first: u8) -> Outcome<NodeKind> {
        match first {
            b'"' => self.string(),
            b'|' => self.quoted(),
            _ => self.word(),
        }
    }

    fn string(&mut self) -> Outcome<NodeKind> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        loop {
            match (bytes.get(self.at), bytes.get(self.at + 1)) {
                (Some(b'"'), Some(b'"')) => self.at += 2,
                (Some(b'"'), _) => {
                    self.at += 1;
                    return Ok(NodeKind::Text);
                }
                (Some(_), _) => self.at += 1,
                (None, _) => return Err(Fault::syntax("this string is never closed")),
            }
        }
    }

    fn quoted(&mut self) -> Outcome<NodeKind> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        match rest.iter().position(|&byte| byte == b'|' || byte == b'\\') {
            Some(length) if rest[length] == b'|' => {
                self.at += length + 2;
                Ok(NodeKind::Quoted)
            }
            Some(_) => Err(Fault::syntax("a backslash cannot be in a quoted symbol")),
            None => Err(Fault::syntax("this quoted symbol is never closed")),
        }
    }

    fn word(&mut self) -> Outcome<NodeKind> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:#".contains(c)))
            .unwrap_or(rest.len());
        if length == 0 {
            let strange = rest.chars().next().unwrap_or(' ');
            return Err(Fault::syntax(format!(
                "unexpected character `{}`",
                strange.escape_debug()
            )));
        }
        self.at += length;
        let word = &rest[..length];
        word_kind(word).ok_or_else(|| {
            let shown: String = word.chars().take(40).collect();
            Fault::syntax(format!("`{shown}` is neither a number nor a symbol"))
        })
    }
}

fn word_kind(word: &str) -> Option<NodeKind> {
    let all = |rest: &str, fits: fn(char) -> bool| !rest.is_empty() && rest.chars().all(fits);
    let digits = |rest: &str| all(rest, |c| c.is_ascii_digit());
    if let Some(name) = word.strip_prefix(':') {
        return (!name.is_empty() && !name.contains([':', '#'])).then_some(NodeKind::Keyword);
    }
    if let Some(rest) = word.strip_prefix("#b") {
        return all(rest, |c| c == '0' || c == '1').then_some(NodeKind::Binary);
    }
    if let Some(rest) = word.strip_prefix("#x") {
        return all(rest, |c| c.is_ascii_hexdigit()).then_some(NodeKind::Hexadecimal);
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return match word.split_once('.') {
            None => digits(word).then_some(NodeKind::Numeral),
            Some((whole, fraction)) => {
                (digits(whole) && digits(fraction)).then_some(NodeKind::Decimal)
            }
        };
    }
    (!word.contains([':', '#'])).then_some(NodeKind::Symbol)
}

fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).expect("the text was measured before reading")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Outcome<Vec<String>> {
        let mut reader = Reader::new(text);
        let mut sexp = Sexp::default();
        let mut found = Vec::new();
        while reader.read(&mut sexp)? {
            found.push(sexp.source(text, 0).to_owned());
        }
        Ok(found)
    }

    #[test]
    fn expressions_come_one_by_one() {
        let text = "(a (b |c d|) \"x\"\"y)\") ; comment )\n  #b01 (x 1.5)";
        assert_eq!(
            read_all(text).expect("well formed"),
            ["(a (b |c d|) \"x\"\"y)\")", "#b01", "(x 1.5)"]
        );
    }

    #[test]
    fn faults_have_their_place() {
        for (text, offset) in
            [("(a", 0), ("a )", 2), ("(a \"b", 3), ("(a |b", 3), ("(a 1x)", 3), ("( é)", 2)]
        {
            let fault = read_all(text).expect_err(text);
            assert_eq!(fault.offset, Some(offset), "{text}: {}", fault.message);
        }
    }

    #[test]
    fn children_skip_what_is_inside_them() {
        let text = "(a (b (c d)) e)";
        let mut sexp = Sexp::default();
        assert_eq!(Reader::new(text).read(&mut sexp), Ok(true));
        let shown: Vec<&str> = sexp.children(0).map(|node| sexp.source(text, node)).collect();
        assert_eq!(shown, ["a", "(b (c d))", "e"]);
        let inner = sexp.detach(sexp.members::<3>(0).expect("three members")[1]);
        assert_eq!(
            inner.children(0).map(|node| inner.source(text, node)).collect::<Vec<_>>(),
            ["b", "(c d)"]
        );
    }
}
