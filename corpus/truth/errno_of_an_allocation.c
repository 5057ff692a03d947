/* An allocation that fails sets errno.
   command: check FILE --malloc-may-fail --timeout 5 --function f
   never:   VERDICT: true
   truth:   there are not so many bytes
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#ifndef TRUTH
#define SIZE 4
#else
#define SIZE ((size_t)-1 / 4)
#endif
int f(void) { errno = 0; int *p = malloc(SIZE); assert(errno == 0); free(p); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
