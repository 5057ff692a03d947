/* The smallest number is no index, whatever it is multiplied with.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the access is outside of its object
   judge:   gcc -w -DTRUTH -fsanitize=address,undefined -fno-sanitize-recover=all, and the program aborts
*/
static int table[4] = { 1, 2, 3, 4 };
int f(int l)
{
    if (l > -2147483647)
        return 0;
    return table[l];
}
#ifdef TRUTH
int main(void) { return f(-2147483647 - 1); }
#endif
