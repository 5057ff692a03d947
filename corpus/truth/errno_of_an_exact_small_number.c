/* strtod of a small number that is exact sets no errno.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (errno == ERANGE): holds
   truth:   glibc sets ERANGE only where digits are lost
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) { errno = 0; double d = strtod("0x1p-1074", 0); assert(d > 0); assert(errno == ERANGE); return 0; }
