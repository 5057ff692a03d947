/* A function is in a structure that a call returns.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct o { int (*f)(int); };
static int g1(int x){ assert(x!=3); return x; }
static int g2(int x){ return x; }
static struct o mk(int k){ struct o r; if(k) r.f=g1; else r.f=g2; return r; }
int main(void){ struct o r=mk(1); return r.f(3)*0; }
