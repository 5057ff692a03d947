/* Four times a large number is zero in 64 bits, and still outside.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the access is outside of its object
   judge:   gcc -w -DTRUTH -fsanitize=address,undefined -fno-sanitize-recover=all, and the program aborts
*/
static int table[4] = { 1, 2, 3, 4 };
int f(unsigned long i)
{
    if (i < 0x4000000000000000)
        return 0;
    return table[i];
}
#ifdef TRUTH
int main(void) { return f(0x4000000000000000); }
#endif
