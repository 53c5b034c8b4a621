/** What can stand in a chain; in one at a time. */
export interface Linked<Item> {
  chain: object | undefined;
  before: Item | undefined;
  after: Item | undefined;
}

/** Things in order, of which any can leave at once. A set would walk over all that have left to find its first. */
export class Chain<Item extends Linked<Item>> {
  first: Item | undefined;
  last: Item | undefined;
  size = 0;

  /** Puts something that stands in no chain at the end. */
  add(item: Item): void {
    item.chain = this;
    item.before = this.last;
    if (this.last === undefined) this.first = item;
    else this.last.after = item;
    this.last = item;
    this.size += 1;
  }

  /** Takes something out; false = it does not stand here. */
  delete(item: Item): boolean {
    if (item.chain !== this) return false;
    const { before, after } = item;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
    item.chain = undefined;
    item.before = undefined;
    item.after = undefined;
    this.size -= 1;
    return true;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let item = this.first; item !== undefined; item = item.after) yield item;
  }
}
