/* A function is a variable argument.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdarg.h>
static int g; static void inc(void){ assert(g!=0); }
static void call(int n,...){ va_list ap; va_start(ap,n); void(*p)(void)=va_arg(ap,void(*)(void)); va_end(ap); p(); }
int main(void){ call(1,inc); return 0; }
