//! Parsing bodies: variables, locals, decisions, blocks, terminators.

use glassbox_values::{Bits, Float, Format};

use super::lex::Token;
use super::parse::{Parsed, Parser};
use crate::block::{Block, BranchOrigin, SwitchCase, Target, Terminator};
use crate::decision::{Condition, Decision, Formula};
use crate::func::{Body, Local, SourceVar};
use crate::id::{BlockId, DecisionId, FuncId, GlobalId, LocalId, SourceVarId, ValueId};
use crate::instr::Operand;
use crate::ty::Ty;

impl Parser {
    /// What stands between braces after a function's head; the opening one is taken.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let mut body = Body {
            blocks: Vec::new(),
            values: Vec::new(),
            locals: Vec::new(),
            vars: Vec::new(),
            decisions: Vec::new(),
        };
        while self.peek_id("var").is_some() {
            self.define("var", body.vars.len())?;
            let var = self.var()?;
            body.vars.push(var);
        }
        while self.peek_id("local").is_some() {
            self.define("local", body.locals.len())?;
            let local = self.local()?;
            body.locals.push(local);
        }
        while self.peek_id("d").is_some() {
            self.define("d", body.decisions.len())?;
            let decision = self.decision()?;
            body.decisions.push(decision);
        }
        while !self.accept('}') {
            if self.id("b")? != body.blocks.len() {
                return self.unexpected(&format!("`b{}`", body.blocks.len()));
            }
            let block = self.block(&mut body)?;
            body.blocks.push(block);
        }
        Ok(body)
    }

    fn var(&mut self) -> Parsed<SourceVar> {
        let name = self.text()?;
        let source_type = self.source_type_id()?;
        let param = if self.accept_word("param") { Some(self.number()?) } else { None };
        let local = if self.next_is_definition() {
            None
        } else {
            self.accept_id("local").map(LocalId::new)
        };
        Ok(SourceVar { name, source_type, param, local, span: self.span()? })
    }

    fn local(&mut self) -> Parsed<Local> {
        let name = self.text()?;
        let source_type = self.source_type_id()?;
        let size = self.labeled("size")?;
        let align = self.labeled("align")?;
        let var = self.accept_id("var").map(SourceVarId::new);
        Ok(Local { name, source_type, size, align, var, span: self.span()? })
    }

    fn decision(&mut self) -> Parsed<Decision> {
        let kind = self.named("a kind of decision")?;
        let formula = self.formula()?;
        self.punct('{')?;
        let mut conditions = Vec::new();
        while !self.accept('}') {
            let text = self.text()?;
            conditions.push(Condition { text, span: self.span()? });
            self.accept(',');
        }
        Ok(Decision { kind, formula, conditions, span: self.span()? })
    }

    fn condition_index(&mut self) -> Parsed<u16> {
        let index = self.id("c")?;
        u16::try_from(index).or_else(|_| self.unexpected("a condition's number"))
    }

    fn formula(&mut self) -> Parsed<Formula> {
        if !self.accept('(') {
            return self.condition_index().map(Formula::Condition);
        }
        let formula = match self.word()?.as_str() {
            "not" => Formula::Not(Box::new(self.formula()?)),
            "and" => Formula::And(Box::new(self.formula()?), Box::new(self.formula()?)),
            "or" => Formula::Or(Box::new(self.formula()?), Box::new(self.formula()?)),
            _ => return self.unexpected("`not`, `and` or `or`"),
        };
        self.punct(')')?;
        Ok(formula)
    }

    fn block(&mut self, body: &mut Body) -> Parsed<Block> {
        self.punct('(')?;
        let mut params = Vec::new();
        while !self.accept(')') {
            let (value, ty) = self.typed_value()?;
            define_value(body, value, ty);
            params.push(value);
            self.accept(',');
        }
        self.punct(':')?;
        let mut instrs = Vec::new();
        loop {
            if let Some(terminator) = self.terminator()? {
                let terminator_span = self.span()?;
                return Ok(Block { params, instrs, terminator, terminator_span });
            }
            let instr = self.instr(body)?;
            instrs.push(instr);
        }
    }

    /// `%3: i32`.
    pub(super) fn typed_value(&mut self) -> Parsed<(ValueId, Ty)> {
        let value = ValueId::new(self.id("%")?);
        self.punct(':')?;
        Ok((value, self.ty()?))
    }

    fn target(&mut self) -> Parsed<Target> {
        let block = BlockId::new(self.id("b")?);
        Ok(Target { block, args: self.arguments()? })
    }

    /// Operands in parentheses.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Operand>> {
        self.punct('(')?;
        let mut args = Vec::new();
        while !self.accept(')') {
            args.push(self.operand()?);
            self.accept(',');
        }
        Ok(args)
    }

    /// Whether the next word can begin an operand.
    pub(super) fn at_operand(&self) -> bool {
        match self.peek() {
            Some(Token::Word(word)) => {
                word.starts_with(|c: char| c.is_ascii_digit() || c == '%')
                    || word == "null"
                    || self.peek_id("global").is_some()
                    || self.peek_id("fn").is_some()
            }
            Some(Token::Text(_) | Token::Punct(_)) | None => false,
        }
    }

    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        if let Some(value) = self.accept_id("%") {
            return Ok(Operand::Value(ValueId::new(value)));
        }
        if let Some(global) = self.accept_id("global") {
            return Ok(Operand::Global(GlobalId::new(global)));
        }
        if let Some(func) = self.accept_id("fn") {
            return Ok(Operand::Func(FuncId::new(func)));
        }
        let word = self.word()?;
        if word == "null" {
            return Ok(Operand::NullPtr);
        }
        if let Some(digits) = word.strip_prefix("0x") {
            let Ok(bits) = u64::from_str_radix(digits, 16) else {
                return self.unexpected("a float's bits");
            };
            self.punct(':')?;
            let format = self.float_format()?;
            return Ok(Operand::Float(Float::from_bits(bits, format)));
        }
        let Ok(value) = word.parse::<u128>() else { return self.unexpected("an operand") };
        self.punct(':')?;
        match self.ty()? {
            Ty::Int(width) => Ok(Operand::Int(Bits::new(value, width))),
            Ty::Float(_) | Ty::Ptr => self.unexpected("an integer type"),
        }
    }

    fn float_format(&mut self) -> Parsed<Format> {
        let word = self.word()?;
        let parts = word.strip_prefix('f').and_then(|rest| rest.split_once('.'));
        let format = parts.and_then(|(exponent, significand)| {
            Format::new(exponent.parse().ok()?, significand.parse().ok()?)
        });
        format.map_or_else(|| self.unexpected("a float format such as f11.53"), Ok)
    }

    fn int(&mut self) -> Parsed<Bits> {
        let Operand::Int(bits) = self.operand()? else { return self.unexpected("an integer") };
        Ok(bits)
    }

    /// A terminator, if one comes next.
    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let terminator = if self.accept_word("jump") {
            Terminator::Jump(self.target()?)
        } else if self.accept_word("branch") {
            let condition = self.operand()?;
            self.punct(',')?;
            let if_true = self.target()?;
            self.punct(',')?;
            let if_false = self.target()?;
            Terminator::Branch { condition, if_true, if_false, origin: self.origin()? }
        } else if self.accept_word("switch") {
            self.switch()?
        } else if self.accept_word("return") {
            let value = if self.at_operand() { Some(self.operand()?) } else { None };
            Terminator::Return(value)
        } else if self.accept_word("unreachable") {
            Terminator::Unreachable
        } else {
            return Ok(None);
        };
        Ok(Some(terminator))
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        let value = self.operand()?;
        self.punct(',')?;
        let mut cases = Vec::new();
        while self.accept_word("case") {
            let low = self.int()?;
            let high = self.int()?;
            let target = self.target()?;
            cases.push(SwitchCase { low, high, target, span: self.span()? });
            self.punct(',')?;
        }
        self.keyword("default")?;
        Ok(Terminator::Switch { value, cases, default: self.target()? })
    }

    fn outcome(&mut self) -> Parsed<Option<bool>> {
        match self.word()?.as_str() {
            "true" => Ok(Some(true)),
            "false" => Ok(Some(false)),
            "open" => Ok(None),
            _ => self.unexpected("`true`, `false` or `open`"),
        }
    }

    fn origin(&mut self) -> Parsed<Option<BranchOrigin>> {
        let Some(decision) = self.accept_id("d") else { return Ok(None) };
        let condition = self.condition_index()?;
        let is_positive = match self.word()?.as_str() {
            "positive" => true,
            "negative" => false,
            _ => return self.unexpected("`positive` or `negative`"),
        };
        Ok(Some(BranchOrigin {
            decision: DecisionId::new(decision),
            condition,
            is_positive,
            outcome_if_true: self.outcome()?,
            outcome_if_false: self.outcome()?,
        }))
    }
}

/// Notes the type of a value; numbers may come in any order.
pub(super) fn define_value(body: &mut Body, value: ValueId, ty: Ty) {
    if body.values.len() <= value.index() {
        body.values.resize(value.index() + 1, Ty::BOOL);
    }
    body.values[value.index()] = ty;
}
