/* The function behind `signbit` gives any number but zero.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (__signbit(x) == 1): holds
   truth:   it fails for f(-1.0)
   judge:   gcc -w -fno-builtin -DTRUTH, and the program aborts
*/
#include <assert.h>
int __signbit(double);
int f(double x) { if (x < 0) assert(__signbit(x) == 1); return 0; }
#ifdef TRUTH
int main(void) { return f(-1.0); }
#endif
