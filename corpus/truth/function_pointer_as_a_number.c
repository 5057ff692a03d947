/* A function is called by a number.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int g; static void inc(void){ g++; }
int main(void){ long v=(long)inc; g=0; ((void(*)(void))v)(); assert(g==0);
 return 0; }
