//! The types of a function, read from the C declaration of its row.

/// What a type is, as far as calls are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Void,
    Integer,
    Float,
    Pointer,
    /// It travels in memory: a record, a `long double`.
    Memory,
}

/// The result and parameters of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// As C text.
    pub result: String,
    pub params: Vec<String>,
    pub is_variadic: bool,
}

impl Signature {
    /// The name that a declaration gives, and the types.
    pub(crate) fn read(declaration: &str) -> (String, Signature) {
        let (head, rest) = declaration.split_once('(').unwrap_or((declaration, ")"));
        let name_at = head.rfind([' ', '*']).map_or(0, |at| at + 1);
        let (result, name) = head.split_at(name_at);
        let inside = rest.strip_suffix(')').unwrap_or(rest);
        let mut params: Vec<String> = split(inside);
        let is_variadic = params.last().is_some_and(|last| last == "...");
        if is_variadic || params == ["void"] {
            params.pop();
        }
        (name.to_owned(), Signature { result: result.trim().to_owned(), params, is_variadic })
    }

    /// Whether a call with these types, as the program declares it, can be one of the function.
    pub fn fits(&self, result: Class, params: &[Class]) -> bool {
        let n = self.params.len();
        // What a program does not use it may declare as void, and old ones declare no parameters.
        let has_result = result == Class::Void || result == class_of(&self.result);
        let has_params = if self.is_variadic { n <= params.len() } else { n == params.len() };
        has_result
            && (params.is_empty()
                || has_params
                    && self.params.iter().zip(params).all(|(own, &given)| class_of(own) == given))
    }
}

/// The parts between commas that no parenthesis encloses.
fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut part = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part).trim().to_owned());
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    if !part.trim().is_empty() {
        parts.push(part.trim().to_owned());
    }
    parts
}

/// What a type of the catalogue is.
pub fn class_of(ty: &str) -> Class {
    if ty.contains('*') {
        return Class::Pointer;
    }
    match ty.trim_start_matches("const ") {
        "void" => Class::Void,
        "float" | "double" => Class::Float,
        "long double"
        | "div_t"
        | "ldiv_t"
        | "lldiv_t"
        | "cookie_io_functions_t"
        | "union sigval" => Class::Memory,
        // Arrays and functions as parameters are pointers.
        "va_list" | "jmp_buf" | "sighandler_t" | "timer_t" | "tss_t" => Class::Pointer,
        _ => Class::Integer,
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Signature};

    #[test]
    fn names_and_types_are_read() {
        let (name, signature) = Signature::read("char *strchr(const char *, int)");
        assert_eq!(name, "strchr");
        assert_eq!(signature.result, "char *");
        assert_eq!(signature.params, ["const char *", "int"]);
        let (name, signature) = Signature::read("int printf(const char *, ...)");
        assert_eq!((name.as_str(), signature.is_variadic), ("printf", true));
        assert_eq!(signature.params, ["const char *"]);
        let (_, signature) = Signature::read("void qsort(void *, size_t, int (*)(int, int))");
        assert_eq!(signature.params, ["void *", "size_t", "int (*)(int, int)"]);
        assert!(Signature::read("int getchar(void)").1.params.is_empty());
    }

    #[test]
    fn a_function_of_the_same_name_with_other_types_is_another() {
        let (_, log) = Signature::read("double log(double)");
        assert!(log.fits(Class::Float, &[Class::Float]));
        assert!(!log.fits(Class::Integer, &[Class::Pointer]));
        let (_, printf) = Signature::read("int printf(const char *, ...)");
        assert!(printf.fits(Class::Integer, &[Class::Pointer, Class::Float]));
    }
}
