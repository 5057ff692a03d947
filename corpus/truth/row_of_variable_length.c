/* A row of variable length ends where the next one begins.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   the index is outside of its row
   judge:   gcc -w -DTRUTH -fsanitize=undefined -fno-sanitize-recover=all, and the program aborts
*/
int f(unsigned char k)
{
    int n = (k & 3) + 1, m[3][n];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i;
    return m[1][n];
}
#ifdef TRUTH
int main(void) { return f(1) * 0; }
#endif
