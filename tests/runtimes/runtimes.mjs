import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.mjs";

const packages = fileURLToPath(new URL("../../node_modules/.cache/runtimes/node_modules/", import.meta.url));
const { platform, arch } = process;
const exe = platform === "win32" ? ".exe" : "";
const system = platform === "win32" ? "win" : platform;
const bunSystem = platform === "win32" ? "windows" : platform;
const bunArch = arch === "arm64" ? "aarch64" : arch;
const bunBaseline = arch === "x64" && platform !== "darwin" ? "-baseline" : "";
const glibc = platform === "linux" ? "-glibc" : "";

/** The words that run a program on each runtime. */
const COMMANDS = {
  node22: [`${packages}node-22-${system}-${arch}/bin/node${exe}`],
  node24: [`${packages}node-24-${system}-${arch}/bin/node${exe}`],
  bun: [`${packages}@oven/bun-${bunSystem}-${bunArch}${bunBaseline}/bin/bun${exe}`, "--bun"],
  deno: [`${packages}@deno/${platform}-${arch}${glibc}/deno${exe}`, "run", "--allow-all"],
};

/** The runtimes that the engine is tested on, each with the words that run a program on it. They are brought from npm, once. */
export function bringRuntimes(/** @type {readonly string[]} */ wanted) {
  if (!installPackages(new URL("versions/", import.meta.url), "runtimes")) return undefined;
  const unknown = wanted.find((name) => !Object.hasOwn(COMMANDS, name));
  if (unknown !== undefined)
    throw new Error(`There is no runtime "${unknown}". There are ${Object.keys(COMMANDS).join(", ")}.`);
  const isThere = (/** @type {string} */ name) => existsSync(COMMANDS[name][0]);
  const names = wanted.length > 0 ? wanted : Object.keys(COMMANDS);
  // npm has not each of them for each system.
  for (const name of names) if (!isThere(name)) console.log(`${name} is not there for ${platform} on ${arch}: not run`);
  return names.filter(isThere).map((name) => ({ name, command: COMMANDS[name] }));
}
