/* strncmp gives a difference.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
int f(const char*a,int n){ if(!a||n!=1) return 0; int r=strncmp(a,"b",n); assert(r!=2);
 return 0; }
#ifdef TRUTH
int main(void){ volatile char x[2]="d"; volatile int n=1; return f((char*)x,n); }
#endif
