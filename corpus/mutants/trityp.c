/* DeMillo and Offutt's program, as QSIC 2006 mutates it: 1 scalene, 2 isosceles, 3 equilateral, 4 no triangle. */
int trityp(int i, int j, int k) {
    int tri;
    if (i <= 0 || j <= 0 || k <= 0) return 4;
    tri = 0;
    if (i == j) tri = tri + 1;
    if (i == k) tri = tri + 2;
    if (j == k) tri = tri + 3;
    if (tri == 0) {
        if (i + j <= k || j + k <= i || i + k <= j) tri = 4;
        else tri = 1;
        return tri;
    }
    if (tri > 3) tri = 3;
    else if (tri == 1 && i + j > k) tri = 2;
    else if (tri == 2 && i + k > j) tri = 2;
    else if (tri == 3 && j + k > i) tri = 2;
    else tri = 4;
    return tri;
}
