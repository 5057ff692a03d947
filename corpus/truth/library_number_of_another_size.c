/* A format has to fit its arguments.
   command: check FILE --timeout 5 --function f
   never:   VERDICT: true
   truth:   4294967295 is printed where -1 is given
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(int x) { printf("%lld\n", x); return 0; }
#ifdef TRUTH
int main(void) { char text[40]; snprintf(text, sizeof text, "%lld", -1); if (strcmp(text, "-1")) abort(); return 0; }
#endif
