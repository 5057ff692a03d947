/* No unsigned number comes before 0.
   command: gen FILE --no-exec --criterion boundary --timeout 5 -v
   never:   x is one below 0u*covered
   truth:   0 is the smallest
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(unsigned x) { return x == 0u; }
#ifdef TRUTH
int main(void) { unsigned x = 0; if (x - 1 > x) abort(); return 0; }
#endif
