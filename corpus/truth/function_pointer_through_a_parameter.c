/* A function is chosen through a pointer to a pointer.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int g; static void inc(void){ g++; } static void dec(void){ g--; }
static void sel(int k, void(**o)(void)){ if(k>0) *o=inc; else *o=dec; }
int f(int k){ void(*p)(void); sel(k,&p); g=0; p(); assert(g==1 || k!=-4);
 return 0; }
#ifdef TRUTH
int main(void){return f(-4);}
#endif
