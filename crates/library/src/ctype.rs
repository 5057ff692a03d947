//! ctype.h.

use crate::row::{Row, source};

pub(crate) const ROWS: &[Row] = &[
    source("int isalnum(int)").builtin(),
    source("int isalpha(int)").builtin(),
    source("int isblank(int)").builtin(),
    source("int iscntrl(int)").builtin(),
    source("int isdigit(int)").builtin(),
    source("int isgraph(int)").builtin(),
    source("int islower(int)").builtin(),
    source("int isprint(int)").builtin(),
    source("int ispunct(int)").builtin(),
    source("int isspace(int)").builtin(),
    source("int isupper(int)").builtin(),
    source("int isxdigit(int)").builtin(),
    source("int tolower(int)").builtin(),
    source("int toupper(int)").builtin(),
    source("int isascii(int)").builtin(),
    source("int toascii(int)").builtin(),
    source("const unsigned short **__ctype_b_loc(void)"),
    source("const int **__ctype_tolower_loc(void)"),
    source("const int **__ctype_toupper_loc(void)"),
];
