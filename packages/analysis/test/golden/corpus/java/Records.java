package archive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

public final class Records {
    sealed interface Shape permits Circle, Box, Group {}

    record Circle(double radius) implements Shape {}

    record Box(double width, double height) implements Shape {}

    record Group(List<Shape> shapes) implements Shape {}

    private Records() {}

    static double area(Shape shape) {
        return switch (shape) {
            case null -> 0;
            case Circle(double radius) when radius <= 0 -> 0;
            case Circle(double radius) -> Math.PI * radius * radius;
            case Box box when box.width() < 0 || box.height() < 0 -> throw new IllegalArgumentException("negative");
            case Box(double width, double height) -> width * height;
            case Group group -> group.shapes().stream().mapToDouble(inner -> area(inner)).sum();
        };
    }

    static String kind(Object value) {
        return switch (value) {
            case String text when text.isBlank() -> "blank";
            case String text -> "text";
            case Integer number -> number > 0 ? "positive" : "number";
            case null, default -> "other";
        };
    }

    static int read(Path path, List<String> into) {
        int lines = 0;
        try (BufferedReader reader = Files.newBufferedReader(path)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.isEmpty() || line.charAt(0) == '#') {
                    continue;
                }
                into.add(line);
                lines++;
            }
        } catch (NoSuchFileException | SecurityException missing) {
            return -1;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } finally {
            into.add("end");
        }
        return lines;
    }

    static <T> T retry(Callable<T> work, int most) throws Exception {
        Exception last = null;
        for (int attempt = 0; attempt < most; attempt++) {
            try {
                return work.call();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw stop;
            } catch (Exception fault) {
                if (last != null) {
                    fault.addSuppressed(last);
                }
                last = fault;
            }
        }
        throw last == null ? new IllegalArgumentException("no attempt") : last;
    }

    static int[] firstRepeat(int[][] rows) {
        outer:
        for (int[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                if (row[i] < 0) continue outer;
                for (int j = i + 1; j < row.length; j++) {
                    if (row[i] == row[j]) return new int[] {i, j};
                    if (row[j] == Integer.MAX_VALUE) break outer;
                }
            }
        }
        return new int[0];
    }

    static boolean isBalanced(String text) {
        Deque<Character> open = new ArrayDeque<>();
        for (char letter : text.toCharArray()) {
            switch (letter) {
                case '(', '[', '{' -> open.push(letter);
                case ')' -> {
                    if (open.isEmpty() || open.pop() != '(') return false;
                }
                case ']' -> {
                    if (open.isEmpty() || open.pop() != '[') return false;
                }
                case '}' -> {
                    if (open.isEmpty() || open.pop() != '{') return false;
                }
                default -> {}
            }
        }
        return open.isEmpty();
    }

    static long factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    static int depth(int level) {
        return depth(level, 64);
    }

    static int depth(int level, int most) {
        if (level >= most) {
            return most;
        }
        return depth(level + 1, most);
    }

    static int largest(int... numbers) {
        assert numbers.length > 0 : "no numbers";
        int largest = numbers[0];
        for (int number : numbers) if (number > largest) largest = number;
        return largest;
    }

    static int compare(String one, String other) {
        if (one == null) return other == null ? 0 : -1;
        else if (other == null) return 1;
        else for (int i = 0; i < Math.min(one.length(), other.length()); i++) {
            int difference = Character.compare(one.charAt(i), other.charAt(i));
            if (difference != 0) return difference;
        }
        return Integer.compare(one.length(), other.length());
    }

    static boolean mayEnter(int age, boolean isGuest, boolean isStaff) {
        return isStaff || age >= 18 && !isGuest || !(isGuest || age < 16) && age < 70;
    }

    static Function<String, Integer> counter(char wanted) {
        return text -> {
            int count = 0;
            for (char letter : text.toCharArray()) {
                if (letter == wanted) {
                    count++;
                }
            }
            return count;
        };
    }

    static void sortAll(List<int[]> lists) {
        lists.forEach(Arrays::sort);
    }

    static class Cache<K, V> {
        private final Object lock = new Object();
        private K key;
        private V value;

        V get(K wanted, Function<? super K, ? extends V> make) {
            synchronized (lock) {
                if (key == null || !key.equals(wanted)) {
                    value = make.apply(wanted);
                    key = wanted;
                }
                return value;
            }
        }

        @SuppressWarnings("unchecked")
        @Override
        public boolean equals(Object other) {
            if (this == other) return true;
            if (!(other instanceof Cache<?, ?> cache)) return false;
            return key != null && key.equals(cache.key);
        }

        @Override
        public int hashCode() {
            return key == null ? 0 : key.hashCode();
        }

        void spin(int turns) {
            while (turns-- > 0) {
                Thread.onSpinWait();
            }
        }
    }

    static String roman(int number) {
        record Step(int worth, String sign) {
            boolean fits(int rest) {
                return rest >= worth;
            }
        }
        StringBuilder text = new StringBuilder();
        for (Step step : List.of(new Step(10, "X"), new Step(9, "IX"), new Step(5, "V"), new Step(4, "IV"), new Step(1, "I"))) {
            while (step.fits(number)) {
                text.append(step.sign());
                number -= step.worth();
            }
        }
        return text.toString();
    }
}
