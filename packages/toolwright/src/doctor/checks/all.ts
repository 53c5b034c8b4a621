import type { Context, HttpContext, ProgramContext } from "../context.js";
import type { Check, GroupId } from "../finding.js";
import { CALL_CHECKS } from "./calls.js";
import { ERA_CHECKS, HANDSHAKE_CHECKS } from "./handshake.js";
import { BODY_CHECKS, SESSION_CHECKS } from "./http-requests.js";
import { authorization, GUARD_CHECKS } from "./http-security.js";
import { LIST_CHECKS, SCHEMA_CHECKS, tokens } from "./lists.js";
import { MESSAGE_CHECKS, shapes } from "./messages.js";
import { END_CHECKS, LIMIT_CHECKS, START_CHECKS } from "./process.js";
import { LINE_CHECKS } from "./stdio-messages.js";

/** The groups of checks, in order. */
export const GROUPS: Readonly<Record<GroupId, string>> = {
  start: "Start and end",
  handshake: "Handshake and revisions",
  wire: "Messages",
  lists: "Lists and tokens",
  schemas: "Schemas, by vendor",
  errors: "Errors",
  limits: "Limits",
  http: "HTTP",
};

const COMMON: readonly Check<Context>[] = [
  ...HANDSHAKE_CHECKS,
  ...ERA_CHECKS,
  shapes,
  ...MESSAGE_CHECKS,
  ...LIST_CHECKS,
  tokens,
  ...SCHEMA_CHECKS,
  ...CALL_CHECKS,
];

const inOrder = <Each extends { readonly group: GroupId }>(checks: readonly Each[]): readonly Each[] =>
  (Object.keys(GROUPS) as GroupId[]).flatMap((group) => checks.filter((check) => check.group === group));

/** The groups of a transport. */
export const groupsOver = (transport: "stdio" | "http"): ReadonlySet<GroupId> =>
  new Set((transport === "http" ? HTTP_CHECKS : PROGRAM_CHECKS).map(({ group }) => group));

/** The checks of a program. */
export const PROGRAM_CHECKS: readonly Check<ProgramContext>[] = inOrder<Check<ProgramContext>>([
  ...START_CHECKS,
  ...END_CHECKS,
  ...COMMON,
  ...LINE_CHECKS,
  ...LIMIT_CHECKS,
]);

/** The checks of a URL. */
export const HTTP_CHECKS: readonly Check<HttpContext>[] = inOrder<Check<HttpContext>>([
  ...COMMON,
  ...GUARD_CHECKS,
  ...BODY_CHECKS,
  ...SESSION_CHECKS,
  authorization,
]);
