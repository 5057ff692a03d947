/* longjmp with a buffer that no setjmp has filled.
   command: check FILE --timeout 10
   never:   VERDICT: true
   truth:   the program crashes
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <setjmp.h>
static jmp_buf buffer;
int f(void) { longjmp(buffer, 1); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
