/* An optimizer knows more sizes of objects.
   command: check FILE --assertions-only --no-exec --timeout 10 -- -O2
   never:   assertion (__builtin_object_size(p, 0) == -1): holds
   truth:   it is inlined, and the size is 8
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
static inline __attribute__((always_inline)) int f(char *p) { assert(__builtin_object_size(p, 0) == -1); return 0; }
int g(char *p) { return f(p); }
#ifdef TRUTH
int main(void) { char a[8]; return f(a); }
#endif
