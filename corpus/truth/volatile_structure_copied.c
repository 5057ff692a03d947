/* Two copies of a volatile structure may differ.
   command: gen FILE --no-exec --timeout 10
   never:   x.b != y.b is true: infeasible
   truth:   an interrupt changes it between the two copies
*/
struct s { int a, b; };
volatile struct s gs;
int f(void) { struct s x = gs; struct s y = gs; if (x.b != y.b) return 1; return 0; }
