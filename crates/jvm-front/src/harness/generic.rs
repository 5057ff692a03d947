//! Type arguments of a method's parameters, read from its `Signature` attribute.

use std::rc::Rc;

use crate::descriptor::Type;

/// A type with its arguments; nothing is known where a type variable stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Generic {
    pub(super) ty: Option<Type>,
    pub(super) args: Vec<Generic>,
}

/// By parameter. Signatures that do not fit say nothing.
pub(super) fn params(signature: Option<&str>, n_params: usize) -> Vec<Generic> {
    let nothing = vec![Generic::default(); n_params];
    let Some(start) = signature.and_then(|text| text.find('(').map(|at| &text[at + 1..])) else {
        return nothing;
    };
    let mut rest = start;
    let mut all = Vec::new();
    while !rest.starts_with(')') {
        match parse(rest, 0) {
            Some((generic, tail)) => {
                all.push(generic);
                rest = tail;
            }
            None => return nothing,
        }
    }
    if all.len() == n_params { all } else { nothing }
}

fn parse(text: &str, depth: usize) -> Option<(Generic, &str)> {
    let letter = text.chars().next().filter(|_| depth < 10)?;
    let tail = &text[letter.len_utf8()..];
    match letter {
        '*' => Some((Generic::default(), tail)),
        '+' | '-' => parse(tail, depth + 1),
        'T' => Some((Generic::default(), tail.split_once(';')?.1)),
        '[' => {
            let (element, rest) = parse(tail, depth + 1)?;
            let ty = element.ty.map(|ty| Type::Ref(format!("[{}", ty.descriptor()).into()));
            Some((Generic { ty, args: Vec::new() }, rest))
        }
        'L' => {
            let end = tail.find(['<', ';'])?;
            let name: Rc<str> = tail[..end].into();
            let mut args = Vec::new();
            let mut rest = &tail[end..];
            if let Some(inside) = rest.strip_prefix('<') {
                rest = inside;
                while !rest.starts_with('>') {
                    let (arg, tail) = parse(rest, depth + 1)?;
                    args.push(arg);
                    rest = tail;
                }
                rest = &rest[1..];
            }
            // Members of parameterized classes (`A<B>.C`) are left to the erased type.
            let rest = rest.strip_prefix(';')?;
            Some((Generic { ty: Some(Type::Ref(name)), args }, rest))
        }
        _ => Some((Generic { ty: Type::parse(&text[..1]), args: Vec::new() }, tail)),
    }
}

#[cfg(test)]
mod tests {
    use super::params;

    #[test]
    fn type_arguments_are_found() {
        let text = "<T:Ljava/lang/Object;>(ILjava/util/Map<Ljava/lang/String;[I>;TT;)V";
        let all = params(Some(text), 3);
        assert_eq!(all[1].args.len(), 2);
        assert_eq!(all[1].args[1].ty.as_ref().map(|ty| ty.descriptor()), Some("[I".to_owned()));
        assert_eq!(all[2].ty, None);
        assert_eq!(params(Some("(L"), 1).len(), 1);
        assert_eq!(params(None, 2).len(), 2);
    }
}
