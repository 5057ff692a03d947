//! C that every runtime of generated tests has: memory that a test gives away or has at an address, standard
//! input, files, and allocations that fail.
//!
//! A macro, because texts are put together where only literals can be.

macro_rules! memory_and_input {
    () => {
        r#"void *glassbox_allocated(const void *start, unsigned long size)
{
    void *copy = malloc(size);
    if (!copy)
        abort();
    return memcpy(copy, start, size);
}

void glassbox_map(unsigned long address, unsigned long size)
{
    /* Sanitizers have some addresses for themselves: a test that needs one of those fails, the others run. */
    void *start = (void *)address;
    void *mapped = mmap(start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped != start && mapped != MAP_FAILED)
        munmap(mapped, size);
}

void glassbox_stdin(const char *bytes, unsigned long n_bytes)
{
    /* A pipe holds all that a test gives; without a buffer nothing is left over for the next test. */
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], bytes, n_bytes) != (ssize_t)n_bytes
        || dup2(ends[0], STDIN_FILENO) < 0)
        abort();
    close(ends[0]);
    close(ends[1]);
    setvbuf(stdin, NULL, _IONBF, 0);
    clearerr(stdin);
}

"#
    };
}

macro_rules! failing_allocations {
    () => {
        r#"/* Numbers of allocations that give null, from the next one on. */
static unsigned long failing[64], n_allocations;
static int n_failing;

void glassbox_fail_allocations(int count, ...)
{
    va_list numbers;
    va_start(numbers, count);
    n_allocations = 0;
    for (n_failing = 0; n_failing < count && n_failing < 64; n_failing++)
        failing[n_failing] = (unsigned long)va_arg(numbers, int);
    va_end(numbers);
}

#ifdef GLASSBOX_ALLOCATIONS
/* The linker sends the calls of the sources under test here (-Wl,--wrap). */
static int allocation_fails(void)
{
    int i;
    n_allocations++;
    for (i = 0; i < n_failing; i++)
        if (failing[i] == n_allocations) {
            errno = ENOMEM;
            return 1;
        }
    return 0;
}
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *start, size_t size);
void *__real_reallocarray(void *start, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    int is_impossible = size != 0 && count > (size_t)-1 / size;
    return !is_impossible && allocation_fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *start, size_t size)
{
    int is_free = start && size == 0;
    return !is_free && allocation_fails() ? NULL : __real_realloc(start, size);
}
void *__wrap_reallocarray(void *start, size_t count, size_t size)
{
    int is_impossible = size != 0 && count > (size_t)-1 / size;
    int is_free = start && count * size == 0;
    return !is_impossible && !is_free && allocation_fails() ? NULL
                                                            : __real_reallocarray(start, count, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return allocation_fails() ? NULL : __real_aligned_alloc(alignment, size);
}
char *__wrap_strdup(const char *text)
{
    return allocation_fails() ? NULL : __real_strdup(text);
}
char *__wrap_strndup(const char *text, size_t size)
{
    return allocation_fails() ? NULL : __real_strndup(text, size);
}
#endif

"#
    };
}

macro_rules! files {
    () => {
        r#"#ifdef GLASSBOX_FILES
/* The linker sends the calls of the sources under test, and those of this file, to stand-ins (-Wl,--wrap). */
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int file, const char *mode);
FILE *__real_tmpfile(void);
#define GLASSBOX_REAL_FDOPEN __real_fdopen
#else
#define GLASSBOX_REAL_FDOPEN fdopen
#endif

static FILE *open_contents(const char *bytes, unsigned long n_bytes, const char *mode)
{
    /* A file without a name: where the tests run, or where temporary files are. */
    char here[] = "glassbox-XXXXXX", elsewhere[] = "/tmp/glassbox-XXXXXX";
    char *path = here;
    int file = mkstemp(path);
    if (file < 0)
        file = mkstemp(path = elsewhere);
    if (file < 0 || unlink(path) != 0 || write(file, bytes, n_bytes) != (ssize_t)n_bytes
        || lseek(file, 0, SEEK_SET) != 0)
        abort();
    return GLASSBOX_REAL_FDOPEN(file, mode);
}

void *glassbox_stream(const char *bytes, unsigned long n_bytes)
{
    return open_contents(bytes, n_bytes, "r+");
}

static struct { const char *bytes; unsigned long n_bytes; } found_files[64];
static int n_found_files, next_file;

void glassbox_files(int count, ...)
{
    va_list files;
    va_start(files, count);
    next_file = 0;
    for (n_found_files = 0; n_found_files < count && n_found_files < 64; n_found_files++) {
        found_files[n_found_files].bytes = va_arg(files, const char *);
        found_files[n_found_files].n_bytes = (unsigned long)va_arg(files, int);
    }
    va_end(files);
}

#ifdef GLASSBOX_FILES
static FILE *open_found(const char *mode)
{
    int number = next_file++;
    if (!found_files[number].bytes) {
        errno = ENOENT;
        return NULL;
    }
    return open_contents(found_files[number].bytes, mode[0] == 'w' ? 0 : found_files[number].n_bytes, mode);
}
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return next_file < n_found_files ? open_found(mode) : __real_fopen(path, mode);
}
FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}
FILE *__wrap_fdopen(int file, const char *mode)
{
    return next_file < n_found_files ? open_found(mode) : __real_fdopen(file, mode);
}
FILE *__wrap_tmpfile(void)
{
    return next_file < n_found_files ? open_found("w+") : __real_tmpfile();
}
#endif

"#
    };
}

pub(crate) use {failing_allocations, files, memory_and_input};
