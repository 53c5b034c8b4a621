/** Files by their paths. */
type Files = Readonly<Record<string, string>>;

/** A project in TypeScript with a secret wherever one could stand. */
export const SHOP: Files = {
  "package.json": `{ "name": "shop", "scripts": { "build": "tsc --token SECRET-1", "test": "vitest" }, "workspaces": ["packages/*"] }`,
  ".env": "KEY=SECRET-2\n",
  "src/index.ts": `export { Cart } from "./cart.js";\nexport const key = "SECRET-3";\n`,
  "src/cart.ts": `import { Money } from "./money.js";\nexport class Cart {\n  #items: string[] = [];\n  /** SECRET-4 */\n  add(name: string, label = "SECRET-5"): void {}\n  private drop() {}\n}\n`,
  "src/money.ts": `export type Money = { amount: number; currency: string };\nexport const parse = (text: string): Money => ({ amount: 1, currency: \`SECRET-6\` });\n`,
  "src/tax.ts": `import { parse } from "./money.js";\nexport function tax(rate = 0.2) { return parse("SECRET-7"); }\n`,
  "tests/cart.test.ts": `import { Cart } from "../src/cart.js";\nexport const check = () => new Cart();\n`,
};

/** A project of many files with long names in several languages. */
export const WIDE: Files = Object.fromEntries(
  Array.from({ length: 150 }, (_, index): [string, string] => {
    const name = `handleIncomingShipmentNotification${index}`;
    if (index % 3 === 0)
      return [
        `services/part${index % 7}/${name}.py`,
        `def ${name}(payload: dict, *, retries: int = 3) -> None:\n    pass\n`,
      ];
    if (index % 3 === 1)
      return [
        `core/part${index % 5}/${name}.go`,
        `package part\n\nfunc Handle${index}(ctx context.Context, id string) (*Shipment, error) { return nil, nil }\n`,
      ];
    return [
      `web/part${index % 4}/${name}.ts`,
      `export interface Shipment${index} { readonly id: string; readonly weight: number }\nexport async function ${name}(shipment: Shipment${index}): Promise<void> {}\n`,
    ];
  }),
);

/** Names that no tokenizer has words for, and that nobody should print. */
export const STRANGE: Files = {
  "größe/文件名字很长很长.ts":
    "export function 计算总价格(数量: number, 单价: number): number { return 数量 * 单价; }\n",
  "emoji/😀😀😀.py": "def xkqzjwvptbnmlkh(aqwzsxedcrfv, zzzzqqqq):\n    return 1\n",
  "line\nbreak.ts": "export const ΑΒΓΔΕΖΗΘ = 1;\n",
  "հայերեն/ֆայլ.ts": "export class Հաշվիչ { հաշվել(թիվ: number): number { return թիվ; } }\n",
};
