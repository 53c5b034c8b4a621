const PRIVATE_KEY_HEADER = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g;
const URL_PASSWORD = /(:\/\/[^\s/?#:@"'`]*):[^\s/?#"'`]+@/g;
const AUTH_SCHEME = /\b(Bearer|Basic)([ \t]{1,4}|%20|\+)([\w.~+/-]{8,}={0,2})/gi;
const KNOWN_KEY_FORMATS = new RegExp(
  // At the start of a word, or after a percent-encoded character.
  `(?:(?<![\\w-])|(?<=%[0-9A-Fa-f]{2}))(?:${[
    "sk-[\\w-]{16,}",
    "[rs]k_(?:live|test)_\\w{16,}",
    "whsec_\\w{16,}",
    "gh[opsur]_\\w{20,}",
    "github_pat_\\w{20,}",
    "gl(?:agent|cbt|dt|feat|ft|imt|oas|pat|ptt|rt|soat)-[\\w-]{16,}",
    "x(?:app|ox[abeoprs])-[\\w-]{10,}",
    "(?:AKIA|ASIA)[A-Z0-9]{16}",
    "AIza[\\w-]{30,}",
    "ya29\\.[\\w-]{20,}",
    "npm_[A-Za-z0-9]{30,}",
    "pypi-[\\w-]{20,}",
    "SG\\.[\\w-]{16,}\\.[\\w-]{16,}",
    "hf_[A-Za-z0-9]{20,}",
    "do[opr]_v1_\\w{32,}",
    "shp(?:at|ca|pa|ss)_\\w{20,}",
    "AGE-SECRET-KEY-1\\w{20,}",
    // Twilio, Mailgun, Vault, Doppler, Linear, Notion, Databricks
    "SK[0-9a-f]{32}",
    "key-[0-9a-f]{32}",
    "[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\\w-])",
    "hv[sbr]\\.[\\w-]{20,}",
    "dp\\.(?:audit|ct|pt|sa|scim|st)\\.[\\w.-]{20,}",
    "lin_(?:api|oauth)_\\w{20,}",
    "(?:ntn|secret)_[A-Za-z0-9]{40,}",
    "dapi[0-9a-f]{32}",
    // HCP Terraform, Azure, Discord
    "\\w{14}\\.atlasv1\\.[\\w-]{40,}",
    "[\\w~.]{3}\\dQ~[\\w~.-]{31,}",
    "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}",
  ].join("|")})`,
  "g",
);
/** Tokens that follow other text: those of Telegram in a URL, webhooks of Discord, and signatures of Azure. */
const EMBEDDED_KEY_FORMATS =
  /(?<!\d)\d{8,10}(?::|%3[Aa])AA[\w-]{33}|(?<=\/api\/webhooks\/\d{1,30}\/)[\w-]{40,}|(?<=(?:[?&]|%3[Ff]|%26)sig(?:=|%3[Dd]))[\w%+/-]{40,}={0,2}/g;
/** The authority of a percent-encoded URL. */
const ENCODED_AUTHORITY = /(?<=%3a%2f%2f)(?:(?!%2f|%3f|%23)[^\s"'`&])+/gi;

/** Redacts the password in the authority of a percent-encoded URL. */
function redactEncodedPassword(authority: string, placeholder: string): string {
  const at = authority.lastIndexOf("%40");
  const colon = authority.search(/%3a/i);
  return colon === -1 || colon > at ? authority : authority.slice(0, colon + 3) + placeholder + authority.slice(at);
}

/** Redacts what looks like a credential: keys, tokens, passwords in URLs. */
export function redactCredentials(text: string, placeholder: string): string {
  let rest = text;
  if (PRIVATE_KEY_HEADER.test(rest)) rest = rest.replace(PRIVATE_KEY, placeholder);
  if (rest.includes("eyJ")) rest = rest.replace(JSON_WEB_TOKEN, placeholder);
  if (rest.includes("://")) rest = rest.replace(URL_PASSWORD, `$1:${placeholder}@`);
  if (rest.includes("%2"))
    rest = rest.replace(ENCODED_AUTHORITY, (authority) => redactEncodedPassword(authority, placeholder));
  return rest
    .replace(AUTH_SCHEME, (all, scheme: string, space: string, value: string) =>
      // A digit distinguishes a credential from prose such as "Basic authentication".
      /\d/.test(value) ? scheme + space + placeholder : all,
    )
    .replace(KNOWN_KEY_FORMATS, placeholder)
    .replace(EMBEDDED_KEY_FORMATS, placeholder);
}

const KEY_VALUE_PAIR = /(?<![\w.-])([\w.-]+)((?:\\?["'])?[ \t]{0,3}(?:=>|[:=]|%3[ad])[ \t]{0,3})/gi;
const COMMAND_LINE_FLAG = /(?<![\w-])--([\w-]+)[ \t](?!-)/g;
const QUOTE = /\\?["'`]/y;
const HEADER_NAME = /authorization|cookie/i;
const UNQUOTED_VALUE = /[^\s"'`,;&)}\]<>\\]+/y;
const HEADER_VALUE = /[^\r\n"'`]+/y;
/** Words that follow a name and a colon in prose, as in "token: required, but missing". */
const PROSE_WORD =
  /^(?:an?|and|array|be|boolean|cannot|could|empty|expected|expired|false|for|has|have|in|integer|invalid|is|missing|must|no|none|not|null|number|object|of|or|required|should|string|the|true|undefined|unknown|was|wrong)$/i;

/** Redacts the values of pairs with a secret name, such as `token=…`, `"apiKey": "…"` and `--password …`. */
export function redactPairs(
  text: string,
  isSecret: (name: string, value: unknown) => boolean,
  placeholder: string,
): string {
  const paired =
    text.includes(":") || text.includes("=") || text.includes("%3")
      ? redactPairValues(text, KEY_VALUE_PAIR, isSecret, placeholder)
      : text;
  return paired.includes("--") ? redactPairValues(paired, COMMAND_LINE_FLAG, isSecret, placeholder) : paired;
}

function redactPairValues(
  text: string,
  pattern: RegExp,
  isSecret: (name: string, value: unknown) => boolean,
  placeholder: string,
): string {
  let redacted = "";
  let done = 0;
  for (const { 0: pair, 1: name = "", 2: separator = "", index } of text.matchAll(pattern)) {
    const from = index + pair.length;
    // The value of one pair may look like another pair.
    if (index < done || !isSecret(name.slice(-100), undefined)) continue;
    // Nested values are skipped, because their own pairs are matched later; so is what is already redacted.
    if (text[from] === "[" || text[from] === "{" || text.startsWith(placeholder, from)) continue;
    const [start, end] = locateValue(text, from, HEADER_NAME.test(name.slice(-100)));
    const value = text.slice(start, end);
    const isProse = separator.includes(":") && start === from && PROSE_WORD.test(value.slice(0, 20));
    if (value === "" || isProse || value.startsWith(placeholder) || !isSecret(name.slice(-100), value)) continue;
    redacted += text.slice(done, start) + placeholder;
    done = end;
  }
  return redacted + text.slice(done);
}

/** Finds the start and end of a value: inside its quotes, up to the next space, or up to the end of the line for a header. */
function locateValue(text: string, from: number, isHeader: boolean): [start: number, end: number] {
  const quote = matchAt(QUOTE, text, from);
  const start = from + quote.length;
  if (quote === "") return [start, start + matchAt(isHeader ? HEADER_VALUE : UNQUOTED_VALUE, text, start).length];
  let close = text.indexOf(quote, start);
  // An escaped quote belongs to the value. If the backslash is not an escape, redacting too much is the safe choice.
  while (text[close - 1] === "\\") close = text.indexOf(quote, close + 1);
  return [start, close === -1 ? text.length : close];
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
