import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { getEncoding } from "js-tiktoken";
import { expect, test } from "vitest";
import { estimateTokens } from "../../../src/context/estimate-tokens.js";

const encoding = getEncoding("cl100k_base");
const real = (text: string): number => encoding.encode(text).length;

const CORPUS = path.join(import.meta.dirname, "../../golden/corpus");

test.each(readdirSync(CORPUS))("the estimate is no less than the tokens of sources in %s", (folder) => {
  const root = path.join(CORPUS, folder);
  for (const name of readdirSync(root)) {
    const text = readFileSync(path.join(root, name), "utf8");
    for (let at = 0; at < text.length; at += 2000) {
      const part = text.slice(at, at + 2000);
      if (part.length > 500) expect([name, at, estimateTokens(part) >= real(part)]).toEqual([name, at, true]);
    }
  }
});

test.each([
  "",
  "a",
  "const x = 1;",
  "計算總價格と合計金額を返す",
  "Հաշվիչ հաշվել թիվ",
  "😀😀😀🏳️‍🌈",
  '{"path":"src/a.ts","lines":12,"used_by":3,"declares":["1 f(a)"]}',
  "\n\n\n    \t  \n",
  "1234567890123456789",
])("%j has no more tokens than estimated", (text) => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
});

test.each([
  "計算總價格と合計金額を返す。顧客の注文を読み込み、在庫を確認します。",
  "用户登录后读取订单列表并计算总价，然后检查库存。",
  "주문의 총 금액을 계산하고 결과를 반환합니다",
  "class РасчётСтоимости { вычислитьСумму(заказы, скидка) } function проверитьОстатки(склад)",
])("%j has no more tokens than estimated, and the estimate is near", (text) => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
  expect(estimateTokens(text)).toBeLessThan(real(text) * 2);
});

test("the estimate is not far above the truth for code", () => {
  const text = readFileSync(path.join(CORPUS, "typescript/orders.ts"), "utf8");
  expect(estimateTokens(text)).toBeLessThan(real(text) * 1.2);
});
