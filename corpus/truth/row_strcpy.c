/* strcpy writes beyond a row of an array.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=3 -DTRUTH, and the program aborts
*/
#include <string.h>
int f(unsigned i) { char rows[2][4] = {"", ""}; if (i > 1) return 0; strcpy(&rows[i][0], "abcd"); return rows[1][1]; }
#ifdef TRUTH
int main(void) { volatile unsigned i = 0; return f(i) == 77; }
#endif
