#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace store::core {

template <typename T>
class Stack : public Container {
 public:
  explicit Stack(std::size_t room) : room_(room > 0 ? room : 1) {}

  Stack(const Stack&) = delete;

  ~Stack() {
    while (!items_.empty()) items_.pop_back();
  }

  bool operator==(const Stack& other) const { return room_ == other.room_ && items_ == other.items_; }

  explicit operator bool() const { return !items_.empty(); }

  void push(const T& item);
  T pop();

  // Passing on to another overload is no recursion.
  int find(const T& item) const { return find(item, 0); }

  int find(const T& item, int from) const {
    if (from >= size()) return -1;
    if (items_[from] == item) return from;
    return from > 1000 ? -1 : find(item, from + 1) + this->offset();
  }

 private:
  std::vector<T> items_;
  std::size_t room_;
};

template <typename T>
void Stack<T>::push(const T& item) {
  if (items_.size() == room_) {
    if constexpr (kGrows) room_ *= 2;
  }
  items_.push_back(item);
}

template <typename T>
T Stack<T>::pop() try {
  T item = items_.back();
  items_.pop_back();
  return item;
} catch (const std::out_of_range& error) {
  throw StackError(error);
} catch (...) {
  throw;
}

template <typename T>
T& Stack<T>::operator[](int index) {
  if (index < 0 or index >= size()) throw std::out_of_range("index");
  return items_[index];
}

}  // namespace store::core
