/** Who wrote something: a person, or a body that has no given name. */
export interface Author {
  readonly family: string;
  readonly given?: string;
}

const MOST = 50;
/** Parts of a family name that stand before it. */
const PARTICLE = /^(?:von|van|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|al|bin|ibn)$/;

/** Reads the authors that a document names: "Jane Doe and John Roe", "Doe, Jane; Roe, John", "[Jane Doe, John Roe]". */
export function readAuthors(metadata: Readonly<Record<string, string>>): readonly Author[] {
  const said = metadata["authors"] ?? metadata["author"] ?? metadata["creator"] ?? metadata["dc.creator"] ?? "";
  const groups = said
    .replaceAll(/^\[|\]$|<[^<>]*>|["\n\r]/g, " ")
    .split(/;|\s&\s|\sand\s/)
    .flatMap(apart);
  return groups
    .map(readAuthor)
    .filter((author) => author !== undefined)
    .slice(0, MOST);
}

/** Commas stand between people where each of the parts is a whole name, else between a family name and a given one. */
function apart(group: string): readonly string[] {
  const parts = group
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length > 1 && parts.every((part) => part.includes(" ")) ? parts : [parts.join(", ")];
}

function readAuthor(name: string): Author | undefined {
  const clean = name.replaceAll(/\s+/g, " ").trim();
  if (clean === "") return undefined;
  const [family = "", given] = clean.split(", ");
  if (given !== undefined) return { family, given };
  const words = clean.split(" ");
  if (words.length === 1 || words.length > 5) return { family: clean };
  let at = words.length - 1;
  while (at > 1 && PARTICLE.test(words[at - 1] ?? "")) at -= 1;
  return { family: words.slice(at).join(" "), given: words.slice(0, at).join(" ") };
}

/** "Doe, J. A." */
export const familyFirst = ({ family, given }: Author): string =>
  given === undefined ? family : `${family}, ${initialsOf(given)}`;

/** "J. A. Doe" */
export const initialsFirst = ({ family, given }: Author): string =>
  given === undefined ? family : `${initialsOf(given)} ${family}`;

/** "Doe, Jane Ann" */
export const inverted = ({ family, given }: Author): string => (given === undefined ? family : `${family}, ${given}`);

/** "Jane Ann Doe" */
export const inOrder = ({ family, given }: Author): string => (given === undefined ? family : `${given} ${family}`);

const initialsOf = (given: string): string =>
  given
    .split(/[\s-]+/)
    .map((name) => `${Array.from(name)[0] ?? ""}.`)
    .join(" ");
