/* A goal that only a null pointer reaches, in a function that asks for an array.
   command: gen FILE --no-exec --timeout 10
   never:   a == 0 is true: infeasible
   truth:   a caller passes null all the same
*/
int f(int a[static 2]) { if (a == 0) return 1; return a[1]; }
