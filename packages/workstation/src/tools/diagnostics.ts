import process from "node:process";
import { type Call, type Tool, tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import { describePolicy, httpFacts, machineFacts, serverFacts, userFacts } from "../machine/facts.js";
import { installedPrograms } from "../machine/installed-programs.js";
import { maskEnvironment } from "../machine/mask-environment.js";
import type { Workstation } from "../workstation.js";

const word = { type: "string" } as const;
const words = { type: "array", items: word } as const;
const number = { type: "integer" } as const;

/** The tools that describe the machine and the server. */
export const diagnosticTools = (workstation: Workstation): readonly Tool[] => [
  ciDiagnostics(workstation),
  debugGetAll(workstation),
  ...SECTIONS.map((section) => debugSection(workstation, section)),
];

const ciDiagnostics = (workstation: Workstation) =>
  tool({
    name: "ci_diagnostics",
    title: "Build diagnostics",
    description:
      "Describes the machine, the installed build tools with their versions, the allowed folders, and what the settings allow.",
    toolset: "builds",
    aliases: ["GetDiagnostics"],
    output: {
      type: "object",
      properties: {
        os: { type: "object" },
        arch: word,
        is_64_bit: { type: "boolean" },
        cpus: number,
        memory: { type: "object" },
        cwd: { type: ["string", "null"] },
        runtime: { type: "object" },
        programs: { type: "object", additionalProperties: { type: ["string", "null"] } },
        roots: words,
        policy: {
          type: "object",
          properties: {
            allowed: words,
            refused: { type: "array", items: { type: "object", properties: { what: word, setting: word } } },
          },
        },
      },
      required: ["os", "arch", "is_64_bit", "cpus", "memory", "runtime", "programs", "roots", "policy"],
    },
    annotations: READ,
    async run(_input, call) {
      const { roots } = await workstation.accessFor(call);
      const programs = await installedPrograms(call, roots);
      const policy = describePolicy(workstation.settings, roots);
      return { ...machineFacts(), programs, roots: [...roots], policy };
    },
  });

const ENVIRONMENT = {
  type: "object",
  properties: {
    variables: { type: "object", additionalProperties: word },
    total: number,
    masked: number,
    left_out: number,
  },
  required: ["variables", "total", "masked", "left_out"],
} as const;

const SERVER = {
  type: "object",
  properties: {
    name: word,
    version: word,
    node: word,
    pid: number,
    uptime_s: number,
    memory: { type: "object", additionalProperties: number },
    tools: number,
    calls_running: number,
    sessions: number,
    roots: words,
  },
  required: ["name", "version", "node", "pid", "uptime_s", "memory", "tools", "roots"],
} as const;

const HTTP = {
  type: "object",
  properties: {
    available: { type: "boolean" },
    reason: word,
    headers: { type: "object", additionalProperties: word },
  },
  required: ["available"],
} as const;

const USER = {
  type: "object",
  properties: { available: { type: "boolean" }, reason: word, principal: word, scopes: words },
  required: ["available"],
} as const;

const SECTIONS = ["environment", "server", "http", "user"] as const;
type Section = (typeof SECTIONS)[number];

/** Describes one section. */
async function describe(workstation: Workstation, section: Section, call: Call) {
  const { host } = workstation;
  if (section === "environment") return { ...maskEnvironment(process.env, host.redaction) };
  if (section === "http") return httpFacts(call, host);
  if (section === "user") return userFacts(call);
  return { ...serverFacts(host), roots: [...(await workstation.accessFor(call)).roots] };
}

const debugGetAll = (workstation: Workstation) =>
  tool({
    name: "debug_get_all",
    title: "Describe the server",
    description:
      "Describes this server: its environment variables, process, the HTTP headers of the call, and the caller. Secrets are masked.",
    toolset: "debug",
    input: {
      type: "object",
      properties: {
        sections: {
          type: "array",
          items: { enum: SECTIONS },
          default: SECTIONS,
          description: "What to describe; everything by default",
        },
      },
    },
    output: { type: "object", properties: { environment: ENVIRONMENT, server: SERVER, http: HTTP, user: USER } },
    annotations: READ,
    async run({ sections }, call) {
      const entries = sections.map(async (section) => [section, await describe(workstation, section, call)] as const);
      return Object.fromEntries(await Promise.all(entries));
    },
  });

const REPLACED = {
  environment: { name: "debug_print_env", title: "Environment variables", output: ENVIRONMENT },
  server: { name: "debug_get_server_info", title: "Server process", output: SERVER },
  http: { name: "debug_get_http_headers", title: "HTTP headers", output: HTTP },
  user: { name: "debug_get_user_claims", title: "Caller", output: USER },
} as const;

/** The tools that debug_get_all replaces. */
const debugSection = (workstation: Workstation, section: Section): Tool =>
  tool({
    // The output schemas differ, and each is the schema of its section.
    ...(REPLACED[section] as { readonly name: string; readonly title: string; readonly output: typeof ENVIRONMENT }),
    replacedBy: "debug_get_all",
    description: `The same as debug_get_all with the section ${section}.`,
    toolset: "debug",
    annotations: READ,
    run: async (_input: object, call: Call): Promise<never> => (await describe(workstation, section, call)) as never,
  });
