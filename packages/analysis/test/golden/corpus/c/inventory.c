#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 16
#define each_item(each, head) for (each = (head); each != NULL; each = each->next)

struct item {
  int id;
  int stock;
  double price;
  struct item *next;
};

size_t count_items(const struct item *head) {
  size_t count = 0;
  for (; head != NULL; head = head->next)
    count++;
  return count;
}

static struct item *find_item(struct item *head, int id) {
  while (head != NULL) {
    if (head->id == id && head->stock > 0)
      return head;
    head = head->next;
  }
  return NULL;
}

const char *price_band(double price) {
  if (price < 0.0)
    return "wrong";
  else if (price < 10.0)
    return "low";
  else if (price < 100.0 || price == 1000.0)
    return "middle";
  else
    return "high";
}

/* Two labels of one case are two ways into it. */
double tax_of(int kind, double price) {
  switch (kind) {
  case 1:
  case 2:
    return price * 0.07;
  case 3:
    return price > 100.0 ? price * 0.19 : 0.0;
  default:
    return price * 0.19;
  }
}

/* The definition of 1978: the types of the parameters stand below. */
int reorder_level(sold, days)
  int sold;
  int days;
{
  if (days == 0)
    return 0;
  return sold / days > CAPACITY ? CAPACITY : sold / days;
}

int load_items(const char *path, struct item **items) {
  FILE *file = fopen(path, "r");
  if (file == NULL)
    goto failed;
  *items = calloc(CAPACITY, sizeof(struct item));
  if (*items == NULL)
    goto close;
  if (fread(*items, sizeof(struct item), CAPACITY, file) == 0)
    goto release;
  fclose(file);
  return 0;
release:
  free(*items);
close:
  fclose(file);
failed:
  return errno_of(path) ?: -1;
}

static void drain(struct item *item, int wanted) {
  do {
    item->stock--;
    wanted--;
  } while (wanted > 0 && item->stock > 0);
}

static int depth_of(const struct item *item) {
  if (item == NULL)
    return 0;
  return 1 + depth_of(item->next);
}

/* Which branch is built is settled before the program runs; the code of both is here. */
static void log_item(const struct item *item) {
#if defined(VERBOSE) && VERBOSE > 1
  if (item->stock == 0)
    fprintf(stderr, "out of stock: %d\n", item->id);
#else
  if (item->id < 0)
    fprintf(stderr, "no id\n");
#endif
}

int (*comparison(int kind))(const void *, const void *) {
  return tables[kind];
}

static int is_sellable(const struct item *item, int day) {
  return item->stock > 0 && item->price > 0.0 && (day < 6 || day == 14) && !(item->id == 13 && day == 13);
}
