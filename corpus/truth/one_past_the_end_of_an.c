/* One past the end of an array never equals the next array.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (p!=q && r!=s): holds
   truth:   assertion fails: C11 6.5.9p6 allows it and gcc places them so
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int a[2], b[2];
int main(void) { int *p = a+2, *q = b, *r = b+2, *s = a; assert(p!=q && r!=s); return 0; }
