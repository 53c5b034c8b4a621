// The declarations that an author's program can come by: what an entry exports, and all that this is said with. tsc writes those of
// every module, with all that other modules of the engine take from it.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type|let|var|namespace) (?<name>[\w$]+)/;
const LIST = /^(?<word>import|export) (?<type>type )?\{(?<names>[^}]*)\}(?: from "(?<from>[^"]+)")?;/;
const COMMENT = /\/\*\*[^]*?\*\/\s*/g;
const START = /(?:^\/\*\*(?:(?!\*\/)[^])*\*\/\n)*^(?:export|import|declare|interface|type|class|abstract)\b/gm;

/** What only the engine gives to itself: an author's program could do nothing with it. */
const OWN = { "server/link.d.ts": ["narrowing", "claims"], "client/client.d.ts": ["constructor"] };

/** The modules below a folder that the entries lead to, by their files; `kept` are the statements that they lead to there. */
export function readReached(folder, entries) {
  const modules = new Map();
  const open = (file) => {
    if (!existsSync(file)) throw new Error(`Cannot follow the declarations to ${file}: there is no such file`);
    if (!modules.has(file)) modules.set(file, readModule(file, OWN[path.relative(folder, file)] ?? [], open));
    return modules.get(file);
  };
  for (const entry of entries) {
    const module = open(path.join(folder, `${entry}.d.ts`));
    for (const statement of module.statements) if (statement.list?.word !== "import") keep(module, statement);
  }
  return modules;
}

/** A statement begins with a word that is not indented, and with the comments before it. */
function readModule(file, own, open) {
  const text = own.reduce(withoutMember, readFileSync(file, "utf8"));
  const starts = [...text.matchAll(START)].map(({ index }) => index);
  const statements = starts.map((start, at) => {
    const part = text.slice(start, starts[at + 1]);
    const code = part.replaceAll(COMMENT, "");
    return { text: part, code, ...readStatement(code) };
  });
  return { file, statements, kept: new Set(), other: (from) => open(path.join(path.dirname(file), toDeclared(from))) };
}

const toDeclared = (from) => from.replace(/\.js$/, ".d.ts");

function withoutMember(text, name) {
  const member = new RegExp(`(?:^ +/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?^ +(?:readonly )?${name}\\b[^\\n]*;\\n`, "m");
  if (!member.test(text)) throw new Error(`Cannot leave "${name}" out of the declarations: it is not there`);
  return text.replace(member, name === "constructor" ? "    private constructor();\n" : "");
}

function readStatement(code) {
  const list = LIST.exec(code)?.groups;
  if (list === undefined) {
    const name = DECLARED.exec(code)?.groups.name;
    if (name === undefined && !/^export \{\s*\}/.test(code)) throw new Error(`Cannot follow the declaration ${code}`);
    return { name };
  }
  const pairs = list.names
    .split(",")
    .map((each) => each.trim().replace(/^type /, ""))
    .filter((each) => each !== "");
  return {
    list: { ...list, pairs: pairs.map((each) => each.split(" as ")).map(([theirs, ours = theirs]) => [theirs, ours]) },
  };
}

/** Keeps a statement, and all that it is said with. */
function keep(module, statement) {
  if (module.kept.has(statement)) return;
  module.kept.add(statement);
  const names = statement.list?.pairs.map(([, ours]) => ours) ?? wordsOf(statement.code);
  for (const name of names) {
    const found = resolve(module, name);
    for (const one of found?.module?.statements ?? []) if (one.name === found.name) keep(found.module, one);
  }
}

/** The names of types, which begin with a capital letter, and of values whose type is asked for. */
const wordsOf = (code) =>
  new Set([...code.matchAll(/(?<![\w$.])[A-Z][\w$]*|(?<=\btypeof )[\w$]+/g)].map(([word]) => word));

/** What a name means in a module: a declaration of a module, something of a package (`from`), or undefined: nothing of ours. */
export function resolve(module, name) {
  if (module.statements.some((statement) => statement.name === name)) return { module, name };
  for (const { list } of module.statements) {
    const pair = list?.pairs.find(([, ours]) => ours === name);
    if (pair === undefined) continue;
    if (list.from === undefined) return resolve(module, pair[0]);
    return list.from.startsWith(".") ? resolve(module.other(list.from), pair[0]) : { from: list.from, name: pair[0] };
  }
  return undefined;
}
