#include <map>
#include <optional>
#include <string>

namespace {

struct Order {
  int id;
  double total;
  bool paid;
};

bool operator<(const Order& left, const Order& right) { return left.id < right.id; }

double open_total(const std::vector<Order>& orders) {
  double total = 0;
  for (const auto& order : orders) {
    if (!order.paid && order.total > 0) {
      total += order.total;
    } else {
      continue;
    }
  }
  return total;
}

std::optional<Order> lookup(const std::map<int, Order>& orders, int id) {
  if (auto found = orders.find(id); found != orders.end())
    return found->second;
  else if (id == 0)
    return Order{};
  return std::nullopt;
}

}  // namespace

// The lambdas count here, one level deeper.
std::string report(std::vector<Order>& orders, bool brief = false) {
  std::sort(orders.begin(), orders.end(), [](const Order& left, const Order& right) {
    if (left.paid != right.paid) return left.paid;
    return left.total < right.total;
  });
  const auto line = [&](const Order& order) -> std::string {
    return brief ? order.name() : order.name() + (order.paid ? " paid" : " open");
  };
  std::string text;
  for (const auto& order : orders) text += line(order);
  return text;
}

// A method of a local class stands on its own; what it has is still read inside the function around it.
int summarise(const std::vector<Order>& orders) {
  struct Counter {
    int count = 0;
    void add(const Order& order) {
      if (order.paid) count++;
    }
  };
  Counter counter;
  for (const auto& order : orders) counter.add(order);
  return counter.count;
}

const auto kIsLarge = [](const Order& order) { return order.total > 1000 || order.id == 1; };

bool retry(Client& client, int times) {
  int tries = 0;
again:
  try {
    client.send();
  } catch (const Timeout& error) {
    if (++tries < times) goto again;
    return false;
  } catch (const Refused&) {
    switch (client.state()) {
      case State::open:
      case State::half_open:
        goto again;
      default:
        break;
    }
  }
  return true;
}

template <class T>
constexpr T clamp(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}

extern "C" {
int order_count(void) { return orders.size(); }
}
