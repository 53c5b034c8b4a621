import type { Frame } from "@toolwright/engine/observability";

/** A request as it was seen to cross the wire. Nothing of what was asked or answered is in it. */
export interface RecentCall {
  /** In ISO 8601. */
  readonly at: string;
  /** The method, and the tool or prompt where it names one. */
  readonly name: string;
  /** Undefined while it is not answered. */
  readonly ms: number | undefined;
  readonly ending: "running" | "ok" | "failed" | "refused";
}

interface Seen {
  readonly began: number;
  call: RecentCall;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
  readonly result?: { readonly isError?: unknown };
  readonly error?: unknown;
}

/** The requests among the last messages of a server, the newest first. */
export function recentCalls(frames: readonly Frame[], most: number): readonly RecentCall[] {
  const all: Seen[] = [];
  const open = new Map<string, Seen>();
  for (const frame of frames) {
    const message = read(frame);
    if (message?.id === undefined || message.id === null) continue;
    const key = `${frame.session} ${JSON.stringify(message.id)}`;
    const known = open.get(key);
    if (frame.from === "client" && typeof message.method === "string") {
      const at = new Date(frame.timestamp).toISOString();
      const seen: Seen = {
        began: frame.timestamp,
        call: { at, name: nameOf(message), ms: undefined, ending: "running" },
      };
      all.push(seen);
      // An id that is used again is another call.
      open.set(key, seen);
    } else if (frame.from === "server" && message.method === undefined && known !== undefined) {
      known.call = { ...known.call, ms: frame.timestamp - known.began, ending: endingOf(message) };
      open.delete(key);
    }
  }
  return all
    .slice(-most)
    .map(({ call }) => call)
    .toReversed();
}

function nameOf({ method, params }: Message): string {
  return typeof params?.name === "string" ? `${String(method)} ${params.name}` : String(method);
}

function endingOf({ result, error }: Message): RecentCall["ending"] {
  if (error !== undefined) return "refused";
  return result?.isError === true ? "failed" : "ok";
}

/** Of a message that was cut, its head says enough. */
function read({ text, originalLength: cut }: Frame): Message | undefined {
  if (cut !== undefined) return readHead(text);
  try {
    const message = JSON.parse(text) as Message | readonly Message[] | null;
    return Array.isArray(message) ? undefined : ((message ?? undefined) as Message | undefined);
  } catch {
    return undefined;
  }
}

function readHead(text: string): Message | undefined {
  const id = /"id":("(?:[^"\\]|\\.)*"|-?\d+)/.exec(text)?.[1];
  if (id === undefined) return undefined;
  const method = /"method":"([\w/]+)"/.exec(text)?.[1];
  const name = /"name":"([^"\\]*)"/.exec(text)?.[1];
  return {
    id: JSON.parse(id) as unknown,
    ...(method !== undefined && { method }),
    ...(name !== undefined && { params: { name } }),
  };
}
