// Random testing for comparison: RandomCalls SECONDS CLASSES calls whatever can be called of the named classes, with small
// and edge values, objects that earlier calls gave, and nulls, for so many seconds of the thread's processor time. No call is
// judged; JaCoCo says what was covered. The same seed makes the same calls.

import java.lang.management.ManagementFactory;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public class RandomCalls {
    static final Random random = new Random(1);
    static final Map<Class<?>, List<Object>> pool = new HashMap<>();
    static final String[] TEXTS = {"", "a", "A", "0", "-1", "1.5", " ", "ab", "true", "null", "\n", "a,b", "\"x\"", "{}", "[1]", "2001-02-03"};
    static final int KEPT = 50;

    public static void main(String[] given) throws Exception {
        long limit = (long) (Double.parseDouble(given[0]) * 1e9);
        List<Executable> calls = new ArrayList<>();
        for (String name : Files.readAllLines(Path.of(given[1]))) {
            try {
                collect(Class.forName(name, true, RandomCalls.class.getClassLoader()), calls);
            } catch (Throwable left) {
                // A class that cannot be started has nothing to call.
            }
        }
        Thread caller = new Thread(null, () -> callAll(calls, limit), "calls", 64 << 20);
        caller.setDaemon(true);
        caller.start();
        // A call that does not return ends the run.
        caller.join(limit / 1_000_000 * 4 + 10_000);
        System.exit(0);
    }

    static void collect(Class<?> owner, List<Executable> calls) {
        List<Executable> own = new ArrayList<>(Arrays.asList(owner.getDeclaredMethods()));
        if (!Modifier.isAbstract(owner.getModifiers())) own.addAll(Arrays.asList(owner.getDeclaredConstructors()));
        own.sort(Comparator.comparing(Executable::toString));
        for (Executable call : own) {
            boolean isMain = call.getName().equals("main");
            if (Modifier.isPrivate(call.getModifiers()) || Modifier.isAbstract(call.getModifiers()) || call.isSynthetic() || isMain) continue;
            try {
                ((AccessibleObject) call).setAccessible(true);
                calls.add(call);
            } catch (RuntimeException closed) {
                // Not for us.
            }
        }
    }

    static void callAll(List<Executable> calls, long limit) {
        var clock = ManagementFactory.getThreadMXBean();
        while (!calls.isEmpty() && clock.getCurrentThreadCpuTime() < limit) {
            Executable call = calls.get(random.nextInt(calls.size()));
            try {
                Object[] values = new Object[call.getParameterCount()];
                for (int i = 0; i < values.length; i++) values[i] = value(call.getParameterTypes()[i], 0);
                if (call instanceof Constructor<?> made) keep(made.newInstance(values));
                else if (call instanceof Method method) {
                    Object on = Modifier.isStatic(method.getModifiers()) ? null : value(method.getDeclaringClass(), 0);
                    keep(method.invoke(on, values));
                }
            } catch (Throwable thrown) {
                // An outcome like any other.
            }
        }
    }

    static void keep(Object value) {
        if (value == null) return;
        List<Object> known = pool.computeIfAbsent(value.getClass(), it -> new ArrayList<>());
        if (known.size() < KEPT) known.add(value);
        else known.set(random.nextInt(KEPT), value);
    }

    static Object value(Class<?> type, int depth) {
        if (type == boolean.class || type == Boolean.class) return random.nextBoolean();
        if (type == char.class || type == Character.class) return random.nextInt(4) == 0 ? (char) random.nextInt(65536) : (char) (32 + random.nextInt(95));
        if (type == byte.class || type == Byte.class) return (byte) number();
        if (type == short.class || type == Short.class) return (short) number();
        if (type == int.class || type == Integer.class) return (int) number();
        if (type == long.class || type == Long.class) return number();
        if (type == float.class || type == Float.class) return (float) real();
        if (type == double.class || type == Double.class) return real();
        if (random.nextInt(10) == 0) return null;
        if (type == String.class || type == CharSequence.class || type == Comparable.class) return text();
        if (type == Object.class && random.nextBoolean()) return random.nextBoolean() ? text() : (Object) (int) number();
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), random.nextInt(4));
            for (int i = 0; i < Array.getLength(array); i++) Array.set(array, i, value(type.getComponentType(), depth + 1));
            return array;
        }
        if (type.isEnum() && type.getEnumConstants().length > 0) return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        List<Object> fitting = new ArrayList<>();
        for (Map.Entry<Class<?>, List<Object>> known : pool.entrySet()) if (type.isAssignableFrom(known.getKey())) fitting.addAll(known.getValue());
        if (!fitting.isEmpty() && random.nextInt(4) != 0) return fitting.get(random.nextInt(fitting.size()));
        if (type.isAssignableFrom(ArrayList.class)) return new ArrayList<>(Arrays.asList(text(), text()).subList(0, random.nextInt(3)));
        if (type.isAssignableFrom(HashMap.class)) return new HashMap<>(random.nextBoolean() ? Map.of() : Map.of(text(), text()));
        if (type.isInterface()) {
            return Proxy.newProxyInstance(RandomCalls.class.getClassLoader(), new Class<?>[] {type},
                (self, method, values) -> method.getReturnType() == void.class ? null : value(method.getReturnType(), 3));
        }
        Constructor<?>[] made = type.getDeclaredConstructors();
        if (made.length == 0 || depth > 3 || Modifier.isAbstract(type.getModifiers())) return null;
        try {
            Constructor<?> one = made[random.nextInt(made.length)];
            if (Modifier.isPrivate(one.getModifiers())) return null;
            one.setAccessible(true);
            Object[] values = new Object[one.getParameterCount()];
            for (int i = 0; i < values.length; i++) values[i] = value(one.getParameterTypes()[i], depth + 1);
            return one.newInstance(values);
        } catch (Exception thrown) {
            return null;
        }
    }

    static long number() {
        switch (random.nextInt(6)) {
            case 0: return random.nextLong();
            case 1: return new long[] {Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE}[random.nextInt(4)];
            default: return random.nextInt(21) - 5;
        }
    }

    static double real() {
        switch (random.nextInt(4)) {
            case 0: return new double[] {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE}[random.nextInt(5)];
            case 1: return random.nextGaussian() * 1e6;
            default: return random.nextInt(21) - 5;
        }
    }

    static String text() {
        if (random.nextBoolean()) return TEXTS[random.nextInt(TEXTS.length)];
        StringBuilder made = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) made.append((char) (32 + random.nextInt(95)));
        return made.toString();
    }
}
