/* The comparison is taken from a table by an index.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
static int calls;
static int c1(const void*a,const void*b){ calls |= 1; return *(const int*)a - *(const int*)b; }
static int c2(const void*a,const void*b){ calls |= 2; return *(const int*)b - *(const int*)a; }
static int (*tab[2])(const void*,const void*) = {c1,c2};
int f(unsigned i){ int a[3]={2,1,3}; calls = 0; qsort(a,3,sizeof(int),tab[i&1]); assert(calls != 2);
 return a[0]; }
#ifdef TRUTH
int main(void){return f(1);}
#endif
