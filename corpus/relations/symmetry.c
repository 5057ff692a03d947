/* Programs of the papers on symmetric testing (ISSRE 2003, QSIC 2006), each with twins that break its symmetry. */

int mid(int x, int y, int z) {
    int mid = z;
    if (y < z) {
        if (x < y) mid = y;
        else if (x < z) mid = x;
    } else {
        if (x > y) mid = y;
        else if (x > z) mid = x;
    }
    return mid;
}

/* A path is missing. */
int mid_1(int x, int y, int z) {
    int mid = z;
    if (y < z) {
        if (x < y) mid = y;
        else if (x < z) mid = x;
    } else {
        if (x > y) mid = y;
    }
    return mid;
}

int mid_2(int x, int y, int z) {
    int mid = z;
    if (y == z) {
        if (x < y) mid = y;
        else if (x < z) mid = x;
    } else {
        if (x > y) mid = y;
        else if (x > z) mid = x;
    }
    return mid;
}

void sort(int *a) {
    for (int i = 1; i < 4; i++) {
        int moved = a[i], j = i;
        while (j > 0 && a[j - 1] > moved) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = moved;
    }
}

/* Not sorted, but a permutation all the same. */
void sort_nothing(int *a) {
    int first = a[0];
    a[0] = first;
}

void copy(int *to, const int *from) {
    for (int i = 0; i < 3; i++) to[i] = from[i];
}

void copy_1(int *to, const int *from) {
    for (int i = 0; i < 2; i++) to[i] = from[i];
}

int replace_all(int *a, int old, int new) {
    int found = 0;
    for (int i = 0; i < 4; i++)
        if (a[i] == old) {
            a[i] = new;
            found = 1;
        }
    return found;
}

int replace_first(int *a, int old, int new) {
    for (int i = 0; i < 4; i++)
        if (a[i] == old) {
            a[i] = new;
            return 1;
        }
    return 0;
}

short get_index_0(const short *a) {
    for (short i = 0; i < 5; i++)
        if (a[i] == 0) return i;
    return -1;
}

short get_index_0_1(const short *a) {
    for (short i = 0; i < 5; i++)
        if (a[i] == 0) return i / 2;
    return -1;
}

short array_find_byte(const signed char *src, signed char pattern) {
    for (short i = 0; i < 4; i++)
        if (src[i] == pattern) return i;
    return -1;
}

/* The last byte is not looked at. */
short array_find_byte_1(const signed char *src, signed char pattern) {
    for (short i = 0; i < 3; i++)
        if (src[i] == pattern) return i;
    return -1;
}

static void put(signed char *b, signed char value) {
    if (value > b[0]) {
        b[2] = b[1];
        b[1] = b[0];
        b[0] = value;
    } else if (value > b[1]) {
        b[2] = b[1];
        b[1] = value;
    } else if (value > b[2]) {
        b[2] = value;
    }
}

void max3(const signed char *a, signed char *b) {
    b[0] = b[1] = b[2] = -128;
    for (int i = 0; i < 4; i++) put(b, a[i]);
}

void max3_1(const signed char *a, signed char *b) {
    b[0] = b[1] = b[2] = -128;
    for (int i = 0; i < 4; i++)
        if (a[i] > b[0]) put(b, a[i]);
}
