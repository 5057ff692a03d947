import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.TreeSet;

/** What runs of a batch come by, and which exceptions leave its methods. */
public class Probes {
  static final boolean[] hits = new boolean[100000];
  static final TreeSet<String> thrown = new TreeSet<>();
  static URL classes;

  public static void hit(int number) {
    hits[number] = true;
  }

  /** The line of the batch where an exception began; those of the library began where it was called. */
  public static void thrown(Throwable exception) {
    if (exception instanceof ExceptionInInitializerError && exception.getCause() != null) {
      exception = exception.getCause();
    }
    StackTraceElement[] frames = exception.getStackTrace();
    for (int i = 0; i < frames.length; i++) {
      if (frames[i].getClassName().startsWith("Batch")) {
        int line = frames[i].getLineNumber();
        thrown.add(line + " " + exception.getClass().getSimpleName());
        if (i > 0) thrown.add(line + " library");
        return;
      }
    }
  }

  /** Classes of a batch, initialized anew. */
  static Class<?> fresh() throws Exception {
    ClassLoader loader = new URLClassLoader(new URL[] {classes}, Probes.class.getClassLoader()) {
      @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("Batch")) return super.loadClass(name, resolve);
        Class<?> found = findLoadedClass(name);
        return found != null ? found : findClass(name);
      }
    };
    loader.setDefaultAssertionStatus(true);
    return loader.loadClass("Batch");
  }

  static Class<?> shared;

  static void run(String driver, long count, long step, boolean isFresh) throws Exception {
    for (long from = 0; from < count; from += isFresh ? step : count) {
      Class<?> batch = isFresh ? fresh() : shared;
      java.lang.reflect.Method method = batch.getDeclaredMethod(driver, long.class, long.class);
      method.setAccessible(true);
      method.invoke(null, from, isFresh ? from + 1 : count);
    }
  }

  public static void main(String[] args) throws Exception {
    classes = new File(args[0]).toURI().toURL();
    shared = fresh();
    /* calls */
    for (int i = 0; i < hits.length; i++) if (hits[i]) System.out.println("hit " + i + " 1 1");
    for (String place : thrown) System.out.println("undefined " + place);
  }
}
