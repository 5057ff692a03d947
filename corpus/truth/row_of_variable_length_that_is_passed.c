/* A row of a parameter ends where the next one begins.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the index is outside of its row
   judge:   gcc -w -DTRUTH -fsanitize=undefined -fno-sanitize-recover=all, and the program aborts
*/
static int g(int n, int (*m)[n]) { return m[0][n]; }
int f(void)
{
    int m[3][4] = { { 0 } };
    return g(4, m);
}
#ifdef TRUTH
int main(void) { return f(); }
#endif
