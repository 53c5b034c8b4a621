import { expect, test } from "vitest";
import { escapeHtml } from "./escape.js";

test("escape leaves nothing that could end an element or an attribute", () => {
  expect(escapeHtml(`<script>alert("1")</script>' & more`)).toBe(
    "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; &amp; more",
  );
});

test("escape shows signs that turn, hide or break text", () => {
  expect(escapeHtml("a\u{202e}b\nc\u{0}d\u{200b}e\u{feff}f\u{2066}g")).toBe(
    "a\\u{202e}b\\u{a}c\\u{0}d\\u{200b}e\\u{feff}f\\u{2066}g",
  );
  expect(escapeHtml("lone \ud800 half")).toBe("lone \\u{d800} half");
});

test("escape leaves letters of any language alone", () => {
  expect(escapeHtml("übung/日本語/שלום.ts")).toBe("übung/日本語/שלום.ts");
});
