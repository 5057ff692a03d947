/* A function goes through a union.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int g; static void inc(void){ g++; }
union u { void(*f)(void); long l; };
int main(void){ union u x; x.f=inc; union u y; y.l=x.l; g=0; y.f(); assert(g==0);
 return 0; }
