//! The name of a function as a person says it: `Lookup.find(int[], int)` for a method, the plain name in C.

use glassbox_ir::{FuncId, Program};

/// What to call a function in text for people. `name` in suite.json stays the exact one.
pub fn title(program: &Program, function: FuncId) -> String {
    let declared = program.function(function);
    if declared.method.is_none() {
        return declared.name.clone();
    }
    shortened(&declared.name).unwrap_or_else(|| declared.name.clone())
}

/// `pack.Lookup.find([II)I` as `Lookup.find(int[], int)`.
fn shortened(name: &str) -> Option<String> {
    let (path, descriptor) = name.split_once('(')?;
    let (params, _) = descriptor.split_once(')')?;
    let (class, method) = path.rsplit_once('.')?;
    let class = simple(class);
    let method =
        if method == "<init>" { format!("new {class}") } else { format!("{class}.{method}") };
    Some(format!("{method}({})", types(params)?.join(", ")))
}

fn types(descriptor: &str) -> Option<Vec<String>> {
    let mut list = Vec::new();
    let mut rest = descriptor;
    while !rest.is_empty() {
        let inner = rest.trim_start_matches('[');
        let n_dimensions = rest.len() - inner.len();
        let (base, after) = match inner.strip_prefix('L') {
            Some(class) => {
                let (class, after) = class.split_once(';')?;
                (simple(class), after)
            }
            None => (primitive(inner.chars().next()?)?, &inner[1..]),
        };
        list.push(format!("{base}{}", "[]".repeat(n_dimensions)));
        rest = after;
    }
    Some(list)
}

fn primitive(letter: char) -> Option<&'static str> {
    let known = [
        ('Z', "boolean"),
        ('B', "byte"),
        ('C', "char"),
        ('S', "short"),
        ('I', "int"),
        ('J', "long"),
        ('F', "float"),
        ('D', "double"),
    ];
    known.iter().find(|(code, _)| *code == letter).map(|(_, name)| *name)
}

/// A class without its package.
fn simple(class: &str) -> &str {
    class.rsplit(['.', '/']).next().unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn methods_are_named_as_in_source() {
        for (name, expected) in [
            ("Lookup.find([II)I", "Lookup.find(int[], int)"),
            ("org.acme.Bank.pay(Ljava/lang/String;[[DJ)V", "Bank.pay(String, double[][], long)"),
            ("org.acme.Bank.<init>()V", "new Bank()"),
            ("org.acme.Bank$Vault.open(Z)Z", "Bank$Vault.open(boolean)"),
        ] {
            assert_eq!(shortened(name).as_deref(), Some(expected));
        }
        for broken in ["", "f", "A.f(", "A.f(Q)V", "A.f(Lx)V", "A.f([)V", "(I)V"] {
            assert_eq!(shortened(broken), None, "{broken}");
        }
    }
}
