/* A function is called through a pointer whose parameter has another type.
   command: check FILE --timeout 10
   never:   bad-call *: holds
   truth:   C11 6.3.2.3p8: undefined
*/
static void set(int *p) { *p = 1; }
int g(void) { int x = 0; void (*f)(void *) = (void (*)(void *))set; f(&x); return x; }
