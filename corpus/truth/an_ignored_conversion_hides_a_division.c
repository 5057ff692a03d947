/* What comes behind a finding that is ignored was not looked at.
   command: check FILE --timeout 10 --no-exec --lossy-conversion
   never:   division-by-zero*: holds
   truth:   f(300) divides by zero
   judge:   gcc -w -DTRUTH, and the program aborts
*/
int f(int x) {
    unsigned char c = x; // glassbox: ignore lossy-conversion only the low byte is wanted
    return c / (x - 300);
}
#ifdef TRUTH
int main(void) { return f(300); }
#endif
