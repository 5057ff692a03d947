/* More memory than there can be is an error, too.
   command: check FILE --assertions-only --timeout 5
   never:   VERDICT: true
   truth:   calloc sets errno where the product does not fit
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) { volatile size_t n = -1; errno = 0; void *p = calloc(n, 16); assert(p || errno == 0); return 0; }
