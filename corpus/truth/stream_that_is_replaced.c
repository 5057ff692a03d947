/* A standard stream is no stream any more.
   command: check FILE --timeout 10
   never:   VERDICT: true
   truth:   the program crashes
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
int f(void) { stdout = NULL; putchar('x'); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
