//! Java code that relations between calls need: arrays that are kept, put back with elements in other places, and compared.

/// What relations need to call in Java: elements of arrays that change places, and what compares them.
pub(super) fn runtime(elements: &[&str]) -> String {
    std::iter::once(place()).chain(elements.iter().map(|element| arrays(element))).collect()
}

/// Where an element goes.
pub(super) fn place() -> String {
    "  static int glassbox$place(int i, int n, int how) {
    if (i >= n) return i;
    if (how == 1) return i < 2 ? 1 - i : i;
    if (how == 2) return i + 1 < n ? i + 1 : 0;
    return i;
  }
"
    .to_owned()
}

/// What keeps, puts back and compares arrays of a type.
pub(super) fn arrays(ty: &str) -> String {
    let is_same = match ty {
        "float" | "double" => "now[at] == then[i] || (now[at] != now[at] && then[i] != then[i])",
        "String" => "java.util.Objects.equals(now[at], then[i])",
        _ => "now[at] == then[i]",
    };
    format!(
        "  static {ty}[] glassbox$keep({ty}[] a) {{
    if (a == null) return null;
    {ty}[] b = new {ty}[a.length];
    for (int i = 0; i < a.length; i++) b[i] = a[i];
    return b;
  }}
  static void glassbox$put({ty}[] to, {ty}[] from, int n, int how) {{
    if (to == null) return;
    for (int i = 0; i < to.length; i++) to[glassbox$place(i, n, how)] = from[i];
  }}
  static boolean glassbox$same({ty}[] now, {ty}[] then, int n, int how) {{
    if (now == null || then == null) return now == then;
    if (now.length != then.length) return false;
    boolean same = true;
    for (int i = 0; i < now.length; i++) {{
      int at = glassbox$place(i, n, how);
      same &= {is_same};
    }}
    return same;
  }}
"
    )
}

/// Types of elements that can be kept and compared.
pub(super) const ELEMENTS: &[&str] =
    &["int", "long", "short", "byte", "char", "boolean", "float", "double", "String"];
