import { expect, test } from "vitest";
import { escapeHtml, html } from "../../../src/html/index.js";

test("escaped text cannot end an element or an attribute", () => {
  expect(escapeHtml(`<script>alert("1")</script>' & more`)).toBe(
    "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; &amp; more",
  );
});

test("characters that turn or hide text become visible, and line breaks stay", () => {
  expect(escapeHtml("a\u{202e}b\nc\u{0}d\u{200b}e\u{feff}f\u{2066}g")).toBe(
    "a\\u{202e}b\nc\\u{0}d\\u{200b}e\\u{feff}f\\u{2066}g",
  );
  expect(escapeHtml("lone \ud800 half")).toBe("lone \\u{d800} half");
});

test("letters and emoji of any language are unchanged", () => {
  expect(escapeHtml("übung/日本語/שלום.ts 👩‍👧")).toBe("übung/日本語/שלום.ts 👩‍👧");
});

test("a template escapes texts, joins lists and leaves out what is missing", () => {
  const items = ["<a>", "b"].map((name) => html`<li>${name}</li>`);
  expect(html`<ul title="${'"'}">${items}${undefined}${false}${null}${0}</ul>`.text).toBe(
    '<ul title="&quot;"><li>&lt;a&gt;</li><li>b</li>0</ul>',
  );
});
