/* The body of a loop is a block, with which a literal ends.
   command: check FILE --function f --timeout 20
   never:   VERDICT: true
   truth:   the object has ended
   judge:   gcc -w -DTRUTH -fsanitize=address, and the program aborts
*/
int f(unsigned char k)
{
    int *p = 0;
    do
        p = &(int){ k };
    while (k++ < 5);
    return *p;
}
#ifdef TRUTH
int main(void) { return f(1) * 0; }
#endif
