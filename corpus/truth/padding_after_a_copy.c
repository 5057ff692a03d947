/* A copy of a structure need not copy the bytes between members.
   command: gen FILE --no-exec --timeout 10
   never:   b[1] != d[1] is true: infeasible
   truth:   C11 6.2.6.1p6: padding takes unspecified values when a value is stored into a structure
*/
struct s { char c; int i; };
static struct s g, h;
int f(void) { g = h; unsigned char *b = (unsigned char *)&g, *d = (unsigned char *)&h; if (b[1] != d[1]) return 1; return 0; }
