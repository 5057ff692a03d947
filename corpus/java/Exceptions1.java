/** Throwing, catching, finally. */
public class Exceptions1 {
    static class Mine extends Exception { final int code; Mine(int code) { super("code " + code); this.code = code; } }
    static class Yours extends Mine { Yours(int code) { super(code * 2); } }
    static int catchDivision(int a, int b) { try { return a / b; } catch (ArithmeticException e) { return e.getMessage().length(); } }
    static int catchIndex(int[] a, int i) { try { return a[i]; } catch (ArrayIndexOutOfBoundsException e) { return -1; } catch (NullPointerException e) { return -2; } }
    static String message(int i) { try { int[] a = new int[3]; a[i] = 1; return "fine"; } catch (RuntimeException e) { return e.getMessage(); } }
    static int thrown(int n) throws Mine { if (n > 100) throw new Yours(n); if (n > 10) throw new Mine(n); return n; }
    static int caughtMine(int n) { try { return thrown(n); } catch (Yours e) { return -e.code; } catch (Mine e) { return e.code; } }
    static int finallyRuns(int a, int b) { int r = 0; try { r = a / b; } catch (ArithmeticException e) { r = 7; } finally { r += 100; } return r; }
    static int finallyOverrides(int a) { try { if (a > 0) throw new IllegalStateException(); return 1; } finally { if (a > 5) return 2; } }
    static int nestedTry(int a, int b) { try { try { return a / b; } finally { a++; } } catch (ArithmeticException e) { return a; } }
    static int rethrow(int a) { try { return 10 / a; } catch (ArithmeticException e) { throw new IllegalArgumentException("bad", e); } }
    static String cause(int a) { try { return "" + rethrow(a); } catch (IllegalArgumentException e) { return e.getMessage() + e.getCause().getMessage(); } }
    static int loopWithTry(int[] a) { int s = 0; for (int i = 0; i < 5; i++) { try { s += a[i]; } catch (IndexOutOfBoundsException e) { s += 100; continue; } finally { s++; } } return s; }
    static int throwNull(int n) { RuntimeException e = n > 0 ? null : new RuntimeException("x"); throw e; }
    static int multiCatch(int n) { try { if (n == 0) throw new IllegalStateException("a"); if (n < 0) throw new UnsupportedOperationException("b"); return n; } catch (IllegalStateException | UnsupportedOperationException e) { return e.getMessage().charAt(0); } }
    static class Res implements AutoCloseable { static int closed; final int n; Res(int n) { this.n = n; } public void close() { closed++; if (n > 50) throw new IllegalStateException("close"); } }
    static int resources(int n) { int before = Res.closed; try (Res r = new Res(n); Res q = new Res(n / 2)) { if (n < 0) throw new RuntimeException("body"); before -= 10; } catch (RuntimeException e) { return e.getMessage().length() * 1000 + Res.closed - before; } return Res.closed - before; }
    static int deepThrow(int n) { if (n <= 0) throw new RuntimeException("deep"); return deepThrow((n & 15) - 1) + 1; }
    static class Broken { static final int V = Integer.parseInt("12x"); }
    static String describe(Object o) { return o.toString(); }
    static int parse(String s) { return Integer.parseInt(s); }
    static int parsed(String s) { try { return Integer.parseInt(s); } catch (NumberFormatException e) { return s == null ? -2 : -1; } }
    static String errorText(int n) { try { Object o = n > 0 ? "s" : null; return o.toString() + (10 / n); } catch (NullPointerException e) { return "null"; } catch (Exception e) { return e.toString(); } }
    static int assertion(int n) { assert n > 0 : "positive"; return n; }
    static int custom(int n) throws Mine { throw n > 0 ? new Mine(n) : new Yours(n); }
}
