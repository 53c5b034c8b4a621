import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Arena, OUTSIDE_NAME } from "./arena.js";

/**
 * What must come of a path. `forbidden`: it leads out, and is refused as such. `wrong`: it is no path at all. `inert`: it means
 * something inside, mostly something that is not there; any clear answer will do.
 */
export type Verdict = "forbidden" | "wrong" | "inert";

/** A way to spell a path that leads out, or looks as if it did. */
export interface Spelling {
  readonly name: string;
  readonly verdict: Verdict;
  /** Whether it is a URI, which git takes for a name. */
  readonly isUri: boolean;
  spell(arena: Pick<Arena, "root" | "outside">): string;
}

const FILE = `${OUTSIDE_NAME}.txt`;

const say = (verdict: Verdict, name: string, spell: Spelling["spell"]): Spelling => ({
  name,
  verdict,
  spell,
  isUri: /^"?file:|URI/.test(name),
});
const same = (verdict: Verdict, ...words: readonly string[]): readonly Spelling[] =>
  words.map((each) => say(verdict, JSON.stringify(each.length > 60 ? `${each.slice(0, 60)}…` : each), () => each));

/** Paths that lead out by their words alone, and paths that are none. */
export const SPELLINGS: readonly Spelling[] = [
  ...same("forbidden", `../outside/${FILE}`, "..", "../", "../..", "./../outside", "src/../../outside", "src/../.."),
  ...same("forbidden", `.//..//outside//${FILE}`, `././../outside/./${FILE}`, "../../../../../../../../etc/passwd"),
  ...same("forbidden", "/etc/passwd", "/", "//", "///etc//passwd", "/etc/./passwd", "/../etc/passwd", "//etc/passwd"),
  ...same("forbidden", "/proc/self/root/etc/passwd", "/proc/self/environ", "/proc/self/cwd", "/proc/self/fd/0"),
  ...same("forbidden", "/proc/1/root", "/dev/null", "/dev/zero", "/dev/stdin", "/dev/fd/0", "/sys/kernel", "/root"),
  ...same("forbidden", "file:///etc/passwd", "file://localhost/etc/passwd", "file:///../etc/passwd"),
  ...same("forbidden", "file:///%2e%2e/etc/passwd", "file:///etc/%70asswd", "file:///etc/passwd?x#y", "file://"),
  ...same("wrong", "file://elsewhere/etc/passwd", "file:///etc%2Fpasswd", "file:///%00", "file://%"),
  ...same("wrong", "", " ", "\n", "\t ", "~", "~/", "~/.ssh/id_rsa", `a\0/../../outside/${FILE}`, "src/main.ts\0.png"),
  ...same("wrong", `../outside/${"a/".repeat(3000)}`, "a".repeat(5000)),
  say("forbidden", "absolute", ({ outside }) => `${outside}/${FILE}`),
  say("forbidden", "absolute folder", ({ outside }) => outside),
  say("forbidden", "absolute with a slash at the end", ({ outside }) => `${outside}/`),
  say("forbidden", "absolute, through the root", ({ root }) => `${root}/../outside/${FILE}`),
  say("forbidden", "the folder above", ({ root }) => path.dirname(root)),
  say("forbidden", "a name that the root's begins", ({ root }) => `${root}-2/${FILE}`),
  say("forbidden", "a name that begins the root's", ({ root }) => root.slice(0, -1)),
  say("forbidden", "as a URI", ({ outside }) => `${pathToFileURL(outside).href}/${FILE}`),
  say("forbidden", "as a URI, through the root", ({ root }) => `${pathToFileURL(root).href}/../outside/${FILE}`),
  say("forbidden", "as a URI with coded dots", ({ root }) => `${pathToFileURL(root).href}/%2e%2e/outside/${FILE}`),
  say("forbidden", "with a newline before", ({ outside }) => `${outside}/${FILE}\n`),
];

/** Paths that other programs would decode, expand or fold into one that leads out; here they are names like any other. */
export const LOOKALIKES: readonly Spelling[] = [
  ...same("inert", `%2e%2e/outside/${FILE}`, `%2e%2e%2foutside%2f${FILE}`, `..%2foutside%2f${FILE}`, "%252e%252e/x"),
  ...same("inert", `..%c0%afoutside%c0%af${FILE}`, `.%00./outside/${FILE}`, `..;/outside/${FILE}`, "....//....//etc"),
  ...same("inert", `\u2024\u2024/outside/${FILE}`, `\uff0e\uff0e/outside/${FILE}`, `\u2025/outside/${FILE}`, "…/x"),
  ...same("inert", `..\\outside\\${FILE}`, `src\\..\\..\\outside`, "\\etc\\passwd", "C:\\Windows\\win.ini", "C:/x"),
  ...same("inert", `..\u2215outside\u2215${FILE}`, `..\uff0foutside`, "..\u200b/outside", "\ufeff../outside", " ../x"),
  ...same("inert", "$HOME/.ssh", "${HOME}/.ssh", "$(cat /etc/passwd)", "`id`", "%HOME%", "*", "**", "{a,b}", "[a]"),
  ...same("inert", "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "http://localhost/x", "data:,x"),
  ...same("inert", "\\\\server\\share\\x", "\\\\?\\C:\\x", "nul", "con", "src/main.ts:stream", "src/main.ts::$DATA"),
  ...same("inert", "-rf", "--help", "-", "--", "a\nb", "a\r\nb", "\u001b[2Jx", "\u202egnp.exe", "...", ".. ", "..."),
  ...same("inert", ":/", ":(top)../outside", ":!x", "HEAD:x", "@{-1}", "a".repeat(256), "x/".repeat(20)),
];

/** Links of the arena that lead out; the last name of those in `LAST` is the link itself. */
export const THROUGH_LINKS: readonly Spelling[] = [
  ...same("forbidden", `link-folder/${FILE}`, `link-relative/${FILE}`, `link-chain/${FILE}`, `link-up/outside/${FILE}`),
  ...same("forbidden", "link-root/etc/passwd", "link-proc/etc/passwd", "link-fd/0", `link-back/${FILE}`),
  ...same("forbidden", `src/link-out/${FILE}`, "link-folder/not-there", "link-folder/folder/not/there", "link-file/x"),
  ...same("forbidden", "link-dangling/x", `./link-folder/./${FILE}`, `link-folder//${FILE}`, "link-root/dev/null"),
  ...same("forbidden", "link-loop/x", "link-env/x", "link-vault/key.txt", ".env/x"),
];

/** Links that lead out, by themselves. */
export const LAST_LINKS: readonly Spelling[] = [
  ...same(
    "forbidden",
    "link-folder",
    "link-relative",
    "link-file",
    "link-chain",
    "link-up",
    "link-root",
    "link-dangling",
  ),
  ...same("forbidden", "link-proc", "link-fd", "link-back", "src/link-out", "link-loop", "link-env", "link-vault"),
];

/** What the settings of the arena hide, by any spelling. */
export const HIDDEN_PATHS: readonly Spelling[] = [
  ...same("forbidden", ".env", "./.env", "src/../.env", ".ENV", "src/.env", "vault", "vault/", "vault/key.txt"),
  ...same("forbidden", "vault/not-there", "VAULT/key.txt", "vault/../vault/key.txt", "src/.env/x"),
  say("forbidden", "absolute", ({ root }) => `${root}/.env`),
  say("forbidden", "as a URI", ({ root }) => `${pathToFileURL(root).href}/vault/key.txt`),
];

/** What is inside .git, by any spelling. */
export const GIT_PATHS: readonly Spelling[] = [
  ...same("forbidden", ".git/config", ".git/hooks/pre-commit", "./.git/config", "src/../.git/config", ".git", ".git/"),
  ...same("forbidden", ".GIT/config", "src/.git", "src/.git/config", ".git/new/deep/file", ".Git/hooks/post-checkout"),
  say("forbidden", "absolute", ({ root }) => `${root}/.git/config`),
];
