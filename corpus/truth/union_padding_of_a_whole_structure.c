/* A structure is stored into a union: the bytes between its members need not be those of the source.
   command: gen FILE --no-exec --timeout 10
   never:   x.bytes[1] != y.bytes[1] is true: infeasible
   truth:   C11 6.2.6.1p6
*/
union u { struct s { char a; int b; } s; unsigned char bytes[8]; };
static union u x, y;
int f(void) { x.s = y.s; if (x.bytes[1] != y.bytes[1]) return 1; return 0; }
