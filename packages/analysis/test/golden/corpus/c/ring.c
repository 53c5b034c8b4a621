#include <stdbool.h>

typedef struct ring {
  unsigned head, tail;
  unsigned char bytes[256];
} ring_t;

static inline unsigned ring_next(unsigned at) { return (at + 1u) & 255u; }

bool ring_is_empty(void) { return ring.head == ring.tail; }

unsigned ring_copy(ring_t *to, const ring_t *from, unsigned count) {
  unsigned copied = 0;
  for (unsigned at = from->head; at != from->tail; at = ring_next(at)) {
    if (copied < count) {
      switch (from->bytes[at]) {
      case 0:
        break;
      case '\n':
        for (;;) {
          if (ring_next(to->tail) == to->head)
            break;
          to->bytes[to->tail++] = '\r';
        }
        break;
      }
      copied++;
    }
  }
  return copied;
}

bool ring_put(ring_t *ring, const unsigned char *bytes, unsigned count) {
  bool fits = true;
  while (count-- > 0 && fits)
    fits = ring_next(ring->tail) != ring->head;
  if (!fits)
    return false;
  else
    ring->bytes[ring->tail] = *bytes;
  return true;
}

void ring_log(const char *format, ...) {
  if (format[0] != '\0')
    vprint(format);
}
