/* The environment is in the memory that the program gave.
   command: check FILE --leak --timeout 5
   never:   VERDICT: false
   truth:   the block is still used
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *entry = malloc(8);
    if (!entry) return 0;
    strcpy(entry, "A=b");
    putenv(entry);
#ifdef TRUTH
    if (getenv("A") == entry + 2) abort();
#endif
    return 0;
}
