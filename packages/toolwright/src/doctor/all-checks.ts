import { CALL_CHECKS } from "./checks/calls.js";
import { HANDSHAKE_CHECKS } from "./checks/handshake.js";
import { authorization } from "./checks/http-authorization.js";
import { BODY_CHECKS } from "./checks/http-bodies.js";
import { GUARD_CHECKS } from "./checks/http-guards.js";
import { SESSION_CHECKS } from "./checks/http-sessions.js";
import { LIST_CHECKS } from "./checks/lists.js";
import { MESSAGE_CHECKS } from "./checks/messages.js";
import { END_CHECKS } from "./checks/program-end.js";
import { LIMIT_CHECKS } from "./checks/program-limits.js";
import { LINE_CHECKS } from "./checks/program-lines.js";
import { START_CHECKS } from "./checks/program-start.js";
import { SCHEMA_CHECKS } from "./checks/schemas.js";
import { shapes } from "./checks/shapes.js";
import { ERA_CHECKS } from "./checks/stateless.js";
import { tokens } from "./checks/tokens.js";
import type { Context, HttpContext, ProgramContext } from "./context.js";
import type { Check, GroupId } from "./finding.js";

/** The parts of a report, in their order. */
export const GROUPS: Readonly<Record<GroupId, string>> = {
  start: "Start and end",
  handshake: "Handshake and eras",
  wire: "Messages on the wire",
  lists: "Lists and what they cost",
  schemas: "Schemas, by vendor",
  errors: "Errors that help",
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

/** The parts that there are for a transport. */
export const groupsOver = (transport: "stdio" | "http"): ReadonlySet<GroupId> =>
  new Set((transport === "http" ? HTTP_CHECKS : PROGRAM_CHECKS).map(({ group }) => group));

/** What a program is asked. */
export const PROGRAM_CHECKS: readonly Check<ProgramContext>[] = inOrder<Check<ProgramContext>>([
  ...START_CHECKS,
  ...END_CHECKS,
  ...COMMON,
  ...LINE_CHECKS,
  ...LIMIT_CHECKS,
]);

/** What a server behind a URL is asked. */
export const HTTP_CHECKS: readonly Check<HttpContext>[] = inOrder<Check<HttpContext>>([
  ...COMMON,
  ...GUARD_CHECKS,
  ...BODY_CHECKS,
  ...SESSION_CHECKS,
  authorization,
]);
