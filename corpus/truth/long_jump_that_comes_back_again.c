/* setjmp returns several times.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <setjmp.h>
#include <assert.h>
static jmp_buf b; static int k;
static void in(int d){ if(d==0) longjmp(b,k); in(d-1); }
int f(int x){ volatile int n=0; int r=setjmp(b); n++; if(r<3){ k=r+1; in(2);} assert(n==1);
 return n; }
#ifdef TRUTH
int main(void){return f(1);}
#endif
