// Members behind two pointers, and a global root.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct tree {
    struct tree *left, *right;
    long key;
    double weight;
};
struct tree *root;
int n_changes;
void f(long key) {
    if (!root || !root->left || !root->left->right)
        return;
    root->left->right->key = key;
    root->left->weight = 2.5;
    n_changes = 1;
    assert(root->left->right->key == key && n_changes == 1);
    root->key = 0;
    assert(root->left->weight == 2.5 && root->left->right->key == PICK((root->left->right == root ? 0 : key), key));
}
