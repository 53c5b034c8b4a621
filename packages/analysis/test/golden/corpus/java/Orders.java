package shop;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

public class Orders {
    private static final Map<String, Integer> RATES = new HashMap<>();
    private static final Comparator<Order> BY_TOTAL = (one, other) -> one.total() > other.total() ? 1 : -1;

    private final List<Order> orders = new ArrayList<>();
    private int opened;

    static {
        for (String country : List.of("at", "de", "fr")) {
            RATES.put(country, country.equals("fr") ? 20 : 19);
        }
    }

    {
        if (RATES.isEmpty()) {
            throw new IllegalStateException("no rates");
        }
    }

    public Orders() {
        this(List.of());
    }

    public Orders(List<Order> given) {
        for (Order order : given) {
            if (order != null) {
                orders.add(order);
            }
        }
    }

    public record Line(String article, int count, long cents) {
        public Line {
            if (count <= 0 || cents < 0) {
                throw new IllegalArgumentException("a line needs a count and a price");
            }
        }

        public Line(String article) {
            this(article, 1, 0);
        }

        long total() {
            return count * cents;
        }
    }

    public interface Priced {
        long total();

        default boolean isFree() {
            return total() == 0;
        }

        default String label(String currency) {
            if (isFree()) {
                return "free";
            } else {
                return BigDecimal.valueOf(total(), 2) + " " + currency;
            }
        }
    }

    public record Order(String customer, List<Line> lines, Status status) implements Priced {
        @Override
        public long total() {
            long sum = 0;
            for (Line line : lines) {
                sum += line.total();
            }
            return sum;
        }
    }

    public enum Status {
        OPEN {
            @Override
            boolean mayBecome(Status next) {
                return next == PAID || next == CANCELLED;
            }
        },
        PAID {
            @Override
            boolean mayBecome(Status next) {
                return next == SENT;
            }
        },
        SENT,
        CANCELLED;

        boolean mayBecome(Status next) {
            return false;
        }

        static Status of(String name) {
            for (Status status : values()) {
                if (status.name().equalsIgnoreCase(name)) {
                    return status;
                }
            }
            return OPEN;
        }
    }

    public Optional<Order> find(String customer, Predicate<? super Order> isWanted) {
        return orders.stream()
                .filter(order -> order.customer().equals(customer) && isWanted.test(order))
                .max(BY_TOTAL);
    }

    public long revenue(boolean withTax, String country) {
        long sum = 0;
        for (int i = 0; i < orders.size(); i++) {
            Order order = orders.get(i);
            if (order.status() == Status.CANCELLED) {
                continue;
            }
            sum += order.total();
        }
        return withTax ? sum * (100 + RATES.getOrDefault(country, 0)) / 100 : sum;
    }

    public int discount(Order order, boolean isMember, int years) {
        if (order.isFree()) {
            return 0;
        }
        int percent = 0;
        if (isMember) {
            if (years > 10) {
                percent = 15;
            } else if (years > 5) {
                percent = 10;
            } else {
                percent = 5;
            }
        }
        return order.total() > 100_000 && order.lines().size() > 3 ? percent + 2 : percent;
    }

    public String describe(Order order) {
        switch (order.status()) {
            case OPEN:
            case PAID:
                return "in work";
            case SENT:
                return "on its way";
            default:
                return "gone";
        }
    }

    public int weight(Status status) {
        return switch (status) {
            case OPEN, PAID -> 2;
            case SENT -> {
                int weight = opened > 10 ? 3 : 1;
                yield weight;
            }
            case CANCELLED -> 0;
        };
    }

    public Runnable cleaner(int most) {
        return new Runnable() {
            private int runs;

            @Override
            public void run() {
                runs++;
                if (runs > most) {
                    return;
                }
                orders.removeIf(order -> order.status() == Status.CANCELLED || order.isFree());
            }
        };
    }

    public synchronized void open(Order... added) {
        int i = 0;
        do {
            if (i >= added.length) break;
            orders.add(added[i]);
            opened++;
        } while (++i < added.length);
    }
}
