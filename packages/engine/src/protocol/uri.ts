/** The maximum length of a URI; a longer one is rejected before it is parsed. */
export const MAX_URI_LENGTH = 8192;

const MAX_PARENTS = 32;

/** Scheme, authority, path, query and fragment, each with its delimiter. */
const URI_PARTS = /^([A-Za-z][A-Za-z0-9+.-]*:)(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/s;
const AUTHORITY =
  /^\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?(?:\[(?:[\dA-Fa-f]*:[\dA-Fa-f:.]*|[vV][\dA-Fa-f]+\.[\w.~!$&'()*+,;=:-]+)\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;
const ILLEGAL_IN_PATH = /[^\w.~!$&'()*+,;=:@/%-]/;
const ILLEGAL_IN_QUERY = /[^\w.~!$&'()*+,;=:@/?%-]/;
/** Schemes whose authority is a host name, which is case-insensitive. */
const SCHEMES_WITH_HOST = /^(?:file|ftp|https?|wss?):$/i;
const ENCODED_CONTROL = /%(?:[01][\dA-F]|7F|C2%[89][\dA-F])/;

/**
 * Normalizes a URI or IRI, so that equivalent ones are equal strings (RFC 3986, section 6.2.2). Throws if it is invalid or
 * contains a path traversal.
 */
export function normalizeUri(uri: string): string {
  checkLength(uri);
  if (/\p{Cc}/u.test(uri)) throw new Error("it has a control character");
  const text = normalizeEscapes(uri);
  checkLength(text);
  if (ENCODED_CONTROL.test(text)) throw new Error("it has an encoded control character");
  const [found, scheme = "", authority = "", path = "", query = "", fragment = ""] = URI_PARTS.exec(text) ?? [];
  if (found === undefined) throw new Error("it has no scheme");
  // The authority too: code that strips "file://" to get a path would turn "file://../x" into "../x".
  if (hasPathTraversal((authority + path).replaceAll("%2F", "/").replaceAll("%5C", "\\")))
    throw new Error('it contains a ".." segment');
  if (authority !== "" && !AUTHORITY.test(authority))
    throw new Error(`its authority "${authority.slice(2)}" is not of the form user@host:port`);
  checkCharacters(path, ILLEGAL_IN_PATH);
  checkCharacters(query.slice(1), ILLEGAL_IN_QUERY);
  checkCharacters(fragment.slice(1), ILLEGAL_IN_QUERY);
  return (
    scheme.toLowerCase() +
    lowercaseHost(scheme, authority) +
    removeDotSegments(path, authority !== "") +
    query +
    fragment
  );
}

/** Returns the parents of a normalized URI, nearest first, each with and without its trailing slash. */
export function parentUris(uri: string): string[] {
  const [, scheme = "", authority = "", path = ""] = URI_PARTS.exec(uri) ?? [];
  const parents: string[] = [];
  if (!path.startsWith("/")) return parents;
  const shortest = authority === "" ? 1 : 0;
  let end = path.length;
  while (end > shortest && parents.length < MAX_PARENTS) {
    const slash = path.lastIndexOf("/", end - 1);
    end = slash + 1 < end ? slash + 1 : slash;
    if (end >= shortest) parents.push(scheme + authority + path.slice(0, end));
  }
  return parents;
}

/** Returns whether a decoded value contains a `..` segment, with slashes of either kind, or a NUL, which truncates paths. */
export function hasPathTraversal(value: string): boolean {
  return /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(value) || value.includes("\0");
}

/** Normalizes percent-encodings, and encodes everything that is not ASCII as UTF-8. */
export function normalizeEscapes(text: string): string {
  if (/\p{Cs}/u.test(text)) throw new Error("it contains a lone surrogate (half of a character)");
  return text.replaceAll(/%(?:[\dA-Fa-f]{2})?|[\u0080-\uFFFF]+/g, (found) => {
    if (found === "%") throw new Error('it has a "%" that is not followed by two hexadecimal digits');
    if (!found.startsWith("%")) return encodeURIComponent(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });
}

/** Converts the host of an authority to lower case, but not the user info, and not in custom schemes such as `task://A7`. */
export function lowercaseHost(scheme: string, authority: string): string {
  if (!SCHEMES_WITH_HOST.test(scheme)) return authority;
  const host = authority.lastIndexOf("@") + 1;
  const lower = authority
    .slice(host)
    .replaceAll(/%[\dA-F]{2}|[A-Z]+/g, (found) => (found.startsWith("%") ? found : found.toLowerCase()));
  return authority.slice(0, host) + lower;
}

function removeDotSegments(path: string, hasAuthority: boolean): string {
  const segments = path.split("/");
  const kept = segments.filter((segment) => segment !== ".");
  // A trailing dot means the folder itself, which ends with a slash.
  if (segments.length > 1 && segments.at(-1) === ".") kept.push("");
  const short = kept.join("/");
  // Without an authority, two leading slashes would make the first segment one.
  return !hasAuthority && short.startsWith("//") ? `/.${short}` : short;
}

function checkLength(text: string): void {
  if (text.length > MAX_URI_LENGTH)
    throw new Error(`it has ${text.length} characters, at most ${MAX_URI_LENGTH} are allowed`);
}

function checkCharacters(part: string, illegal: RegExp): void {
  const found = illegal.exec(part)?.[0];
  if (found !== undefined) throw new Error(`it has a ${JSON.stringify(found)}, which must be percent-encoded there`);
}
