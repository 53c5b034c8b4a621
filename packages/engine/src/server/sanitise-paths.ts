/** Folders at the root of a machine under which people, programs and secrets live. */
const ROOTS: readonly string[] =
  "Applications Library System Users Volumes bin boot dev etc home lib lib64 media mnt nix opt private proc root run sbin snap srv sys tmp usr var".split(
    " ",
  );

// What a path is made of where nothing says where it ends.
const SIGN = "[^\\s\"'`<>|,;:*?()\\[\\]{}]";
const BEFORE = "(?<![\\w/\\\\.~…%@+-])";
const FILE_URL = "file:/{1,3}[^\\s\"'`<>|,;()\\[\\]{}]*";
const DRIVE = `${BEFORE}[A-Za-z]:(?=[\\\\/][^\\\\/\\s]|\\\\\\\\)${SIGN}*(?: [\\w.()-]+(?:\\\\|/)${SIGN}*){0,8}`;
const SHARE = `${BEFORE}\\\\{2,4}(?:\\?\\\\{1,2})?[\\w.$-]{2,}\\\\{1,2}[\\w$]${SIGN}*`;
const ABSOLUTE = `${BEFORE}/(?=[^\\s/])${SIGN}*`;
/** The rest of a folder with a space in its name. */
const SPACED = new RegExp(` [\\w-]+/${SIGN}+`, "y");
const VERB = /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE) $/;
const PLACE = /:\d+:\d+/y;

/** What tells paths of one host from other text. */
export interface HostPaths {
  readonly pattern: RegExp;
  readonly roots: ReadonlySet<string>;
}

/** Knows the paths of the host that has these folders: the working folder, the user's home, the temporary one. */
export function createHostPaths(folders: readonly string[]): HostPaths {
  const own = folders.map((folder) => folder.replace(/[/\\]+$/, "")).filter((folder) => folder.length > 2);
  const literal = [...new Set(own)].sort((one, other) => other.length - one.length).map(escapePattern);
  const known = literal.length === 0 ? [] : [`(?<own>${BEFORE}(?:${literal.join("|")})(?![\\w-])${SIGN}*)`];
  const forms = [`(?<url>\\b${FILE_URL})`, ...known, `(?<windows>${DRIVE}|${SHARE})`, ABSOLUTE];
  // Beside the working folder lie others of the same host.
  const roots = own.map((folder) => folder.split("/")).filter((names) => names.length > 2 && names[0] === "");
  return {
    pattern: new RegExp(forms.join("|"), "g"),
    roots: new Set([...ROOTS, ...roots.map((names) => names[1] as string)]),
  };
}

/** Leaves of each absolute path of the host its last name: `…/notes.txt`. What the client itself has sent is no news to it. */
export function withoutPaths(text: string, { pattern, roots }: HostPaths, isSaid: (piece: string) => boolean): string {
  if (!/[/\\]/.test(text)) return text;
  let written = "";
  let done = 0;
  for (const { 0: found, index, groups } of text.matchAll(pattern)) {
    if (index < done) continue;
    const isCertain =
      groups?.["url"] !== undefined || groups?.["own"] !== undefined || groups?.["windows"] !== undefined;
    const end = isCertain || isOfHost(text, found, index, roots) ? endOf(text, found, index) : undefined;
    if (end === undefined) continue;
    const path = text.slice(index, end);
    if (isSaid(path) || isSaid(fromUrl(path))) continue;
    written += text.slice(done, index) + shortPath(path);
    done = end;
  }
  return written + text.slice(done);
}

/** Tells a path of the host from the path of an address, such as `/api/v1/users`. */
function isOfHost(text: string, path: string, at: number, roots: ReadonlySet<string>): boolean {
  const [root = "", ...rest] = path.split("/", 4).slice(1);
  if (VERB.test(text.slice(Math.max(0, at - 9), at))) return false;
  if (roots.has(root) && rest.some((name) => name !== "")) return true;
  if (path.includes("/node_modules/")) return true;
  // An error says of a file at which line and column it is.
  PLACE.lastIndex = at + path.length;
  return /\.\w{1,10}$/.test(path) && PLACE.test(text);
}

/** Inside quotes a path goes on to the closing one, spaces included. */
function endOf(text: string, found: string, at: number): number {
  const end = at + found.length;
  const quote = text[at - 1];
  if (quote === "'" || quote === '"' || quote === "`") {
    const close = text.slice(end, end + 4096).indexOf(quote);
    const rest = close === -1 ? "" : text.slice(end, end + close);
    if (!/[\r\n]/.test(rest)) return end + rest.length;
  }
  if (/\.\w+$/.test(found)) return end;
  SPACED.lastIndex = end;
  return SPACED.test(text) ? SPACED.lastIndex : end;
}

function shortPath(path: string): string {
  const names = fromUrl(path)
    .split(/[/\\]+/)
    .filter((name) => name !== "" && !/^[A-Za-z]:$/.test(name));
  // The name of a home is the name of a person.
  if (names.length === 0 || (names.length <= 2 && /^(?:home|Users)$/i.test(names[0] as string))) return "…";
  return `…/${names.at(-1)}`;
}

function fromUrl(path: string): string {
  if (!/^file:/i.test(path)) return path;
  const rest = path.replace(/^file:(?:\/\/)?/i, "");
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
