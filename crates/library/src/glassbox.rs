//! Names that our own C code uses for instructions of the program representation: models of the library and
//! the code that contracts become.

use crate::row::{Operator, Reads, Row, instruction, native};

pub(crate) const ROWS: &[Row] = &[
    instruction(Operator::Assert, "void __glassbox_ensure(int)"),
    instruction(Operator::Relate, "void __glassbox_relation(int, const char *)"),
    instruction(Operator::Assume, "void __glassbox_assume(int)"),
    instruction(Operator::Copy, "void *__glassbox_copy(void *, const void *, size_t)").writes(0),
    instruction(Operator::Move, "void *__glassbox_move(void *, const void *, size_t)").writes(0),
    instruction(Operator::Fill, "void *__glassbox_fill(void *, int, size_t)").writes(0),
    instruction(Operator::Allocate, "void *__glassbox_alloc(size_t)"),
    instruction(Operator::AllocateZeroed, "void *__glassbox_alloc_zeroed(size_t)"),
    instruction(Operator::AllocateNothing, "void *__glassbox_alloc_nothing(void)"),
    instruction(Operator::Free, "void __glassbox_free(void *)").writes(0),
    instruction(Operator::CheckFreeable, "void __glassbox_check_freeable(void *)"),
    instruction(Operator::CheckApart, "void __glassbox_apart(const void *, const void *, size_t)"),
    instruction(Operator::ObjectSize, "size_t __glassbox_size(const void *)"),
    instruction(Operator::ObjectOffset, "size_t __glassbox_offset(const void *)"),
    instruction(Operator::IsWhole, "int __glassbox_whole(const void *, size_t)"),
    // What comparisons of the library return: the interpreter gives the difference itself.
    native("int __glassbox_same_sign(int)").same_sign(),
    // The whole of `strtod` and `strtof`, behind what their models compute themselves.
    native("double __glassbox_strtod(const char *, char **)").writes(1).errno(),
    native("float __glassbox_strtof(const char *, char **)").writes(1).errno(),
    // The same for `sscanf`: a whole format, and a float that is no plain decimal.
    native("int __glassbox_vsscanf(const char *, const char *, va_list)")
        .reads(Reads::Other)
        .writes_all(),
    native("int __glassbox_scan_float(const char *, int, int, void *)").writes(3),
];
