//! stdio.h, and reading and writing by descriptor.

use crate::row::{Reads, Row, TextResult, native, source, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    // Formatted output.
    native("int printf(const char *, ...)").output().format(0).builtin(),
    native("int vprintf(const char *, va_list)").output().format(0).builtin(),
    native("int fprintf(FILE *, const char *, ...)").output().format(1).builtin(),
    native("int vfprintf(FILE *, const char *, va_list)").output().format(1).builtin(),
    native("int dprintf(int, const char *, ...)").output().format(1),
    native("int sprintf(char *, const char *, ...)")
        .writes_all()
        .text(TextResult::Number)
        .errno()
        .builtin(),
    native("int vsprintf(char *, const char *, va_list)")
        .writes_all()
        .text(TextResult::Number)
        .errno()
        .builtin(),
    native("int snprintf(char *, size_t, const char *, ...)")
        .writes_all()
        .text(TextResult::Number)
        .errno()
        .builtin(),
    native("int vsnprintf(char *, size_t, const char *, va_list)")
        .writes_all()
        .text(TextResult::Number)
        .errno()
        .builtin(),
    native("int asprintf(char **, const char *, ...)").writes_all().allocates(),
    native("int vasprintf(char **, const char *, va_list)").writes_all().allocates(),
    // Formatted input.
    native("int scanf(const char *, ...)").reads(Reads::StandardInput).writes_all().builtin(),
    native("int fscanf(FILE *, const char *, ...)").reads(Reads::Stream(0)).writes_all(),
    native("int vscanf(const char *, va_list)").reads(Reads::Other).writes_all().builtin(),
    native("int vfscanf(FILE *, const char *, va_list)").reads(Reads::Other).writes_all(),
    source("int sscanf(const char *, const char *, ...)")
        .reads(Reads::Other)
        .writes_all()
        .builtin(),
    source("int vsscanf(const char *, const char *, va_list)")
        .reads(Reads::Other)
        .writes_all()
        .builtin(),
    // Characters, lines, blocks out.
    native("int putchar(int)").output().builtin(),
    native("int putc(int, FILE *)").aliases(&["_IO_putc"]).output(),
    native("int fputc(int, FILE *)").output().builtin(),
    native("int puts(const char *)").output().builtin(),
    native("int fputs(const char *, FILE *)").output().builtin(),
    native("size_t fwrite(const void *, size_t, size_t, FILE *)")
        .output()
        .counts_blocks()
        .builtin(),
    native("ssize_t write(int, const void *, size_t)").output(),
    native("int fflush(FILE *)").output().takes_all_streams(),
    native("void perror(const char *)").output(),
    // Characters, lines, blocks in.
    native("int getchar(void)").reads(Reads::StandardInput),
    native("int getc(FILE *)").aliases(&["_IO_getc"]).reads(Reads::Stream(0)),
    native("int fgetc(FILE *)").reads(Reads::Stream(0)),
    native("int ungetc(int, FILE *)").reads(Reads::Stream(1)),
    native("char *fgets(char *, int, FILE *)")
        .reads(Reads::Stream(2))
        .writes(0)
        .text(TextResult::ArgumentOrNull),
    native("char *gets(char *)")
        .reads(Reads::StandardInput)
        .writes(0)
        .text(TextResult::ArgumentOrNull),
    native("size_t fread(void *, size_t, size_t, FILE *)")
        .reads(Reads::Stream(3))
        .counts_blocks()
        .writes(0),
    native("ssize_t read(int, void *, size_t)")
        .reads(Reads::StandardInput)
        .writes(1)
        .counts_up_to(2),
    native("ssize_t getline(char **, size_t *, FILE *)")
        .reads(Reads::Stream(2))
        .writes_all()
        .allocates(),
    native("ssize_t getdelim(char **, size_t *, int, FILE *)")
        .aliases(&["__getdelim"])
        .reads(Reads::Other)
        .writes_all()
        .allocates(),
    native("int feof(FILE *)").reads(Reads::Stream(0)),
    native("int ferror(FILE *)").reads(Reads::Stream(0)),
    native("void clearerr(FILE *)").surroundings(),
    // Streams and files.
    native("FILE *fopen(const char *, const char *)").aliases(&["fopen64"]).surroundings().errno(),
    native("FILE *freopen(const char *, const char *, FILE *)")
        .aliases(&["freopen64"])
        .surroundings()
        .errno()
        .ends_stream(),
    native("FILE *fdopen(int, const char *)").surroundings().errno(),
    native("FILE *tmpfile(void)").aliases(&["tmpfile64"]).surroundings().errno(),
    native("char *tmpnam(char *)").writes(0).surroundings(),
    native("int fclose(FILE *)").surroundings().errno().ends_stream(),
    native("int remove(const char *)").aliases(&["unlink"]).surroundings().errno(),
    native("int rename(const char *, const char *)").surroundings().errno(),
    native("int fseek(FILE *, long, int)").aliases(&["fseeko", "fseeko64"]).surroundings().errno(),
    native("long ftell(FILE *)").aliases(&["ftello", "ftello64"]).surroundings().errno(),
    native("void rewind(FILE *)").surroundings().errno(),
    native("int fileno(FILE *)").surroundings().errno(),
    // The stream keeps the buffer and writes it later.
    native("int setvbuf(FILE *, char *, int, size_t)").writes_all().keeps().surroundings(),
    native("void setbuf(FILE *, char *)").writes_all().keeps().surroundings(),
    native("void setbuffer(FILE *, char *, size_t)").writes_all().keeps().surroundings(),
    native("void setlinebuf(FILE *)").surroundings(),
    // Every later call of a stream may come back into the program.
    unmodeled("FILE *fopencookie(void *, const char *, cookie_io_functions_t)").interleaves(),
    unmodeled("FILE *fmemopen(void *, size_t, const char *)").interleaves(),
    unmodeled("FILE *open_memstream(char **, size_t *)").interleaves().allocates(),
    unmodeled("int register_printf_function(int, void *, void *)").interleaves(),
    unmodeled("int register_printf_specifier(int, void *, void *)").interleaves(),
];
