//! ctype.h.

use crate::row::{Row, source};

pub(crate) const ROWS: &[Row] = &[
    source("int isalnum(int)").builtin().locale(),
    source("int isalpha(int)").builtin().locale(),
    source("int isblank(int)").builtin().locale(),
    source("int iscntrl(int)").builtin().locale(),
    source("int isdigit(int)").builtin(),
    source("int isgraph(int)").builtin().locale(),
    source("int islower(int)").builtin().locale(),
    source("int isprint(int)").builtin().locale(),
    source("int ispunct(int)").builtin().locale(),
    source("int isspace(int)").builtin().locale(),
    source("int isupper(int)").builtin().locale(),
    source("int isxdigit(int)").builtin(),
    source("int tolower(int)").builtin().locale(),
    source("int toupper(int)").builtin().locale(),
    source("int isascii(int)").builtin(),
    source("int toascii(int)").builtin(),
    source("const unsigned short **__ctype_b_loc(void)").locale(),
    source("const int **__ctype_tolower_loc(void)").locale(),
    source("const int **__ctype_toupper_loc(void)").locale(),
];
