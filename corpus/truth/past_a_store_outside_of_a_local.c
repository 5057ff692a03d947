/* A store behind an array changes a local variable.
   command: gen FILE --no-exec --timeout 10
   never:   b == 5 is true: infeasible
   truth:   the variable lies near the array
   judge:   gcc -w -O0 -fno-stack-protector -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int i) { int b = 0; int a[4] = {0}; a[i] = 5; if (b == 5) return a[1] + 1; return 0; }
#ifdef TRUTH
int main(void) { for (int i = 4; i < 8; i++) if (f(i)) abort(); return 0; }
#endif
