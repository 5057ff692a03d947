/* strtod of a small number that is exact sets no errno.
   command: gen FILE --function f --timeout 10
   never:   (disagreement)
   truth:   glibc sets ERANGE only where digits are lost, so no run of the compiled program has it
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int f(int x) { errno = 0; double d = strtod(x ? "0x1p-1074" : "0x8p-1074", 0); if (errno == ERANGE) return 1; return d > 0; }
#ifdef TRUTH
int main(void) { errno = 0; strtod("0x1p-1074", 0); assert(errno == ERANGE); return 0; }
#endif
