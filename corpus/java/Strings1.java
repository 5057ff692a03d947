/** String and StringBuilder as the JDK has them. */
public class Strings1 {
    static int length(String s) { return s.length(); }
    static char charAt(String s, int i) { return s.charAt(i); }
    static String concat(String a, String b) { return a + b; }
    static String mixed(int a, long b, char c, boolean d, String e) { return a + "," + b + "," + c + "," + d + "," + e; }
    static String substring(String s, int i, int j) { return s.substring(i, j); }
    static int indexOf(String s, char c) { return s.indexOf(c); }
    static int indexOfText(String s, String t) { return s.indexOf(t); }
    static boolean equals(String a, String b) { return a.equals(b); }
    static int compare(String a, String b) { return a.compareTo(b); }
    static int hash(String s) { return s.hashCode(); }
    static String reverse(String s) { return new StringBuilder(s).reverse().toString(); }
    static String upper(String s) { char[] c = s.toCharArray(); for (int i = 0; i < c.length; i++) if (c[i] >= 'a' && c[i] <= 'z') c[i] -= 32; return new String(c); }
    static String cases(String s) { return s.length() > 0 && s.charAt(0) > 127 ? s : s.toUpperCase() + s.toLowerCase(); }
    static String trim(String s) { return s.trim(); }
    static boolean startsEnds(String s, String t) { return s.startsWith(t) || s.endsWith(t); }
    static String replace(String s, char a, char b) { return s.replace(a, b); }
    static boolean contains(String s, String t) { return s.contains(t); }
    static boolean isEmpty(String s) { return s.isEmpty(); }
    static String valueOf(int n) { return String.valueOf(n); }
    static String ofLong(long n) { return Long.toString(n); }
    static String hex(int n) { return Integer.toHexString(n); }
    static String radix(int n, int r) { return Integer.toString(n, r); }
    static String builder(int n) { StringBuilder b = new StringBuilder(); for (int i = 0; i < (n & 31); i++) b.append(i).append(i % 3 == 0 ? 'x' : ';'); b.insert(0, "<").setLength(Math.min(b.length(), 40)); return b.toString(); }
    static String deleted(String s, int i) { return new StringBuilder(s).deleteCharAt(i).toString(); }
    static boolean palindrome(String s) { int i = 0, j = s.length() - 1; while (i < j) if (s.charAt(i++) != s.charAt(j--)) return false; return true; }
    static int vowels(String s) { int n = 0; for (char c : s.toCharArray()) if ("aeiou".indexOf(c) >= 0) n++; return n; }
    static String wide(String s) { return s + "\u20ac" + s.length() + "\ud83d\ude00"; }
    static String repeat(String s, int n) { return s.repeat(n & 7); }
    static boolean equalsIgnoreCase(String a, String b) { return a.equalsIgnoreCase(b); }
    static String ofDouble(double d) { return "" + d; }
    static String ofFloat(float f) { return String.valueOf(f); }
    static String joined(String a, String b) { return String.join("-", a, b); }
    static boolean interned(int n) { String a = "lit"; String b = n > 0 ? "lit" : "other"; return a == b; }
    static int digits(String s) { int r = 0; for (int i = 0; i < s.length(); i++) if (Character.isDigit(s.charAt(i))) r = r * 10 + (s.charAt(i) - '0'); return r; }
    static boolean letter(char c) { return Character.isLetter(c) && !Character.isUpperCase(c) || Character.isWhitespace(c); }
}
