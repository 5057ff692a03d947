/* A function is chosen by two conditions.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int a(int x){ assert(x<5); return 1; }
static int b(int x){ return 2; }
static int c(int x){ return 3; }
int f(int k){ int(*p)(int) = k==1?a:k==2?b:c; return p(k+5); }
#ifdef TRUTH
int main(void){return f(1);}
#endif
