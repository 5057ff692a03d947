/* Where registers lie is said by the program: one may begin where another ends.
   command: check FILE --assertions-only --timeout 5 --function f
   never:   assertion*: holds
   truth:   the second is behind the first
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#define FIRST ((volatile int *)0x40010000)
#define SECOND ((volatile int *)0x40010004)
void f(void) { assert(SECOND != FIRST + 1); }
#ifdef TRUTH
int main(void) { f(); return 0; }
#endif
