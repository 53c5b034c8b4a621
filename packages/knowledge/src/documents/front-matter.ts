/** What stands at the head of a text about it. */
export interface FrontMatter {
  readonly metadata: Readonly<Record<string, string>>;
  /** Where it ends; 0 = there is none. */
  readonly end: number;
}

const NONE: FrontMatter = { metadata: {}, end: 0 };
/** What is longer is no front matter, but a text between two rules. */
const LONGEST = 65_536;
const PAIR = /^(\s*)([\w.-]{1,100})\s*[:=]\s*(.*)$/;
const ITEM = /^\s*-\s+(.*)$/;

/**
 * Reads the plain part of YAML or TOML at the head of a text: keys, keys below keys, lists.
 * Not the whole languages: front matter of strangers can have aliases that grow without end.
 */
export function readFrontMatter(text: string): FrontMatter {
  const mark = text.startsWith("---\n") ? "---" : text.startsWith("+++\n") ? "+++" : undefined;
  if (mark === undefined) return NONE;
  const head = text.slice(0, LONGEST);
  const close = head.indexOf(`\n${mark}`, 3);
  const after = close + 1 + mark.length;
  if (close === -1 || !(text.length === after || text[after] === "\n" || text[after] === " ")) return NONE;
  const lineEnd = text.indexOf("\n", after);
  return { metadata: readPairs(head.slice(4, close + 1)), end: lineEnd === -1 ? text.length : lineEnd };
}

function readPairs(source: string): Record<string, string> {
  const found = new Map<string, string>();
  let [above, last] = ["", ""];
  for (const line of source.split("\n")) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined && last !== "") {
      const value = toPlain(item);
      const before = found.get(last) ?? "";
      found.set(last, before === "" ? value : `${before}, ${value}`);
      continue;
    }
    const [, indent = "", key = "", value = ""] = PAIR.exec(line) ?? [];
    if (key === "") continue;
    if (indent === "") above = key.toLowerCase();
    last = indent === "" ? above : `${above}.${key.toLowerCase()}`;
    const plain = toPlain(value);
    if (plain !== "" || indent === "") found.set(last, plain);
  }
  return Object.fromEntries([...found].filter(([, value]) => value !== ""));
}

/** A value without quotes, comment and brackets. */
function toPlain(value: string): string {
  const text = value.trim();
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    if (end > 0) return text.slice(1, end);
  }
  const bare = /^[|>][+-]?$/.test(text) ? "" : text.replace(/(?:^|\s)#.*$/, "").trim();
  if (!bare.startsWith("[") || !bare.endsWith("]")) return bare;
  return bare
    .slice(1, -1)
    .split(",")
    .map((one) => one.trim().replaceAll(/^["']|["']$/g, ""))
    .filter((one) => one !== "")
    .join(", ");
}
