//! Parsing programs: files, classes, globals, functions. Types and bodies have files of their own.

use std::str::FromStr;

use glassbox_values::{Format, Signedness};

use super::lex::{Token, lex};
use super::names::Named;
use crate::class::{Class, Field, Method};
use crate::func::{Function, Linkage, Origin, Param, Passing, ResultPassing};
use crate::global::{Global, GlobalKind, Initializer, Relocation, RelocationTarget};
use crate::id::{ClassId, FieldId, FileId, FuncId, GlobalId, MethodId, SourceTypeId};
use crate::language::Language;
use crate::program::Program;
use crate::source::{FileOrigin, SourceFile, Span};
use crate::ty::{PointerSize, Ty};

/// What was wrong with the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub expected: String,
    pub found: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: expected {}, found {}", self.line, self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Parsed<T> = Result<T, ParseError>;

/// The program that a text describes.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser { tokens: lex(text)?, at: 0 };
    parser.keyword("language")?;
    let language = match parser.word()?.as_str() {
        "c" => Language::C,
        "java" => Language::Java,
        "rules" => Language::Rules,
        _ => return parser.unexpected("`c` or `java`"),
    };
    let mut program = Program::new(language);
    if parser.accept_word("pointers") {
        program.pointers = match parser.number::<u64>()? {
            4 => PointerSize::Four,
            8 => PointerSize::Eight,
            _ => return parser.unexpected("4 or 8"),
        };
    }
    while parser.peek().is_some() {
        parser.entity(&mut program)?;
    }
    Ok(program)
}

pub(super) struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// The complaint about the last token taken.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        self.at = self.at.saturating_sub(1);
        self.wanted(expected)
    }

    /// The complaint about the next token.
    pub(super) fn wanted<T>(&self, expected: &str) -> Parsed<T> {
        let last_line = self.tokens.last().map_or(1, |(_, line)| *line);
        let (found, line) = match self.tokens.get(self.at) {
            Some((token, line)) => (token.to_string(), *line),
            None => ("the end".to_owned(), last_line),
        };
        Err(ParseError { line, expected: expected.to_owned(), found })
    }

    pub(super) fn word(&mut self) -> Parsed<String> {
        match self.tokens.get(self.at) {
            Some((Token::Word(word), _)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.wanted("a word"),
        }
    }

    pub(super) fn text(&mut self) -> Parsed<String> {
        match self.tokens.get(self.at) {
            Some((Token::Text(text), _)) => {
                let text = text.clone();
                self.at += 1;
                Ok(text)
            }
            _ => self.wanted("a string"),
        }
    }

    pub(super) fn is_punct(&self, c: char) -> bool {
        self.peek() == Some(&Token::Punct(c))
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(found)) if found == word)
    }

    pub(super) fn accept(&mut self, c: char) -> bool {
        let is_there = self.is_punct(c);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        self.at += usize::from(is_there);
        is_there
    }

    pub(super) fn punct(&mut self, c: char) -> Parsed<()> {
        if self.accept(c) { Ok(()) } else { self.wanted(&format!("`{c}`")) }
    }

    pub(super) fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.wanted(&format!("`{word}`")) }
    }

    pub(super) fn number<N: FromStr>(&mut self) -> Parsed<N> {
        let sign = if self.accept('-') { "-" } else { "" };
        let digits = self.word()?;
        match format!("{sign}{digits}").parse() {
            Ok(number) => Ok(number),
            Err(_) => self.unexpected("a number"),
        }
    }

    /// A number with a word before it.
    pub(super) fn labeled<N: FromStr>(&mut self, label: &str) -> Parsed<N> {
        self.keyword(label)?;
        self.number()
    }

    pub(super) fn named<T: Named>(&mut self, what: &str) -> Parsed<T> {
        let word = self.word()?;
        T::from_name(&word).map_or_else(|| self.unexpected(what), Ok)
    }

    /// The index of `prefix` followed by digits, if the next word is such.
    pub(super) fn peek_id(&self, prefix: &str) -> Option<usize> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        word.strip_prefix(prefix)?.parse().ok()
    }

    pub(super) fn id(&mut self, prefix: &str) -> Parsed<usize> {
        match self.peek_id(prefix) {
            Some(index) => {
                self.at += 1;
                Ok(index)
            }
            None => self.wanted(&format!("`{prefix}` and a number")),
        }
    }

    pub(super) fn accept_id(&mut self, prefix: &str) -> Option<usize> {
        let index = self.peek_id(prefix)?;
        self.at += 1;
        Some(index)
    }

    /// `prefix` with the next free number, then `=`.
    pub(super) fn define(&mut self, prefix: &str, next: usize) -> Parsed<()> {
        if self.id(prefix)? != next {
            return self.unexpected(&format!("`{prefix}{next}`"));
        }
        self.punct('=')
    }

    pub(super) fn source_type_id(&mut self) -> Parsed<SourceTypeId> {
        self.id("type").map(SourceTypeId::new)
    }

    pub(super) fn ty(&mut self) -> Parsed<Ty> {
        let word = self.word()?;
        let ty = match word.as_str() {
            "ptr" => Some(Ty::Ptr),
            "f16" => Some(Ty::Float(Format::F16)),
            "f32" => Some(Ty::F32),
            "f64" => Some(Ty::F64),
            other => other
                .strip_prefix('i')
                .and_then(|width| width.parse().ok())
                .filter(|width| (1..=128).contains(width))
                .map(Ty::Int),
        };
        ty.map_or_else(|| self.unexpected("a type"), Ok)
    }

    /// A span if there is one.
    pub(super) fn span(&mut self) -> Parsed<Span> {
        if !self.accept('@') {
            return Ok(Span::nowhere());
        }
        let file = FileId::new(self.number()?);
        self.punct(':')?;
        let line = self.number()?;
        self.punct(':')?;
        let column = self.number()?;
        self.punct('-')?;
        let end_line = self.number()?;
        self.punct(':')?;
        let end_column = self.number()?;
        let part = if self.accept('+') { self.number()? } else { 0 };
        Ok(Span { part, ..Span::new(file, line, column, end_line, end_column) })
    }

    pub(super) fn signedness(&mut self) -> Parsed<Signedness> {
        self.named("`signed` or `unsigned`")
    }

    fn entity(&mut self, program: &mut Program) -> Parsed<()> {
        if self.peek_id("file").is_some() {
            self.define("file", program.files.len())?;
            let path = self.text()?;
            let origin = self.file_origin();
            program.files.push(SourceFile::new(path, origin, None));
        } else if self.peek_id("type").is_some() {
            self.define("type", program.source_types().len())?;
            let ty = self.source_type()?;
            program.reserve_source_type(ty);
        } else if self.peek_id("class").is_some() {
            self.define("class", program.classes.len())?;
            let class = self.class()?;
            program.classes.push(class);
        } else if self.peek_id("field").is_some() {
            self.define("field", program.fields.len())?;
            let field = self.field()?;
            program.fields.push(field);
        } else if self.peek_id("method").is_some() {
            self.define("method", program.methods.len())?;
            let method = self.method()?;
            program.methods.push(method);
        } else if self.peek_id("global").is_some() {
            self.define("global", program.globals.len())?;
            let global = self.global()?;
            program.globals.push(global);
        } else if self.peek_id("fn").is_some() {
            self.define("fn", program.functions.len())?;
            let function = self.function()?;
            program.functions.push(function);
        } else {
            return self.wanted("an entity such as `fn0 =`");
        }
        Ok(())
    }

    fn class(&mut self) -> Parsed<Class> {
        let name = self.text()?;
        let superclass =
            if self.accept_word("super") { Some(ClassId::new(self.id("class")?)) } else { None };
        let mut interfaces = Vec::new();
        while self.accept_word("implements") {
            interfaces.push(ClassId::new(self.id("class")?));
        }
        let is_interface = self.accept_word("interface");
        let is_abstract = self.accept_word("abstract");
        // A definition such as `field0 =` may follow, so an id counts only without `=` behind it.
        let mut fields = Vec::new();
        while let Some(index) = self.reference("field") {
            fields.push(FieldId::new(index));
        }
        let mut methods = Vec::new();
        while let Some(index) = self.reference("method") {
            methods.push(MethodId::new(index));
        }
        let initializer =
            if self.accept_word("init") { Some(FuncId::new(self.id("fn")?)) } else { None };
        Ok(Class {
            name,
            superclass,
            interfaces,
            is_interface,
            is_abstract,
            fields,
            methods,
            initializer,
        })
    }

    /// Whether the next id is the start of a definition.
    pub(super) fn next_is_definition(&self) -> bool {
        self.tokens.get(self.at + 1).map(|(token, _)| token) == Some(&Token::Punct('='))
    }

    /// An id that is not the start of a definition.
    fn reference(&mut self, prefix: &str) -> Option<usize> {
        let index = self.peek_id(prefix)?;
        if self.next_is_definition() {
            return None;
        }
        self.at += 1;
        Some(index)
    }

    fn field(&mut self) -> Parsed<Field> {
        Ok(Field {
            class: ClassId::new(self.id("class")?),
            name: self.text()?,
            ty: self.ty()?,
            source_type: self.source_type_id()?,
            is_static: self.accept_word("static"),
            is_final: self.accept_word("final"),
        })
    }

    fn method(&mut self) -> Parsed<Method> {
        Ok(Method {
            class: ClassId::new(self.id("class")?),
            name: self.text()?,
            descriptor: self.text()?,
            is_static: self.accept_word("static"),
            is_abstract: self.accept_word("abstract"),
            function: self.reference("fn").map(FuncId::new),
        })
    }

    fn linkage(&mut self) -> Parsed<Linkage> {
        match self.word()?.as_str() {
            "external" => Ok(Linkage::External),
            "internal" => Ok(Linkage::Internal),
            _ => self.unexpected("`external` or `internal`"),
        }
    }

    /// Files are the user's unless the text says otherwise.
    fn file_origin(&mut self) -> FileOrigin {
        if self.accept_word("system") {
            FileOrigin::System
        } else if self.accept_word("model") {
            FileOrigin::Model
        } else {
            FileOrigin::User
        }
    }

    fn function_origin(&mut self) -> Parsed<Origin> {
        Ok(match self.word()?.as_str() {
            "system" => Origin::System,
            "library_model" => Origin::LibraryModel,
            "harness" => Origin::Harness { of: FuncId::new(self.id("fn")?) },
            "requirement" => Origin::Requirement { of: FuncId::new(self.id("fn")?) },
            "promise" => Origin::Promise { of: FuncId::new(self.id("fn")?) },
            "relation" => Origin::Relation { of: FuncId::new(self.id("fn")?) },
            "variant" => Origin::Variant { of: FuncId::new(self.id("fn")?) },
            "stand_in" => Origin::StandIn,
            "runtime" => Origin::Runtime,
            _ => return self.unexpected("where a function comes from"),
        })
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.text()?;
        let kind = match self.word()?.as_str() {
            "variable" => GlobalKind::Variable,
            "static_local" => GlobalKind::StaticLocal(FuncId::new(self.id("fn")?)),
            "string_literal" => GlobalKind::StringLiteral,
            "library_state" => GlobalKind::LibraryState,
            "static_field" => GlobalKind::StaticField(FieldId::new(self.id("field")?)),
            "runtime" => GlobalKind::Runtime,
            "compound_literal" => GlobalKind::CompoundLiteral,
            "register" => GlobalKind::Register(self.number()?),
            _ => return self.unexpected("a kind of global"),
        };
        let linkage = self.linkage()?;
        let source_type = self.source_type_id()?;
        let size = self.labeled("size")?;
        let align = self.labeled("align")?;
        let is_const = self.accept_word("const");
        let initializer = if self.accept_word("init") { Some(self.initializer()?) } else { None };
        let span = self.span()?;
        Ok(Global { name, kind, linkage, source_type, size, align, is_const, initializer, span })
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        let text = self.text()?;
        let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
        let Some(digits) = digits.filter(|digits| digits.len() % 2 == 0) else {
            return self.unexpected("bytes as pairs of hexadecimal digits");
        };
        let byte = |pair: &[u32]| u8::try_from(pair[0] * 16 + pair[1]).unwrap_or(0);
        let bytes = digits.chunks(2).map(byte).collect();
        let mut relocations = Vec::new();
        while self.accept_word("at") {
            let offset = self.number()?;
            let target = match self.accept_id("global") {
                Some(global) => RelocationTarget::Global(GlobalId::new(global)),
                None => RelocationTarget::Func(FuncId::new(self.id("fn")?)),
            };
            relocations.push(Relocation { offset, target, addend: self.labeled("plus")? });
        }
        Ok(Initializer { bytes, relocations })
    }

    fn function(&mut self) -> Parsed<Function> {
        let name = self.text()?;
        let linkage = self.linkage()?;
        self.punct('(')?;
        let mut params = Vec::new();
        while !self.accept(')') {
            let ty = self.ty()?;
            let is_indirect = self.accept_word("indirect");
            let passing = if is_indirect { Passing::Indirect } else { Passing::Direct };
            let source_type = self.source_type_id()?;
            params.push(Param { ty, passing, source_type, name: self.text()? });
            self.accept(',');
        }
        self.punct('-')?;
        self.punct('>')?;
        let result = if self.accept_word("void") {
            ResultPassing::Void
        } else if self.accept_word("indirect") {
            ResultPassing::Indirect
        } else {
            ResultPassing::Direct(self.ty()?)
        };
        let result_source_type = self.source_type_id()?;
        let is_variadic = self.accept_word("variadic");
        let is_noreturn = self.accept_word("noreturn");
        let method = self.accept_id("method").map(MethodId::new);
        let origin =
            if self.accept_word("origin") { self.function_origin()? } else { Origin::User };
        let span = self.span()?;
        let body = if self.accept('{') { Some(self.body()?) } else { None };
        Ok(Function {
            name,
            linkage,
            origin,
            params,
            result,
            result_source_type,
            is_variadic,
            is_noreturn,
            method,
            body,
            span,
        })
    }
}
