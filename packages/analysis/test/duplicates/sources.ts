/** A function of nine lines, as somebody might write it. */
export const TOTAL = `export function total(orders: Order[], rate: number): number {
  let sum = 0;
  for (const order of orders) {
    if (order.cancelled || order.count === 0) continue;
    const price = order.price * order.count;
    sum += price > 100 ? price * (1 - rate) : price;
  }
  return Math.round(sum * 100) / 100;
}
`;

/** The same with other names and numbers. */
export const WEIGHT = `export function weight(parcels: Parcel[], loss: number): number {
  let kilos = 0;
  for (const parcel of parcels) {
    if (parcel.lost || parcel.pieces === 1) continue;
    const load = parcel.grams * parcel.pieces;
    kilos += load > 250 ? load * (3 - loss) : load;
  }
  return Math.round(kilos * 10) / 10;
}
`;

/** A function of fourteen lines. */
export const LIMIT = `export function limit(list: number[]): number {
  let sum = 0;
  for (const each of list) {
    if (each > 10 && each < 100) {
      sum += each * 2;
    } else {
      sum -= each;
    }
  }
  while (sum > 1000) {
    sum = sum / 2;
  }
  return sum;
}
`;

/** Something else of about that size. */
export const PATHS = `export class Paths {
  readonly #known = new Map<string, string>();

  add(name: string, target: string): this {
    if (this.#known.has(name)) throw new Error(name);
    this.#known.set(name, target);
    return this;
  }

  async *walk(): AsyncGenerator<string> {
    for (const [name, target] of this.#known) yield await Promise.resolve(\`\${name}=\${target}\`);
  }
}
`;
