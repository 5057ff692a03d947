/* A standard stream is written to after it was closed.
   command: check FILE --timeout 10
   never:   VERDICT: true
   truth:   C11 7.21.3p4: the value of the pointer is indeterminate then
*/
#include <stdio.h>
int f(void) { fclose(stdout); putchar('x'); return 0; }
