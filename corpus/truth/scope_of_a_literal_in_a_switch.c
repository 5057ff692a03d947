/* The body of a switch is a block, with which a literal ends.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the object has ended
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
int f(unsigned char k)
{
    int *p = 0;
    switch (k)
    case 4:
        p = (int[]){ k };
    return p ? *p : 0;
}
#ifdef TRUTH
int main(void) { return f(4) * 0; }
#endif
