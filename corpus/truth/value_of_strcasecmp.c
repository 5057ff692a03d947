/* strcasecmp is not 1.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <strings.h>
int f(const char*a){ if(!a) return 0; int r=strcasecmp(a,"b"); assert(r<=1);
 return 0; }
#ifdef TRUTH
int main(void){ volatile char x[2]="d"; return f((char*)x); }
#endif
