//! C that every runtime of generated tests has: memory that a test gives away or has at an address, and standard input.
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

pub(crate) use memory_and_input;
