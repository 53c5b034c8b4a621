import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

/** What stands in the files that no tool may show, and in no other. */
export const SECRETS = ["HIDDEN-55d0e2", "STATE-19ab77", "OUTSIDE-7f3a91"] as const;
const [HIDDEN, STATE, OUTSIDE] = SECRETS;

/** What stands in the names of such files. */
export const SECRET_NAME = "ledger-c41";

/** A project with files that are out of reach, and the configuration of a server for it. */
export interface Arena {
  readonly base: string;
  readonly root: string;
  readonly configuration: string;
  readonly stateFolder: string;
  remove(): void;
}

const FILES: Readonly<Record<string, string>> = {
  "root/src/main.ts": "export function inside(a: number) {\n  return a > 1 ? a : 1;\n}\n",
  "root/readme.md": "# Inside\n\nPlain notes about the inside of the project.\n",
  "root/.env": `KEY=${HIDDEN}\n`,
  [`root/vault/${SECRET_NAME}.md`]: `# ${HIDDEN}\n\nNotes about the inside ${HIDDEN}.\n`,
  [`root/vault/${SECRET_NAME}.ts`]: `export const ${SECRET_NAME.replace("-", "_")} = "${HIDDEN}"; // TODO ${HIDDEN}\n`,
  "root/frozen/file.txt": "frozen\n",
  [`root/state/${SECRET_NAME}.md`]: `# ${STATE}\n`,
  [`outside/${SECRET_NAME}.md`]: `# ${OUTSIDE}\n`,
  "outside/src/main.ts": `// ${OUTSIDE}\n`,
};

const LINKS: Readonly<Record<string, string>> = {
  "link-env": ".env",
  "link-vault": "vault",
  "link-state": "state",
  "link-outside": "../outside",
  "link-git": ".git",
  "link-config": "named.json",
  "link-frozen": "frozen",
};

/** Creates the project with a git repository. The state folder and the configuration file lie in it. */
export function createArena(): Arena {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "policy-")));
  const root = path.join(base, "root");
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
    writeFileSync(path.join(base, name), text);
  }
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, path.join(root, name));
  const configuration = path.join(root, "named.json");
  const files = { roots: ["."], hidden: [".env", "vault/**"], readOnly: ["frozen/**"] };
  const packs = { workstation: { builds: true } };
  writeFileSync(configuration, JSON.stringify({ files, packs }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  git("init", "--initial-branch=main");
  git("add", "--force", ".env", "vault");
  git("commit", "--message=hidden");
  git("rm", "--cached", "-r", "--quiet", "vault");
  git("mv", "--force", ".env", "src/example.env");
  writeFileSync(path.join(root, "src/example.env"), "KEY=\n");
  git("add", "src", "readme.md");
  git("commit", "--message=first");
  writeFileSync(path.join(root, ".env"), FILES["root/.env"] ?? "");
  return {
    base,
    root,
    configuration,
    stateFolder: path.join(root, "state"),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The contents of all that no tool may change. */
export function protectedFiles({ base, root, configuration }: Arena): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (entry: string): void => {
    const stats = lstatSync(entry);
    if (stats.isDirectory()) for (const name of readdirSync(entry)) visit(path.join(entry, name));
    else found[path.relative(base, entry)] = readFileSync(entry, "latin1");
  };
  for (const name of [".env", "vault", "frozen", ".git/config", ".git/hooks"]) visit(path.join(root, name));
  visit(path.join(base, "outside"));
  visit(configuration);
  visit(path.join(root, "state", `${SECRET_NAME}.md`));
  return found;
}

/** A path that is out of reach; `reads`: for reading too, not only for changes. */
export interface Target {
  readonly path: string;
  readonly link: string;
}

export const TARGETS: readonly Target[] = [
  { path: ".env", link: "link-env" },
  { path: `vault/${SECRET_NAME}.md`, link: `link-vault/${SECRET_NAME}.md` },
  { path: "vault", link: "link-vault" },
  { path: `state/${SECRET_NAME}.md`, link: `link-state/${SECRET_NAME}.md` },
  { path: `../outside/${SECRET_NAME}.md`, link: `link-outside/${SECRET_NAME}.md` },
  { path: "../outside", link: "link-outside" },
  { path: ".git/config", link: "link-git/config" },
  { path: "named.json", link: "link-config" },
  { path: "frozen/file.txt", link: "link-frozen/file.txt" },
];

/** The spellings of a path. */
export const SPELLINGS: readonly ((target: Target, root: string) => string)[] = [
  (target) => target.path,
  (target, root) => path.join(root, target.path),
  (target) => `./src/.././${target.path}`,
  (target) => target.link,
  (target, root) => `${root}/src/../${target.path}`,
  (target, root) => `file://${root}/${encodeDots(target.path)}`,
  (target, root) => `file://${path.join(root, target.link)}`,
  (target) => target.path.toUpperCase(),
  (target) => `${target.path}/`,
];

/** Every character that has a meaning in a path, percent-encoded. */
const encodeDots = (text: string): string => text.replaceAll(".", "%2e").replaceAll("v", "%76");
