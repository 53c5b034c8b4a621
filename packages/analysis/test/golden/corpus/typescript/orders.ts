interface Line {
  readonly article: string;
  readonly count: number;
  readonly price: number;
  readonly gift?: boolean;
}

interface Customer {
  readonly country?: string;
  readonly isMember: boolean;
  readonly points: number;
}

export function total(lines: readonly Line[]): number {
  let sum = 0;
  for (const { count, price } of lines) sum += count * price;
  return sum;
}

export function discount(customer: Customer, sum: number): number {
  if (customer.isMember && customer.points > 100 && sum > 20) {
    return sum * 0.1;
  } else if (sum > 500 || customer.points > 1000) {
    return sum * 0.05;
  } else {
    return 0;
  }
}

export function shipping(country: string): number {
  switch (country) {
    case "AT":
    case "DE":
      return 5;
    case "CH":
      return 12;
    default:
      return 25;
  }
}

export function parcels(lines: Line[], limit: number): Line[][] {
  const all: Line[][] = [];
  let current: Line[] = [];
  for (const line of lines) {
    for (let rest = line.count; rest > 0; rest--) {
      if (current.length === limit) {
        all.push(current);
        current = [];
      }
      current.push(line);
    }
  }
  return current.length > 0 ? [...all, current] : all;
}

export function vat(country: string | undefined, isBook: boolean): number {
  return country === "AT" ? (isBook ? 0.1 : 0.2) : country === "DE" ? 0.19 : 0;
}

export function firstGift(lines: readonly Line[]): Line | undefined {
  return lines.find((line) => line.gift === true && line.count > 0);
}

export function cheapest(lines: readonly Line[]): Line | undefined {
  let found: Line | undefined;
  let index = 0;
  while (index < lines.length) {
    const line = lines[index++];
    if (line === undefined) continue;
    if (!found || line.price < found.price) found = line;
  }
  return found;
}

export function label(line: Line, language = "en", { short = false } = {}): string {
  const name = line.article?.trim?.() ?? line.article;
  return short ? name : `${line.count} x ${name} (${language})`;
}

export function normalise(customer: { name?: string; tags?: string[]; vip?: boolean }): void {
  customer.name ??= "unknown";
  customer.tags ||= [];
  customer.vip &&= customer.tags.includes("vip");
}

export function parsePrice(text: string): number {
  try {
    const value = JSON.parse(text);
    if (typeof value !== "number") throw new TypeError("no number");
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return Number.NaN;
    throw error;
  } finally {
    console.log("done");
  }
}

export async function retry<T>(task: () => Promise<T>, times: number): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (--times <= 0) throw error;
    }
  }
}

export function settle(accounts: Map<string, number>, from: string, to: string, sum: number): boolean {
  const balance = accounts.get(from);
  if (balance === undefined || (balance < sum && !(from === "bank" || to === "bank"))) return false;
  accounts.set(from, balance - sum);
  accounts.set(to, (accounts.get(to) ?? 0) + sum);
  return true;
}
