import { expect, test } from "vitest";
import { ESCAPES, literal, quote, shell, type Value } from "../../src/rendering/filters.js";

const escape = (filter: string, value: Value): string | undefined => ESCAPES[filter]?.(value);

test("texts are quoted for JSON, TOML and YAML, with every control character escaped", () => {
  expect(quote('say "hi"\n\u007f\u2028')).toBe('"say \\"hi\\"\\n\\u007f\\u2028"');
  expect(quote(undefined)).toBe('""');
});

test("values become literals", () => {
  expect([true, 7, "a", ["a", "b"], []].map(literal)).toEqual(["true", "7", '"a"', '["a", "b"]', "[]"]);
});

test("a shell reads one word", () => {
  expect(shell("it's $HOME")).toBe(`'it'\\''s $HOME'`);
});

test("make, XML and Markdown show a text literally", () => {
  expect(escape("make", "$(x) # no\nmore")).toBe("$$(x) \\# no more");
  expect(escape("xml", `<a b="c">&'\u0000`)).toBe("&#60;a b=&#34;c&#34;&#62;&#38;&#39;");
  expect(escape("markdown", "# *a* [b](c)")).toBe("\\# \\*a\\* \\[b\\](c)");
  expect(escape("markdown", "1. one")).toBe("1\\. one");
  expect(escape("one_line", "a\r\nb\tc")).toBe("a b c");
});
