/* A line that is read needs a place.
   command: check FILE --timeout 5
   never:   VERDICT: true
   truth:   what is read is written to nothing
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdio.h>
int main(void)
{
#ifdef TRUTH
    stdin = fopen("/proc/self/status", "r");
#endif
    fgets(0, 10, stdin);
    return 0;
}
