//! From words to a tree, by recursive descent with a bound on nesting.

use crate::lex::{Token, Word};
use crate::problem::{Problem, Spot};
use crate::tree::{
    BinaryTree, ConstructorTree, ExprKind, ExprTree, FieldTree, FunctionTree, Item, Name,
    PatternKind, PatternTree, PremiseTree, ResultTree, RuleTree, TypeTree,
};

type Parsed<T> = Result<T, Problem>;

/// Deeper nesting is refused: it would exhaust the stack.
const DEEPEST: usize = 100;

pub(crate) fn items(words: &[Word]) -> Parsed<Vec<Item>> {
    let mut parser = Parser { words, at: 0, depth: 0 };
    let mut items = Vec::new();
    while parser.peek() != &Token::End {
        items.push(parser.item()?);
    }
    Ok(items)
}

struct Parser<'w> {
    words: &'w [Word],
    at: usize,
    depth: usize,
}

const LEVELS: &[&[(&str, BinaryTree)]] = &[
    &[("||", BinaryTree::Or)],
    &[("&&", BinaryTree::And)],
    &[
        ("==", BinaryTree::Equal),
        ("!=", BinaryTree::Unequal),
        ("<", BinaryTree::Less),
        ("<=", BinaryTree::LessEqual),
        (">", BinaryTree::Greater),
        (">=", BinaryTree::GreaterEqual),
    ],
    &[("+", BinaryTree::Add), ("-", BinaryTree::Sub)],
    &[("*", BinaryTree::Mul), ("/", BinaryTree::Div), ("%", BinaryTree::Rem)],
];

const KEYWORDS: &[&str] = &[
    "data",
    "record",
    "exception",
    "function",
    "partial",
    "raise",
    "with",
    "true",
    "false",
    "list",
];

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.words[self.at.min(self.words.len() - 1)].token
    }

    fn next(&self) -> &Token {
        &self.words[(self.at + 1).min(self.words.len() - 1)].token
    }

    fn spot(&self) -> Spot {
        self.words[self.at.min(self.words.len() - 1)].spot
    }

    fn last_spot(&self) -> Spot {
        self.words[self.at.saturating_sub(1)].spot
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(found) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(found) if found == word)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let is_it = self.is(symbol);
        self.at += usize::from(is_it);
        is_it
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is_it = self.is_word(word);
        self.at += usize::from(is_it);
        is_it
    }

    fn found(&self) -> String {
        match self.peek() {
            Token::Name(name) => format!("`{name}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }

    fn wanted<T>(&self, what: &str) -> Parsed<T> {
        Err(Problem::new(self.spot(), format!("{what} should stand here, not {}", self.found())))
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { self.wanted(&format!("`{symbol}`")) }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let Token::Name(text) = self.peek() else { return self.wanted(what) };
        if KEYWORDS.contains(&text.as_str()) || text == "_" {
            return self.wanted(what);
        }
        let name = Name { text: text.clone(), spot: self.spot() };
        self.at += 1;
        Ok(name)
    }

    /// `open item, item close`; the opening symbol is behind us.
    fn listed<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut all = Vec::new();
        while !self.eat(close) {
            if !all.is_empty() {
                if !self.eat(",") {
                    return self.wanted(&format!("`,` or `{close}`"));
                }
                if self.eat(close) {
                    break;
                }
            }
            all.push(item(self)?);
        }
        Ok(all)
    }

    fn item(&mut self) -> Parsed<Item> {
        if self.eat_word("data") {
            return self.data();
        }
        if self.eat_word("record") {
            let name = self.name("the name of a record")?;
            self.expect("{")?;
            let fields = self.listed("}", |parser| {
                let name = parser.name("the name of a field")?;
                parser.expect(":")?;
                Ok(FieldTree { name: Some(name), ty: parser.ty()? })
            })?;
            self.eat(";");
            return Ok(Item::Record { name, fields });
        }
        if self.eat_word("exception") {
            let mut names = vec![self.name("the name of an exception")?];
            while self.eat(",") {
                names.push(self.name("the name of an exception")?);
            }
            self.eat(";");
            return Ok(Item::Exceptions(names));
        }
        let is_partial = self.eat_word("partial");
        if self.eat_word("function") {
            return self.function(is_partial).map(Item::Function);
        }
        self.wanted("`data`, `record`, `exception` or `function`")
    }

    fn data(&mut self) -> Parsed<Item> {
        let name = self.name("the name of a type")?;
        self.expect("=")?;
        let mut constructors = Vec::new();
        loop {
            let name = self.name("the name of a constructor")?;
            let fields = if self.eat("(") {
                self.listed(")", |parser| {
                    let is_named = matches!(parser.next(), Token::Symbol(":"));
                    let name = if is_named { Some(parser.name("a field")?) } else { None };
                    if is_named {
                        parser.expect(":")?;
                    }
                    Ok(FieldTree { name, ty: parser.ty()? })
                })?
            } else {
                Vec::new()
            };
            constructors.push(ConstructorTree { name, fields });
            if !self.eat("|") {
                break;
            }
        }
        self.eat(";");
        Ok(Item::Data { name, constructors })
    }

    fn ty(&mut self) -> Parsed<TypeTree> {
        let start = self.spot();
        if self.eat_word("list") {
            self.expect("<")?;
            self.enter()?;
            let element = self.ty()?;
            self.depth -= 1;
            self.expect(">")?;
            return Ok(TypeTree::List(Box::new(element), start.to(self.last_spot())));
        }
        Ok(TypeTree::Named(self.name("a type")?))
    }

    fn function(&mut self, is_partial: bool) -> Parsed<FunctionTree> {
        let name = self.name("the name of a function")?;
        self.expect("(")?;
        let params = self.listed(")", |parser| {
            let name = parser.name("the name of a parameter")?;
            parser.expect(":")?;
            Ok((name, parser.ty()?))
        })?;
        self.expect(":")?;
        let result = self.ty()?;
        self.expect("{")?;
        let mut rules = Vec::new();
        while !self.eat("}") {
            rules.push(self.rule()?);
        }
        Ok(FunctionTree { name, is_partial, params, result, rules })
    }

    /// `<label> premises => result ;`
    fn rule(&mut self) -> Parsed<RuleTree> {
        let start = self.spot();
        let label = if self.eat("<") {
            let label = self.name("the label of a rule")?;
            self.expect(">")?;
            Some(label)
        } else {
            None
        };
        let mut premises = Vec::new();
        let result = loop {
            if self.eat("=>") {
                break self.result()?;
            }
            if premises.is_empty() && self.is_word("raise") {
                break self.result()?;
            }
            let expr = self.expr()?;
            if premises.is_empty() && self.is(";") {
                break ResultTree::Value(expr);
            }
            let pattern = if self.eat("->") { Some(self.pattern()?) } else { None };
            premises.push(PremiseTree { expr, pattern });
            if !self.eat(",") && !self.is("=>") {
                return self.wanted("`,`, `->` or `=>`");
            }
        };
        self.expect(";")?;
        Ok(RuleTree { label, premises, result, spot: start.to(self.last_spot()) })
    }

    fn result(&mut self) -> Parsed<ResultTree> {
        if self.eat_word("raise") {
            return Ok(ResultTree::Raise(self.name("the name of an exception")?));
        }
        Ok(ResultTree::Value(self.expr()?))
    }

    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::new(self.spot(), "this is nested too deeply"));
        }
        Ok(())
    }

    fn expr(&mut self) -> Parsed<ExprTree> {
        self.enter()?;
        let expr = self.level(0);
        self.depth -= 1;
        expr
    }

    fn level(&mut self, level: usize) -> Parsed<ExprTree> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut lhs = self.level(level + 1)?;
        let mut n_operators = 0;
        while let Some((_, op)) = operators.iter().find(|(symbol, _)| self.is(symbol)) {
            self.at += 1;
            n_operators += 1;
            if n_operators > DEEPEST {
                return Err(Problem::new(self.spot(), "this is too long"));
            }
            let rhs = self.level(level + 1)?;
            let spot = lhs.spot.to(rhs.spot);
            let kind = ExprKind::Binary { op: *op, lhs: Box::new(lhs), rhs: Box::new(rhs) };
            lhs = ExprTree { kind, spot };
        }
        Ok(lhs)
    }

    fn unary(&mut self) -> Parsed<ExprTree> {
        let start = self.spot();
        let is_negative = self.is("-");
        if is_negative || self.is("!") {
            self.at += 1;
            self.enter()?;
            let arg = self.unary()?;
            self.depth -= 1;
            let spot = start.to(arg.spot);
            let kind = if let (ExprKind::Number(number), true) = (&arg.kind, is_negative) {
                ExprKind::Number(-number)
            } else if is_negative {
                ExprKind::Negative(Box::new(arg))
            } else {
                ExprKind::Not(Box::new(arg))
            };
            return Ok(ExprTree { kind, spot });
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<ExprTree> {
        let mut expr = self.primary()?;
        let mut n_parts = 0;
        loop {
            n_parts += 1;
            if n_parts > DEEPEST {
                return Err(Problem::new(self.spot(), "this is too long"));
            }
            if self.eat(".") {
                let name = self.name("the name of a field")?;
                let spot = expr.spot.to(name.spot);
                expr = ExprTree { kind: ExprKind::Field { base: Box::new(expr), name }, spot };
            } else if self.eat_word("with") {
                self.expect("{")?;
                let fields = self.fields()?;
                let spot = expr.spot.to(self.last_spot());
                expr = ExprTree { kind: ExprKind::With { base: Box::new(expr), fields }, spot };
            } else {
                return Ok(expr);
            }
        }
    }

    fn fields(&mut self) -> Parsed<Vec<(Name, ExprTree)>> {
        self.listed("}", |parser| {
            let name = parser.name("the name of a field")?;
            parser.expect(":")?;
            Ok((name, parser.expr()?))
        })
    }

    fn number(&mut self) -> Parsed<Option<i128>> {
        let Token::Number(number) = *self.peek() else { return Ok(None) };
        let Ok(number) = i128::try_from(number) else {
            return Err(Problem::new(self.spot(), "no type has such a number"));
        };
        self.at += 1;
        Ok(Some(number))
    }

    fn primary(&mut self) -> Parsed<ExprTree> {
        let start = self.spot();
        if let Some(number) = self.number()? {
            return Ok(ExprTree { kind: ExprKind::Number(number), spot: start });
        }
        if self.eat("(") {
            let expr = self.expr()?;
            self.expect(")")?;
            return Ok(expr);
        }
        let kind = if self.eat("[") {
            let mut rest = None;
            let items = self.items(&mut rest, Self::expr)?;
            ExprKind::List { items, rest: rest.map(Box::new) }
        } else if self.eat_word("true") {
            ExprKind::Bool(true)
        } else if self.eat_word("false") {
            ExprKind::Bool(false)
        } else {
            let name = self.name("an expression")?;
            if self.eat("(") {
                ExprKind::Apply { name, args: self.listed(")", Self::expr)? }
            } else if self.eat("{") {
                ExprKind::Record { name, fields: self.fields()? }
            } else {
                ExprKind::Name(name.text)
            }
        };
        Ok(ExprTree { kind, spot: start.to(self.last_spot()) })
    }

    /// `a, b | rest ]`
    fn items<T>(
        &mut self,
        rest: &mut Option<T>,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut all = Vec::new();
        if self.eat("]") {
            return Ok(all);
        }
        loop {
            all.push(item(self)?);
            if self.eat("|") {
                *rest = Some(item(self)?);
                self.expect("]")?;
                return Ok(all);
            }
            if self.eat("]") {
                return Ok(all);
            }
            if !self.eat(",") {
                return self.wanted("`,`, `|` or `]`");
            }
        }
    }

    fn pattern(&mut self) -> Parsed<PatternTree> {
        self.enter()?;
        let pattern = self.pattern_inside();
        self.depth -= 1;
        pattern
    }

    fn pattern_inside(&mut self) -> Parsed<PatternTree> {
        let start = self.spot();
        let is_negative = self.eat("-");
        if let Some(number) = self.number()? {
            let number = if is_negative { -number } else { number };
            let spot = start.to(self.last_spot());
            return Ok(PatternTree { kind: PatternKind::Number(number), spot });
        }
        if is_negative {
            return self.wanted("a number");
        }
        let kind = if self.eat_word("_") {
            PatternKind::Any
        } else if self.eat_word("true") {
            PatternKind::Bool(true)
        } else if self.eat_word("false") {
            PatternKind::Bool(false)
        } else if self.eat_word("raise") {
            PatternKind::Raise(self.name("the name of an exception")?)
        } else if self.eat("[") {
            let mut rest = None;
            let items = self.items(&mut rest, Self::pattern)?;
            PatternKind::List { items, rest: rest.map(Box::new) }
        } else {
            let name = self.name("a pattern")?;
            if self.eat("(") {
                PatternKind::Apply { name, args: self.listed(")", Self::pattern)? }
            } else if self.eat("{") {
                let fields = self.listed("}", |parser| {
                    let name = parser.name("the name of a field")?;
                    parser.expect(":")?;
                    Ok((name, parser.pattern()?))
                })?;
                PatternKind::Record { name, fields }
            } else {
                PatternKind::Name(name.text)
            }
        };
        Ok(PatternTree { kind, spot: start.to(self.last_spot()) })
    }
}
