/* After Ferguson and Korel, with arrays of length 3 as in Gotlieb, Botella and Rueher (ISSTA 1998). */
int sample(int *a, int *b, int target)
{
    int i = 0, fa = 0, fb = 0, out;
    while (i < 3) {
        if (a[i] == target)
            fa = 1;
        i = i + 1;
    }
    if (fa == 1) {
        i = 0;
        fb = 1;
        while (i < 3) {
            if (b[i] != target)
                fb = 0;
            i = i + 1;
        }
    }
    if (fb == 1)
        out = 1;
    else
        out = 0;
    return out;
}
