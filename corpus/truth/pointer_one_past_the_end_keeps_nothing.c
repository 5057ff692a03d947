/* For valgrind and LeakSanitizer a pointer one past the end of memory does not keep it: it is lost.
   command: check FILE --leak --timeout 10
   never:   leak *: holds
   truth:   the memory is lost
*/
#include <stdlib.h>
char *end;
int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    end = p + 4;
    p = 0;
    return 0;
}
