import { makeSurvey, type Survey } from "./snapshot.js";
import type { Talk } from "./wire/connection.js";
import { type HttpTalk, HttpWire, openHttp } from "./wire/http.js";
import { type Era, NEWEST_HANDSHAKE, type Speaker } from "./wire/protocol.js";
import { openProgram, Program, type ProgramTalk, type ProgramTarget } from "./wire/stdio.js";

/** A server that is to be examined: a program that is started, or a URL. */
export type Subject = { readonly name: string } & (
  | ProgramTarget
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
);

/** How an examination is done. */
export interface Limits {
  /** How long an answer may take. */
  readonly patienceMs: number;
  /** How long a check may take. */
  readonly checkMs: number;
  /** How long all of it may take; what is left then is not examined. */
  readonly totalMs: number;
  /** A tool that may be called though it is not marked as one that only reads. */
  readonly mayCall?: string;
}

/** How long silence has to last, once the server has answered something that was sent later. */
export const QUIET_MS = 400;

/** What the checks of every server are given. */
export interface Context {
  readonly limits: Limits;
  /** Opens a conversation; everything that was opened is closed after the check. */
  open(era?: Era, client?: string): Promise<Talk>;
  /** The conversation of all checks that ask only what leaves a server as it is: each start costs the user time. */
  share(era: Era): Promise<Talk>;
  /** What was seen in each revision; made once. */
  survey(): Promise<Survey>;
}

/** What the checks of a program are given. */
export interface ProgramContext extends Context {
  /** Starts it without a word. */
  start(): Program;
  open(era?: Era, client?: string): Promise<ProgramTalk>;
  share(era: Era): Promise<ProgramTalk>;
}

/** What the checks of a server behind a URL are given. */
export interface HttpContext extends Context {
  readonly wire: HttpWire;
  open(era?: Era, client?: string): Promise<HttpTalk>;
}

type Closing = () => Promise<void>;

/** Things to be closed, however a check ends, and those that are kept for the next one. */
export interface Opened {
  readonly byCheck: Set<Closing>;
  readonly shared: Set<Closing>;
}

const speakerOf = (name: string): Speaker => ({ name, version: "1.0.0" });
const OWN_NAME = "toolwright-doctor";

/** What the checks of a program get. */
export function createProgramContext(target: ProgramTarget, limits: Limits, opened: Opened): ProgramContext {
  const open = async (era = NEWEST_HANDSHAKE, client = OWN_NAME): Promise<ProgramTalk> => {
    const talk = await openProgram(target, era, speakerOf(client), limits.patienceMs);
    opened.byCheck.add(() => talk.close());
    return talk;
  };
  const share = sharing((era) => openProgram(target, era, speakerOf(OWN_NAME), limits.patienceMs), opened.shared);
  return {
    limits,
    open,
    share,
    start() {
      const program = new Program(target, limits.patienceMs);
      opened.byCheck.add(() => program.stop());
      return program;
    },
    survey: once(() => makeSurvey(open, share)),
  };
}

/** What the checks of a URL get. */
export function createHttpContext(
  target: { readonly url: string; readonly headers?: Readonly<Record<string, string>> },
  limits: Limits,
  opened: Opened,
): HttpContext {
  const wire = new HttpWire(new URL(target.url), target.headers ?? {}, limits.patienceMs);
  const open = async (era = NEWEST_HANDSHAKE, client = OWN_NAME): Promise<HttpTalk> => {
    const talk = await openHttp(wire, era, speakerOf(client));
    opened.byCheck.add(() => talk.close());
    return talk;
  };
  // Some serve one session at a time, so that none may last.
  return { limits, wire, open, share: open, survey: once(() => makeSurvey(open, open)) };
}

/** One conversation for each revision, opened again where the process has ended. */
function sharing(open: (era: Era) => Promise<ProgramTalk>, shared: Set<Closing>): (era: Era) => Promise<ProgramTalk> {
  const talks = new Map<string, ProgramTalk>();
  return async (era) => {
    const known = talks.get(era.version);
    if (known !== undefined && known.program.ending === undefined) return known;
    const talk = await open(era);
    shared.add(() => talk.close());
    talks.set(era.version, talk);
    return talk;
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
