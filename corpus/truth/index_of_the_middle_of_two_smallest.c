/* The middle of two smallest numbers is outside.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the access is outside of its object
   judge:   gcc -w -DTRUTH -fsanitize=address,undefined -fno-sanitize-recover=all, and the program aborts
*/
static int table[4] = { 1, 2, 3, 4 };
int f(int l, int r)
{
    if (l > r || r > -2147483647)
        return 0;
    int m = l + (r - l) / 3;
    return table[m];
}
#ifdef TRUTH
int main(void) { return f(-2147483647 - 1, -2147483647 - 1); }
#endif
