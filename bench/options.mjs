import { parseArgs } from "node:util";

const usage = `npm run bench -- [options]

  --quick            fewer and shorter passes: about a minute, for a first look
  --only PATTERN     only the cells whose name matches (also: cold, memory, stream, validate, surface, channels,
                     watching, workstation, templates, analysis, churn, todo, threats, serve-cold, http.sessions, http.install); "^http|channels" is all that is not stdio
  --servers A,B      only these servers, besides the floor
  --rounds N         how often each cell is measured with fresh processes
  --json FILE        everything that was measured, as JSON
  --page             writes the figures and the tables of docs/compare.md; not with --only or --servers
`;

/** How much is measured, as the command line asks for it. */
export function readOptions(/** @type {string[]} */ args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      servers: { type: "string" },
      rounds: { type: "string" },
      json: { type: "string" },
      page: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error("--rounds takes a number from 1 to 50");
  if (values.page && (values.only ?? values.servers) !== undefined)
    throw new Error("--page takes no --only and no --servers: the page has all of them");
  return {
    only: values.only === undefined ? undefined : new RegExp(values.only),
    servers: values.servers?.split(","),
    json: values.json,
    page: values.page,
    rounds,
    passes: values.quick ? 2 : 3,
    passMillis: values.quick ? 60 : 100,
    httpPassMillis: values.quick ? 100 : 200,
    warmMillis: values.quick ? 150 : 500,
    starts: values.quick ? 3 : 8,
    calls: values.quick ? 20_000 : 100_000,
    streamBytes: values.quick ? 20e6 : 100e6,
    heldSessions: 1000,
    historyCommits: values.quick ? 20_000 : 50_000,
    treeMegabytes: values.quick ? 50 : 500,
    passedSessions: values.quick ? 10_000 : 100_000,
    longestSeconds: 400 + 260 * rounds,
  };
}
