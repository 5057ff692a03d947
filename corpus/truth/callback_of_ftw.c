/* ftw calls a function for each file.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _XOPEN_SOURCE 500
#include <ftw.h>
#include <assert.h>
static int n;
static int v(const char*p,const struct stat*s,int t){ n=1; return 1; }
int main(void){ ftw("/",v,3); assert(n==0);
 return 0; }
