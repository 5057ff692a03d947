/* What comes behind a wrap that is ignored was not looked at.
   command: check FILE --timeout 10 --no-exec --unsigned-wrap
   never:   division-by-zero*: holds
   truth:   f(0xfffffff0u) divides by zero
   judge:   gcc -w -DTRUTH, and the program aborts
*/
unsigned f(unsigned x) {
    unsigned h = x * 31u; // glassbox: ignore unsigned-wrap a hash
    return h / (x ^ 0xfffffff0u);
}
#ifdef TRUTH
int main(void) { return f(0xfffffff0u); }
#endif
