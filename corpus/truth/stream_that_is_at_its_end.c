/* A caller may have read a stream to its end, and to where a read fails.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   feof(s) is true: infeasible: 
   truth:   it is true for a stream that was read before
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
int f(FILE *s) { if (feof(s)) return 1; return 0; }
#ifdef TRUTH
int main(void) { FILE *s = tmpfile(); getc(s); if (f(s) == 1) abort(); return 0; }
#endif
