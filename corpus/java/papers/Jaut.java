/** The programs of JAUT (ISSRE 2010) whose sources are known or could be put together again. */
public class Jaut {
    static class Chrono {
        int time;
    }

    static class Coord {
        int x;
        int y;

        Coord(int cx, int cy) {
            x = cx;
            y = cy;
        }

        /** The arguments of the first constructor call are swapped: the paper's fault. */
        public Coord moveY(Chrono chrono, int speed) {
            if (chrono.time <= 0 || speed <= 0) return this;
            int ytemp = y + chrono.time * speed;
            chrono.time = 0;
            if (ytemp > 65536) {
                ytemp = 65536;
                return new Coord(ytemp, x);
            } else return new Coord(x, ytemp);
        }
    }

    static int a = 1;

    /** How often the loop turns is fixed by the goal: i is 42. */
    public static int foo(int i) {
        int j = 10;
        while (i > a) {
            i--;
            j++;
        }
        if (j == 51) return 1;
        return 0;
    }

    static int trityp(int i, int j, int k) {
        int t;
        if (i == 0 || j == 0 || k == 0) t = 4;
        else {
            t = 0;
            if (i == j) t += 1;
            if (i == k) t += 2;
            if (j == k) t += 3;
            if (t == 0) {
                if (i + j <= k || j + k <= i || i + k <= j) t = 4;
                else t = 1;
            } else if (t > 3) t = 3;
            else if (t == 1 && i + j > k) t = 2;
            else if (t == 2 && i + k > j) t = 2;
            else if (t == 3 && j + k > i) t = 2;
            else t = 4;
        }
        return t;
    }

    static class Node {
        int key;
        Node next;
    }

    /** Josephus' problem on a circular list. */
    static void josephus(int n, int m) {
        int i;
        Node t, x;
        t = new Node();
        t.key = 1;
        x = t;
        i = 2;
        while (i <= n) {
            t.next = new Node();
            t = t.next;
            t.key = i;
            i++;
        }
        t.next = x;
        while (t != t.next) {
            i = 1;
            while (i < m) {
                t = t.next;
                i++;
            }
            t.next = t.next.next;
        }
    }

    /** The last node has key 41 and 31 survives: n is 41, and m is 3, 7 or 135 below 200. */
    static boolean josephusGoal(int n, int m) {
        int i;
        Node t, x;
        t = new Node();
        t.key = 1;
        x = t;
        i = 2;
        while (i <= n) {
            t.next = new Node();
            t = t.next;
            t.key = i;
            i++;
        }
        Node end = t;
        t.next = x;
        while (t != t.next) {
            i = 1;
            while (i < m) {
                t = t.next;
                i++;
            }
            t.next = t.next.next;
        }
        return end.key == 41 && t.key == 31;
    }

    /** A doubly linked list: the four methods that the paper measured, by their names. */
    static class DoublyLinkedList {
        static class Link {
            int key;
            Link before;
            Link next;

            void insertBefore(Link other) {
                if (other == null) return;
                if (before != null) {
                    before.next = other;
                    other.before = before;
                }
                other.next = this;
                before = other;
            }
        }

        Link first;
        Link last;
        int size;

        Link pop() {
            if (last == null) return null;
            Link popped = last;
            last = popped.before;
            if (last == null) first = null;
            size--;
            return popped;
        }

        void add(Link link) {
            if (link == null) return;
            if (first == null) {
                first = link;
                last = link;
            } else {
                link.before = last;
                last.next = link;
                last = link;
            }
            if (link.key < 0) size += 2;
            else size++;
        }

        boolean remove(int key) {
            for (Link at = first; at != null; at = at.next) {
                if (at.key == key) {
                    if (at.before != null) at.before.next = at.next;
                    else first = at.next;
                    if (at.next != null) at.next.before = at.before;
                    else last = at.before;
                    size--;
                    return true;
                }
            }
            return false;
        }
    }
}
