import { spawn } from "node:child_process";
import { once } from "node:events";

/** A repeatable sequence of numbers. */
function createRandom() {
  let state = 7;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const line = (/** @type {number} */ n) => `  const value${n} = compute(${n}, "${n.toString(36)}");\n`;

/** Makes a repository whose commits change a few files each: new ones, old ones, some under another name. */
export async function makeHistory(/** @type {string} */ folder, /** @type {number} */ commits) {
  const git = (/** @type {string[]} */ ...args) =>
    spawn("git", args, { cwd: folder, stdio: ["pipe", "ignore", "inherit"] });
  await once(git("init", "--quiet", "--initial-branch=main"), "exit");
  // What takes time to pack takes no time to read.
  const importer = git("-c", "core.compression=0", "fast-import", "--quiet", "--depth=0");
  const ended = once(importer, "exit");
  const random = createRandom();
  const began = Math.floor(Date.now() / 1000) - commits * 600;
  /** @type {{ name: string, lines: string[] }[]} */
  const files = [];
  let made = 0;
  let text = "";

  const nameOf = () => `src/part-${random(40)}/file-${(made += 1)}.ts`;
  const put = (/** @type {{ name: string, lines: string[] }} */ { name, lines }) => {
    const body = lines.join("");
    text += `M 100644 inline ${name}\ndata ${body.length}\n${body}\n`;
  };
  const create = () => {
    const file = { name: nameOf(), lines: Array.from({ length: 40 + random(80) }, () => line(random(1e6))) };
    files.push(file);
    put(file);
  };
  const move = (/** @type {{ name: string }} */ file) => {
    const to = nameOf();
    text += `R ${file.name} ${to}\n`;
    file.name = to;
  };
  const edit = (/** @type {{ name: string, lines: string[] }} */ file) => {
    for (let left = 1 + random(4); left > 0; left--)
      file.lines.splice(random(file.lines.length), random(2), line(random(1e6)));
    put(file);
  };

  for (let at = 0; at < commits; at++) {
    const who = `Author ${random(40)} <author@example.com> ${began + at * 600} +0000`;
    const subject = `Change ${at}`;
    text += `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${subject.length}\n${subject}\n`;
    const start = random(Math.max(1, files.length));
    // Neighbours change together, as they do in real histories.
    const touched = files.slice(start, start + 1 + random(4));
    if (touched.length === 0 || random(8) === 0) create();
    for (const file of touched) (random(60) === 0 ? move : edit)(file);
    text += "\n";
    if (text.length > 1 << 20) {
      if (!importer.stdin.write(text)) await once(importer.stdin, "drain");
      text = "";
    }
  }
  importer.stdin.end(text);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}
