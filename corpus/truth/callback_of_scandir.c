/* scandir calls a filter.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <assert.h>
static int n;
static int flt(const struct dirent*d){ n=1; return 0; }
int main(void){ struct dirent**l; scandir("/",&l,flt,0); assert(n==0);
 return 0; }
