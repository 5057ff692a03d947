/* A function is copied byte by byte.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
static int g; static void inc(void){ g++; }
int main(void){ void(*p)(void)=inc; unsigned char b[8]; memcpy(b,&p,8); void(*q)(void); for(int i=0;i<8;i++) ((unsigned char*)&q)[i]=b[i]; g=0; q(); assert(g==0);
 return 0; }
