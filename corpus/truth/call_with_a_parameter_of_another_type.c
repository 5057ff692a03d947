/* A function is called through a pointer whose parameter has another type.
   command: check FILE --timeout 10
   never:   bad-call *: holds
   truth:   C11 6.3.2.3p8: undefined
   judge:   clang-19 -w -fsanitize=function -fno-sanitize-recover=all -DTRUTH, and the program aborts
*/
static void set(int *p) { *p = 1; }
int g(void) { int x = 0; void (*f)(void *) = (void (*)(void *))set; f(&x); return x; }
#ifdef TRUTH
int main(void) { return g() - 1; }
#endif
