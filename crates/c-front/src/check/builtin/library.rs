//! Library functions whose types the compiler knows without a header.
//!
//! A signature is the result's letter, a colon and the parameters' letters: v void, i int, u unsigned,
//! l long, m unsigned long, L long long, p void *, P const void *, c char *, C const char *, d double,
//! f float, e long double, n int *, q double *, g float *, r char **, A va_list, W wide string (int *),
//! `.` more arguments.

use super::super::Checker;
use crate::tree::ExprId;
use crate::ty::kind::{
    FloatKind, FunctionType, IntKind, PrototypeStyle, Qualifiers, TypeId, TypeKind,
};
use crate::ty::table::TypeTable;

const SIGNATURES: &[(&str, &str)] = &[
    // string.h
    ("memchr", "p:Pim"),
    ("memcmp", "i:PPm"),
    ("memcpy", "p:pPm"),
    ("memmove", "p:pPm"),
    ("memset", "p:pim"),
    ("mempcpy", "p:pPm"),
    ("strcat", "c:cC"),
    ("strchr", "c:Ci"),
    ("strcmp", "i:CC"),
    ("strcpy", "c:cC"),
    ("stpcpy", "c:cC"),
    ("strcspn", "m:CC"),
    ("strlen", "m:C"),
    ("strncat", "c:cCm"),
    ("strncmp", "i:CCm"),
    ("strncpy", "c:cCm"),
    ("strpbrk", "c:CC"),
    ("strrchr", "c:Ci"),
    ("strspn", "m:CC"),
    ("strstr", "c:CC"),
    ("strdup", "c:C"),
    ("strndup", "c:Cm"),
    ("index", "c:Ci"),
    ("rindex", "c:Ci"),
    ("bcmp", "i:PPm"),
    ("bcopy", "v:PPm"),
    ("bzero", "v:pm"),
    ("strcasecmp", "i:CC"),
    ("strncasecmp", "i:CCm"),
    ("strnlen", "m:Cm"),
    // stdlib.h
    ("abort", "v:"),
    ("abs", "i:i"),
    ("labs", "l:l"),
    ("llabs", "L:L"),
    ("calloc", "p:mm"),
    ("malloc", "p:m"),
    ("realloc", "p:pm"),
    ("free", "v:p"),
    ("exit", "v:i"),
    ("_Exit", "v:i"),
    ("_exit", "v:i"),
    ("aligned_alloc", "p:mm"),
    // stdio.h
    ("printf", "i:C."),
    ("sprintf", "i:cC."),
    ("snprintf", "i:cmC."),
    ("scanf", "i:C."),
    ("sscanf", "i:CC."),
    ("putchar", "i:i"),
    ("puts", "i:C"),
    ("vprintf", "i:CA"),
    ("vsprintf", "i:cCA"),
    ("vsnprintf", "i:cmCA"),
    ("vscanf", "i:CA"),
    ("vsscanf", "i:CCA"),
    ("fprintf", "i:pC."),
    ("fputs", "i:Cp"),
    ("fputc", "i:ip"),
    ("fwrite", "m:Pmmp"),
    ("vfprintf", "i:pCA"),
    // ctype.h
    ("isalnum", "i:i"),
    ("isalpha", "i:i"),
    ("isblank", "i:i"),
    ("iscntrl", "i:i"),
    ("isdigit", "i:i"),
    ("isgraph", "i:i"),
    ("islower", "i:i"),
    ("isprint", "i:i"),
    ("ispunct", "i:i"),
    ("isspace", "i:i"),
    ("isupper", "i:i"),
    ("isxdigit", "i:i"),
    ("tolower", "i:i"),
    ("toupper", "i:i"),
    ("isascii", "i:i"),
    ("toascii", "i:i"),
    // math.h, double; float and long double twins follow by rule
    ("acos", "d:d"),
    ("acosh", "d:d"),
    ("asin", "d:d"),
    ("asinh", "d:d"),
    ("atan", "d:d"),
    ("atan2", "d:dd"),
    ("atanh", "d:d"),
    ("cbrt", "d:d"),
    ("ceil", "d:d"),
    ("copysign", "d:dd"),
    ("cos", "d:d"),
    ("cosh", "d:d"),
    ("erf", "d:d"),
    ("erfc", "d:d"),
    ("exp", "d:d"),
    ("exp2", "d:d"),
    ("exp10", "d:d"),
    ("expm1", "d:d"),
    ("fabs", "d:d"),
    ("fdim", "d:dd"),
    ("floor", "d:d"),
    ("fma", "d:ddd"),
    ("fmax", "d:dd"),
    ("fmin", "d:dd"),
    ("fmod", "d:dd"),
    ("frexp", "d:dn"),
    ("hypot", "d:dd"),
    ("ilogb", "i:d"),
    ("ldexp", "d:di"),
    ("lgamma", "d:d"),
    ("llrint", "L:d"),
    ("llround", "L:d"),
    ("log", "d:d"),
    ("log10", "d:d"),
    ("log1p", "d:d"),
    ("log2", "d:d"),
    ("logb", "d:d"),
    ("lrint", "l:d"),
    ("lround", "l:d"),
    ("modf", "d:dq"),
    ("nearbyint", "d:d"),
    ("nextafter", "d:dd"),
    ("pow", "d:dd"),
    ("remainder", "d:dd"),
    ("remquo", "d:ddn"),
    ("rint", "d:d"),
    ("round", "d:d"),
    ("scalbln", "d:dl"),
    ("scalbn", "d:di"),
    ("sin", "d:d"),
    ("sinh", "d:d"),
    ("sqrt", "d:d"),
    ("tan", "d:d"),
    ("tanh", "d:d"),
    ("tgamma", "d:d"),
    ("trunc", "d:d"),
    // assert.h's glibc half
    ("__assert_fail", "v:CCuC"),
];

/// True for functions that the compiler may evaluate by itself: those without effects.
pub(crate) fn is_known_function(name: &str) -> bool {
    let find = |name: &str| SIGNATURES.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
    let is_math = |signature: &str| signature.contains('d');
    let has_effects = |signature: &str| signature.contains(['p', 'c', '.', 'A', 'v', 'n', 'q']);
    match find(name) {
        Some(signature) => !has_effects(signature),
        None => name.strip_suffix(['f', 'l']).and_then(find).is_some_and(is_math),
    }
}

/// `memcpy` for `__memcpy_chk`: the object size arguments of fortified calls are dropped.
pub(super) fn without_checks<'n>(short: &'n str, arguments: &[ExprId]) -> (&'n str, Vec<ExprId>) {
    let checked = short.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    let Some(name) = checked else { return (short, arguments.to_vec()) };
    let dropped: &[usize] = match name {
        "sprintf" | "vsprintf" => &[1, 2],
        "snprintf" | "vsnprintf" => &[2, 3],
        "printf" | "vprintf" => &[0],
        "fprintf" | "vfprintf" => &[1],
        _ => &[usize::MAX],
    };
    let last = arguments.len().saturating_sub(1);
    let keep = |index: usize| {
        if dropped == [usize::MAX] { index != last } else { !dropped.contains(&index) }
    };
    let kept = arguments.iter().enumerate().filter(|&(index, _)| keep(index)).map(|(_, &a)| a);
    (name, kept.collect())
}

impl Checker<'_> {
    /// The type of a library function by name.
    pub(crate) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        let find =
            |name: &str| SIGNATURES.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
        if let Some(signature) = find(name) {
            return Some(self.signature_type(signature));
        }
        // sqrtf, sqrtl: the double's signature with every double replaced.
        let (stem, twin) = match name.strip_suffix('f') {
            Some(stem) => (stem, ["f", "g"]),
            None => (name.strip_suffix('l')?, ["e", "E"]),
        };
        let signature = find(stem).filter(|signature| signature.contains('d'))?;
        let signature = signature.replace('d', twin[0]).replace('q', twin[1]);
        Some(self.signature_type(&signature))
    }

    fn signature_type(&mut self, signature: &str) -> TypeId {
        let (result, parameters) = signature.split_once(':').unwrap_or(("i", ""));
        let result = result.chars().next().unwrap_or('i');
        let is_variadic = parameters.ends_with('.');
        let letters = parameters.trim_end_matches('.').chars();
        let parameters = letters.map(|letter| self.letter_type(letter)).collect();
        let result = self.letter_type(result);
        let style = PrototypeStyle::Prototype;
        self.program.types.function(FunctionType { result, parameters, is_variadic, style })
    }

    fn letter_type(&mut self, letter: char) -> TypeId {
        let konst = Qualifiers { is_const: true, ..Qualifiers::NONE };
        let types = &mut self.program.types;
        match letter {
            'v' => TypeTable::VOID,
            'u' => TypeTable::UINT,
            'l' => TypeTable::LONG,
            'm' => TypeTable::ULONG,
            'L' => TypeTable::int_id(IntKind::LongLong),
            'p' => TypeTable::VOID_POINTER,
            'P' => {
                let target = types.qualified(TypeTable::VOID, konst);
                types.pointer_to(target)
            }
            'c' => TypeTable::CHAR_POINTER,
            'C' => types.pointer_to(TypeTable::CONST_CHAR),
            'd' => TypeTable::DOUBLE,
            'f' => TypeTable::FLOAT,
            'e' => types.intern(TypeKind::Float(FloatKind::LongDouble)),
            'n' => types.pointer_to(TypeTable::INT),
            'q' => types.pointer_to(TypeTable::DOUBLE),
            'g' => types.pointer_to(TypeTable::FLOAT),
            'E' => {
                let target = types.intern(TypeKind::Float(FloatKind::LongDouble));
                types.pointer_to(target)
            }
            'A' => {
                let tag = types.element(self.well_known.va_list).unwrap_or(TypeTable::ERROR);
                types.pointer_to(tag)
            }
            _ => TypeTable::INT,
        }
    }
}
