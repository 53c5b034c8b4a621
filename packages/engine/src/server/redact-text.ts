const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g;
const LOGIN_IN_URL = /(:\/\/[^\s/?#:@"'`]*):[^\s/?#"'`]+@/g;
// A digit tells a credential from prose such as "Basic authentication".
const SCHEME = /\b(Bearer|Basic)[ \t]{1,4}(?=[\w.~+/-]{0,256}\d)[\w.~+/-]{8,}={0,2}/gi;
const KNOWN_KEYS = new RegExp(
  `(?<![\\w-])(?:${[
    "sk-[\\w-]{16,}",
    "[rs]k_(?:live|test)_\\w{16,}",
    "whsec_\\w{16,}",
    "gh[opsur]_\\w{20,}",
    "github_pat_\\w{20,}",
    "glpat-[\\w-]{16,}",
    "xox[abeoprs]-[\\w-]{10,}",
    "(?:AKIA|ASIA)[A-Z0-9]{16}",
    "AIza[\\w-]{30,}",
    "ya29\\.[\\w-]{20,}",
    "npm_\\w{30,}",
    "pypi-[\\w-]{20,}",
    "SG\\.[\\w-]{16,}\\.[\\w-]{16,}",
    "hf_\\w{20,}",
    "dop_v1_\\w{32,}",
    "shpat_\\w{20,}",
    "AGE-SECRET-KEY-1\\w{20,}",
  ].join("|")})`,
  "g",
);

/** Blanks what looks like a credential by itself, whatever stands around it: keys, tokens, passwords in addresses. */
export function withoutCredentials(text: string, mark: string): string {
  let rest = text;
  if (BEGIN.test(rest)) rest = rest.replace(PRIVATE_KEY, mark);
  if (rest.includes("eyJ")) rest = rest.replace(JSON_WEB_TOKEN, mark);
  if (rest.includes("://")) rest = rest.replace(LOGIN_IN_URL, `$1:${mark}@`);
  return rest.replace(SCHEME, `$1 ${mark}`).replace(KNOWN_KEYS, mark);
}

const PAIR = /(?<![\w.-])([\w.-]+)((?:\\?["'])?[ \t]{0,3}(?:=>|[:=])[ \t]{0,3})/g;
const FLAG = /(?<![\w-])--([\w-]+)[ \t](?!-)/g;
const QUOTE = /\\?["'`]/y;
const HEADER = /authorization|cookie/i;
const WORD = /[^\s"'`,;&)}\]<>\\]+/y;
const LINE = /[^\r\n"'`]+/y;
/** What follows a name and a colon where nothing but its state is told: "token: required, but missing". */
const PROSE =
  /^(?:an?|and|array|be|boolean|cannot|could|empty|expected|expired|false|for|has|have|in|integer|invalid|is|missing|must|no|none|not|null|number|object|of|or|required|should|string|the|true|undefined|unknown|was|wrong)$/i;

/** Blanks the values of pairs such as `token=…`, `"apiKey": "…"` and `--password …`, whose name says that they are secrets. */
export function withoutPairs(text: string, hides: (name: string, value: unknown) => boolean, mark: string): string {
  const paired = text.includes(":") || text.includes("=") ? replaceValues(text, PAIR, hides, mark) : text;
  return paired.includes("--") ? replaceValues(paired, FLAG, hides, mark) : paired;
}

function replaceValues(
  text: string,
  pattern: RegExp,
  hides: (name: string, value: unknown) => boolean,
  mark: string,
): string {
  let written = "";
  let done = 0;
  for (const { 0: pair, 1: name = "", 2: sign = "", index } of text.matchAll(pattern)) {
    const from = index + pair.length;
    // The value of one pair may look like another pair.
    if (index < done || !hides(name.slice(-100), undefined)) continue;
    // What is measured here is passed over, so that no value is measured twice.
    if (text[from] === "[" || text[from] === "{" || text.startsWith(mark, from)) continue;
    const [start, end] = valueAt(text, from, HEADER.test(name.slice(-100)));
    const value = text.slice(start, end);
    const isState = sign.includes(":") && start === from && PROSE.test(value.slice(0, 20));
    if (value === "" || isState || value.startsWith(mark) || !hides(name.slice(-100), value)) continue;
    written += text.slice(done, start) + mark;
    done = end;
  }
  return written + text.slice(done);
}

/** Where the value begins and ends: inside its quotes, or before the next space; of a header, at the end of the line. */
function valueAt(text: string, from: number, isHeader: boolean): [start: number, end: number] {
  const quote = matchAt(QUOTE, text, from);
  const start = from + quote.length;
  if (quote === "") return [start, start + matchAt(isHeader ? LINE : WORD, text, start).length];
  let close = text.indexOf(quote, start);
  // An escaped quote belongs to the value; where the backslash is a sign like any other, too much is better than too little.
  while (text[close - 1] === "\\") close = text.indexOf(quote, close + 1);
  return [start, close === -1 ? text.length : close];
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
