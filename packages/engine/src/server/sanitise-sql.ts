const TABLE = '[\\w.$"`\\[\\]]+';
const ITEM = "[^\\s,]{1,500}(?:\\s{1,20}as\\s{1,20}[^\\s,]{1,200})?";
const LIST = `${ITEM}(?:\\s{0,20},\\s{0,20}${ITEM}){0,300}`;
const COMPARED = `${TABLE}\\s*(?:=|<|>|!=|\\bin\\b|\\blike\\b|\\bis\\b|\\bbetween\\b)`;
const GOES_ON = "(?:where|join|inner|left|right|cross|limit|order\\s+by|group\\s+by|having|union|for\\s+update)\\b";

/** Statements in capitals: nobody writes prose so. */
const LOUD = anchored(
  [
    'SELECT\\s+(?:\\*|DISTINCT\\b|TOP\\b|["`\\[]|\\w+[.(,])',
    `SELECT\\s+${LIST}\\s+FROM\\b`,
    "(?:INSERT|REPLACE)\\s+(?:OR\\s+\\w+\\s+)?INTO\\b",
    `UPDATE\\s+${TABLE}\\s+SET\\b`,
    "DELETE\\s+FROM\\b",
    "MERGE\\s+INTO\\b",
    "(?:CREATE|ALTER|DROP|TRUNCATE)\\s+(?:OR\\s+REPLACE\\s+|TEMP(?:ORARY)?\\s+|UNIQUE\\s+|VIRTUAL\\s+)?(?:TABLE|INDEX|VIEW|TRIGGER|DATABASE|SCHEMA|USER|ROLE|FUNCTION|PROCEDURE|SEQUENCE|EXTENSION)\\b",
    "WITH\\s+(?:RECURSIVE\\s+)?\\w+(?:\\s*\\([^()]{0,500}\\))?\\s+AS\\s*\\(",
    "PRAGMA\\s+\\w+",
  ],
  "",
);

/** Statements in small letters: only what could not be prose. */
const QUIET = anchored(
  [
    `select\\s+(?:distinct\\s+)?(?=[^\\s]*[*"\`(\\[]|[^\\s]+\\s*,)${LIST}\\s+from\\s+${TABLE}(?=\\s*(?:$|[;),:\\n]|-\\s|as\\b|${GOES_ON}|${TABLE}\\s+${GOES_ON}))`,
    `select\\s+${LIST}\\s+from\\s+${TABLE}\\s+(?:as\\s+)?(?:${TABLE}\\s+)?(?:where\\s+(?:not\\s+)?\\(*${COMPARED}|limit\\s+[\\d?$:]|order\\s+by\\s|group\\s+by\\s|(?:inner\\s+|left\\s+|right\\s+|cross\\s+)?(?:outer\\s+)?join\\s+${TABLE}\\s+)`,
    `(?:insert|replace)\\s+(?:or\\s+\\w+\\s+)?into\\s+${TABLE}\\s*(?:\\(|values\\b\\s*\\(|select\\s|default\\s+values\\b)`,
    `update\\s+${TABLE}\\s+set\\s+${TABLE}\\s*=`,
    `delete\\s+from\\s+${TABLE}\\s+where\\s+(?:not\\s+)?\\(*${COMPARED}`,
    `delete\\s+from\\s+["\`]`,
    `(?:create|alter|drop|truncate)\\s+table\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?${TABLE}\\s*(?:\\(|add\\b|drop\\b|rename\\b|alter\\b|;)`,
    `create\\s+(?:unique\\s+)?index\\s+(?:if\\s+not\\s+exists\\s+)?${TABLE}\\s+on\\s+${TABLE}\\s*\\(`,
  ],
  "i",
);

const OPENING = /(?<!\w)(?:select|insert|replace|update|delete|merge|create|alter|drop|truncate|with|pragma)\s/gi;
/** How far a statement is looked at to tell it from prose. */
const WINDOW = 4000;
/** What follows a statement that was sent apart from its values. */
const VALUES = /\s*(?:\n|-|—)?\s*(?:params|parameters|bindings|values):[^\n]*/iy;

/** Puts `[SQL]` in the place of each statement. */
export function withoutSql(text: string, isSaid: (piece: string) => boolean): string {
  let written = "";
  let done = 0;
  for (const { index } of text.matchAll(OPENING)) {
    if (index < done) continue;
    const opening = text.slice(index, index + WINDOW);
    if (!LOUD.test(opening) && !QUIET.test(opening)) continue;
    const end = endOf(text, index);
    if (isSaid(text.slice(index, end).replace(/[\s;]+$/, ""))) continue;
    written += `${text.slice(done, index)}[SQL]`;
    done = end;
  }
  return written + text.slice(done);
}

function anchored(forms: readonly string[], flags: string): RegExp {
  return new RegExp(`^(?:${forms.join("|")})`, flags);
}

/** A statement ends with a semicolon, an empty line, the bracket around it, or where words about it begin: ` - `, `: `. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (sign === "'" || sign === '"' || sign === "`") {
      const close = text.indexOf(sign, at + 1);
      if (close !== -1) at = close;
    } else if (sign === "(") depth += 1;
    else if (sign === ")") {
      depth -= 1;
      if (depth < 0) return at;
    } else if (sign === ";") return withValues(text, at + 1);
    else if (sign === ":" && /\s/.test(text[at + 1] ?? "")) return at;
    else if (text.startsWith(" - ", at) || text.startsWith(" — ", at) || text.startsWith("\n\n", at))
      return withValues(text, at);
    else if (sign === "\n" && withValues(text, at) > at) return withValues(text, at);
  }
  return text.length;
}

function withValues(text: string, at: number): number {
  VALUES.lastIndex = at;
  return VALUES.test(text) ? VALUES.lastIndex : at;
}
