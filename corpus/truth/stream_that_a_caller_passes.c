/* A stream is made by the library: no caller has one that it did not make.
   command: check FILE --timeout 5 --function f
   never:   VERDICT: false
   truth:   every stream that there is can be written or fails with a result
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
#include <stdlib.h>
void f(FILE *stream) { if (stream) fprintf(stream, "x"); }
#ifdef TRUTH
int main(void) { f(stderr); f(tmpfile()); f(fopen("/dev/full", "w")); abort(); }
#endif
