/* What the library allocates for its caller may be lost like other memory.
   command: check FILE --leak --timeout 5
   never:   VERDICT: true
   truth:   the line is allocated and nothing points to it
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *line = 0;
    size_t size = 0;
    getline(&line, &size, stdin);
#ifdef TRUTH
    if (line) abort();
#endif
    line = 0;
    return 0;
}
