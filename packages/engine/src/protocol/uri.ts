/** The longest URI that is looked at; a longer one is refused before any work is done on it. */
export const MOST_URI_CHARACTERS = 8192;

const MOST_PARENTS = 32;

/** Scheme, authority, path, query, fragment, each with its mark. */
const PARTS = /^([A-Za-z][A-Za-z0-9+.-]*:)(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/s;
const AUTHORITY =
  /^\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?(?:\[(?:[\dA-Fa-f]*:[\dA-Fa-f:.]*|[vV][\dA-Fa-f]+\.[\w.~!$&'()*+,;=:-]+)\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;
const ILLEGAL_IN_PATH = /[^\w.~!$&'()*+,;=:@/%-]/;
const ILLEGAL_BEHIND_PATH = /[^\w.~!$&'()*+,;=:@/?%-]/;
/** Schemes in which a host is a name of the network, where case makes no difference. */
const HOST_SCHEMES = /^(?:file|ftp|https?|wss?):$/i;
const ENCODED_CONTROL = /%(?:[01][\dA-F]|7F|C2%[89][\dA-F])/;

/**
 * The one spelling of a URI or IRI, so that equal ones are equal texts (RFC 3986, 6.2.2); throws with the reason where it is
 * none, or where it could lead out of the folder it names.
 */
export function normalizeUri(uri: string): string {
  checkLength(uri);
  if (/\p{Cc}/u.test(uri)) throw new Error("it has a control character");
  const text = normalizeEscapes(uri);
  checkLength(text);
  if (ENCODED_CONTROL.test(text)) throw new Error("it has an encoded control character");
  const [found, scheme = "", authority = "", path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
  if (found === undefined) throw new Error("it has no scheme");
  // The authority too: whoever cuts off "file://" to get a path would go up with "file://../x".
  if (goesUp((authority + path).replaceAll("%2F", "/").replaceAll("%5C", "\\")))
    throw new Error('it goes up with ".."');
  if (authority !== "" && !AUTHORITY.test(authority))
    throw new Error(`its authority "${authority.slice(2)}" is not of the form user@host:port`);
  checkCharacters(path, ILLEGAL_IN_PATH);
  checkCharacters(query.slice(1), ILLEGAL_BEHIND_PATH);
  checkCharacters(fragment.slice(1), ILLEGAL_BEHIND_PATH);
  return scheme.toLowerCase() + lowerHost(scheme, authority) + withoutDots(path, authority !== "") + query + fragment;
}

/** The URIs above a normalised one, nearest first, each with and without its last slash: who watches them hears of it too. */
export function parentsOf(uri: string): string[] {
  const [, scheme = "", authority = "", path = ""] = PARTS.exec(uri) ?? [];
  const parents: string[] = [];
  if (!path.startsWith("/")) return parents;
  const shortest = authority === "" ? 1 : 0;
  let end = path.length;
  while (end > shortest && parents.length < MOST_PARENTS) {
    const slash = path.lastIndexOf("/", end - 1);
    end = slash + 1 < end ? slash + 1 : slash;
    if (end >= shortest) parents.push(scheme + authority + path.slice(0, end));
  }
  return parents;
}

/**
 * Tells whether a decoded value would lead out of the folder it is put under: a `..` between slashes of either kind, or a NUL,
 * behind which a file system reads no further.
 */
export function goesUp(value: string): boolean {
  return /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(value) || value.includes("\0");
}

/** The text with every percent-encoding in its one spelling, and all that is not ASCII encoded as UTF-8. */
export function normalizeEscapes(text: string): string {
  if (/\p{Cs}/u.test(text)) throw new Error("it has half of a character (a lone surrogate)");
  return text.replaceAll(/%(?:[\dA-Fa-f]{2})?|[\u0080-\uFFFF]+/g, (found) => {
    if (found === "%") throw new Error('it has a "%" without two hexadecimal digits behind it');
    if (!found.startsWith("%")) return encodeURIComponent(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });
}

/**
 * An authority with its host in lower case; who is named before the `@` keeps the case. What stands there in a scheme of an
 * author's own, as in `task://A7`, is no host, and keeps it too.
 */
export function lowerHost(scheme: string, authority: string): string {
  if (!HOST_SCHEMES.test(scheme)) return authority;
  const host = authority.lastIndexOf("@") + 1;
  const lower = authority
    .slice(host)
    .replaceAll(/%[\dA-F]{2}|[A-Z]+/g, (found) => (found.startsWith("%") ? found : found.toLowerCase()));
  return authority.slice(0, host) + lower;
}

function withoutDots(path: string, hasAuthority: boolean): string {
  const segments = path.split("/");
  const kept = segments.filter((segment) => segment !== ".");
  // A dot at the end stands for the folder itself, which ends with a slash.
  if (segments.length > 1 && segments.at(-1) === ".") kept.push("");
  const short = kept.join("/");
  // Without an authority, two slashes in front would turn the first segment into one.
  return !hasAuthority && short.startsWith("//") ? `/.${short}` : short;
}

function checkLength(text: string): void {
  if (text.length > MOST_URI_CHARACTERS)
    throw new Error(`it has ${text.length} characters, at most ${MOST_URI_CHARACTERS} are allowed`);
}

function checkCharacters(part: string, illegal: RegExp): void {
  const found = illegal.exec(part)?.[0];
  if (found !== undefined) throw new Error(`it has a ${JSON.stringify(found)}, which must be percent-encoded there`);
}
