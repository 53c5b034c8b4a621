import {
  type Author,
  type Cited,
  dayFirst,
  familyFirst,
  initialsFirst,
  inOrder,
  inverted,
  locationOf,
  monthFirst,
  monthOf,
  oneLine,
  shortMonthOf,
} from "./cited.js";

/** Formats a bibliography entry as plain text. */
export type Style = (cited: Cited) => string;

/** The styles by name. */
export const STYLES: Readonly<Record<"apa" | "mla" | "chicago" | "ieee" | "harvard", Style>> = {
  apa(cited) {
    const { title, version, span } = cited;
    const work = `${title} (Version ${version}, ${locationOf(span)})`;
    const date = `(${cited.date.length === 0 ? "n.d." : yearFirst(cited.date)})`;
    const authors = listed(apaNames(cited.authors), ", & ", 20);
    return authors === ""
      ? `${work}. ${date}. ${whereOf(cited)}`
      : `${ended(authors)} ${date}. ${work}. ${whereOf(cited)}`;
  },
  mla(cited) {
    const { title, authors, version, span, date } = cited;
    const names = authors.length > 2 ? `${inverted(authors[0] as Author)}, et al` : leading(authors, ", and ");
    const day = dayFirst(date, shortMonthOf(date)).replace("Sep.", "Sept.");
    const parts = [`Version ${version}`, day, locationOf(span), whereOf(cited)].filter((part) => part !== "");
    return `${names === "" ? "" : `${ended(names)} `}“${inner(title)}.” ${parts.join(", ")}.`;
  },
  chicago(cited) {
    const { title, authors, version, span, date } = cited;
    const names = leading(authors, ", and ");
    const parts = [`Version ${version}`, monthFirst(date), capital(locationOf(span)), whereOf(cited)];
    return `${names === "" ? "" : `${ended(names)} `}“${inner(title)}.” ${parts.filter((part) => part !== "").join(". ")}.`;
  },
  ieee(cited) {
    const { title, authors, version, span, date, url, source } = cited;
    const names = listed(authors.map(initialsFirst), authors.length > 2 ? ", and " : " and ", 6, 1);
    const day = monthFirst(date, shortMonthOf(date));
    const parts = [`version ${version}`, day, locationOf(span)].filter((part) => part !== "").join(", ");
    const where = url === undefined ? `File: ${source}.` : `[Online]. Available: ${url}`;
    return `${names === "" ? "" : `${names}, `}“${inner(title)},” ${parts}. ${where}`;
  },
  harvard(cited) {
    const { title, authors, version, span, date, url, source, looked } = cited;
    const names = listed(authors.map(familyFirst), " and ", 3, 1);
    const year = `(${date[0] ?? "no date"})`;
    const head = names === "" ? `${title} ${year}` : `${names} ${year} ${title}`;
    const where = url === undefined ? `File: ${source}` : `Available at: ${url} (Accessed: ${dayFirst(looked)})`;
    return `${head}. Version ${version}, ${locationOf(span)}. ${where}.`;
  },
};

/** Of more than twenty authors, APA lists the first nineteen and the last. */
function apaNames(authors: readonly Author[]): readonly string[] {
  const names = authors.map(familyFirst);
  return names.length > 20 ? [`${names.slice(0, 19).join(", ")}, . . . ${names.at(-1)}`] : names;
}

const whereOf = ({ url, source }: Cited): string => url ?? source;

/** "2024, May 6" */
function yearFirst(date: readonly number[]): string {
  const [month, day] = monthFirst(date)
    .replace(/,? \d{4}$/, "")
    .split(" ");
  return [date[0], ...(date.length > 1 ? [[month, day].filter((part) => part !== undefined).join(" ")] : [])].join(
    ", ",
  );
}

/** Inverts the name of the first author only. */
function leading(authors: readonly Author[], last: string): string {
  const [first, ...others] = authors;
  return first === undefined ? "" : listed([inverted(first), ...others.map(inOrder)], last, 10, 7);
}

/** Joins names. If there are more than `limit`, lists the first `shown` with "et al.". */
function listed(names: readonly string[], last: string, limit: number, shown = limit): string {
  if (names.length > limit) return `${names.slice(0, shown).join(", ")}${shown === 1 ? "" : ","} et al.`;
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")}${last}${names.at(-1)}`;
}

const ended = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

/** Adapts a title for use inside quotation marks. */
const inner = (title: string): string => title.replaceAll("“", "‘").replaceAll("”", "’").replace(/[.,]$/, "");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Creates unique BibTeX keys from the author, the year and a word of the title, with a letter if necessary. */
export class BibtexKeys {
  readonly #taken = new Set<string>();

  keyFor({ authors, title, date }: Cited): string {
    const word =
      title
        .split(/\s+/)
        .map(plain)
        .find((part) => part.length > 3) ?? plain(title);
    const stem = `${plain(authors[0]?.family ?? "")}${date[0] ?? ""}${word}` || "source";
    for (let number = 0; ; number += 1) {
      const key = number === 0 ? stem : `${stem}${letters(number)}`;
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return key;
    }
  }
}

/** Reduces a text to ASCII letters and digits, which all programs accept in keys. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .toLowerCase()
    .slice(0, 30);

const letters = (number: number): string =>
  (number > 26 ? letters(Math.floor((number - 1) / 26)) : "") + String.fromCharCode(97 + ((number - 1) % 26));

/** Formats a BibTeX entry. */
export function toBibtex(cited: Cited, keys: BibtexKeys): string {
  const { authors, title, date, version, url, source, license, span, looked } = cited;
  const names = authors.map((author) =>
    author.given === undefined ? `{${escapeTex(author.family)}}` : escapeTex(inverted(author)),
  );
  const fields: (readonly [string, string | number | undefined])[] = [
    ["author", names.length === 0 ? undefined : names.join(" and ")],
    // Double braces preserve upper case.
    ["title", `{${escapeTex(title)}}`],
    ["year", date[0]],
    ["month", monthOf(date)?.slice(0, 3).toLowerCase()],
    ["version", version],
    ["howpublished", url === undefined ? escapeTex(source) : undefined],
    ["url", url === undefined ? undefined : escapeUrl(url)],
    ["urldate", url === undefined ? undefined : looked.map(twoDigits).join("-")],
    ["note", escapeTex([locationOf(span), ...(license === undefined ? [] : [`licence ${license}`])].join(", "))],
  ];
  const lines = fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (name === "month" ? `  month = ${value}` : `  ${name} = {${value}}`));
  return `@misc{${keys.keyFor(cited)},\n${lines.join(",\n")}\n}`;
}

const TEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  _: "\\_",
  "%": "\\%",
  "–": "--",
};

const escapeTex = (text: string): string => oneLine(text).replaceAll(/[\\{}$&#_%~^–]/g, (sign) => TEX[sign] ?? sign);

/** Programs use URLs verbatim, so only characters that would end the field are escaped. */
const escapeUrl = (url: string): string => url.replaceAll(/[\\{}\s]/g, (sign) => encodeURIComponent(sign));

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** Formats a RIS entry. */
export function toRis({ authors, title, date, version, url, source, license, span, looked }: Cited): string {
  const lines: (readonly [string, string | number | undefined])[] = [
    ["TY", url === undefined ? "GEN" : "ELEC"],
    ...authors.map((author) => ["AU", inverted(author)] as const),
    ["TI", title],
    ["PY", date[0]],
    ["DA", date.length === 3 ? date.map(twoDigits).join("/") : undefined],
    ["ET", version],
    ["UR", url],
    ["Y2", url === undefined ? undefined : looked.map(twoDigits).join("/")],
    ["AV", url === undefined ? source : undefined],
    // Programs interpret these fields as pages, so lines are not included.
    ["SP", span.page],
    ["EP", span.page_end ?? span.page],
    ["C1", license],
    ["N1", locationOf(span)],
  ];
  const written = lines.filter(([, value]) => value !== undefined);
  return [...written.map(([tag, value]) => `${tag}  - ${oneLine(String(value))}`), "ER  - "].join("\r\n");
}
