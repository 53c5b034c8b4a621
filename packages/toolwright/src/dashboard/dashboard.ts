import { basename } from "node:path";
import { ToolError } from "@toolwright/engine";
import type { PageEventStream, PageRequest, PageResponse, Pages } from "@toolwright/engine/http";
import type { KnowledgeContext as Base } from "@toolwright/knowledge/knowledge-context.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";
import { answerElsewhere, answerFile, answerPage } from "./answer.js";
import { FILE_PATHS, FILES } from "./assets/files.js";
import { Feed, newestSeq, type Watched } from "./feed.js";
import { layout } from "./layout.js";
import { Samples } from "./traffic/samples.js";
import type { Shown } from "./view.js";
import { showActivity } from "./views/activity.js";
import { showBoard } from "./views/board.js";
import { showGraph } from "./views/graph.js";
import { type Subject, showFault, showNothing } from "./views/missing.js";
import { showSearch } from "./views/search.js";
import { type ShownServer, showServer } from "./views/server.js";
import { showTask } from "./views/task.js";
import { changeTask, type Deed } from "./writing/change.js";
import { showUnlock } from "./writing/forms.js";
import { isFromHere, WriteKey } from "./writing/write-key.js";

/** What a dashboard shows, and what it lets people do. */
export interface DashboardOptions {
  readonly version: string;
  /** The tasks; undefined where there are none to show. */
  readonly desk: Desk | undefined;
  /** The knowledge base; undefined where there is none to show. */
  readonly base?: Base | undefined;
  readonly shown: ShownServer;
  /** What unlocks changes; undefined = nothing can be changed. */
  readonly writeToken?: string | undefined;
}

/** The pages of a dashboard, until it is closed. */
export interface Dashboard extends Pages {
  /** Ends what it does for open pages. The desk and the knowledge base stay open. */
  close(): void;
}

const PLACES =
  /^\/(?:|graph|activity|search|server|events|unlock|lock|assets\/[\w.-]+|tasks\/[^/]+(?:\/(?:done|priority))?|knowledge(?:\/(?:search|(?:collections|documents)\/[^/]+))?)$/;
const TASK = /^\/tasks\/([^/]+)$/;
const OF_KNOWLEDGE = /^\/knowledge(?:\/|$)/;
const OF_ONE = /^\/knowledge\/(collections|documents)\/([^/]+)$/;
const KNOWLEDGE: Subject = { missing: "Nothing of that name", path: "/knowledge", name: "all knowledge" };
const CHANGE = /^\/tasks\/([^/]+)\/(done|priority)$/;

/** What a form sends is never longer. */
const FORM_BYTES = 4096;

type Answer = PageResponse | PageEventStream;

/** Makes the pages of a dashboard. Throws `TypeError` for a write token that could be guessed. */
export function createDashboard({ version, desk, base, shown, writeToken }: DashboardOptions): Dashboard {
  const key = writeToken === undefined ? undefined : new WriteKey(writeToken);
  const watched = watchedOf(desk, base);
  const feed = watched.length === 0 ? undefined : new Feed(watched);
  const samples = new Samples(shown.server.metrics);

  const stateOf = (request: PageRequest): "never" | "locked" | "unlocked" =>
    key === undefined ? "never" : key.isIn(request) ? "unlocked" : "locked";

  const send = async (request: PageRequest, page: Shown): Promise<PageResponse> => {
    const [seq, tasks] = [await newestSeq(watched), await placeOf(desk)];
    const place = OF_KNOWLEDGE.test(request.path) ? await placeOf(base) : tasks;
    const has = { hasTasks: tasks !== undefined, hasKnowledge: base !== undefined };
    const frame = { version, files: FILE_PATHS, seq, ...has, place, writing: stateOf(request) };
    return answerPage(request, page.status ?? 200, layout(page, frame));
  };

  const find = async (request: PageRequest): Promise<Shown> => {
    const { path } = request;
    if (path === "/server") return showServer(shown, samples, new Date().toISOString());
    if (path === "/unlock") return showUnlock(stateOf(request), shown);
    if (OF_KNOWLEDGE.test(path)) return base === undefined ? showNothing() : findKnowledge(base, request);
    if (desk === undefined) return showNothing();
    const query = new URLSearchParams(request.query);
    const view = { desk, now: desk.now(), query, canWrite: stateOf(request) === "unlocked" };
    const [, id] = TASK.exec(path) ?? [];
    if (id !== undefined) return showTask(view, decode(id));
    const show = VIEWS[path];
    return show === undefined ? showNothing() : show(view);
  };

  const get = async (request: PageRequest): Promise<Answer> => {
    const { path } = request;
    const file = FILES.get(path);
    if (file !== undefined) return answerFile(request, file.type, file.text);
    if (path === "/events" && feed !== undefined) return feed.isFull ? tooMany() : feed.events();
    if (path === "/" && desk === undefined) return answerElsewhere(base === undefined ? "/server" : "/knowledge");
    const subject = OF_KNOWLEDGE.test(path) ? KNOWLEDGE : undefined;
    return send(request, await find(request).catch((error: unknown) => showFault(error, subject)));
  };

  const change = async (request: PageRequest, id: string, deed: Deed): Promise<PageResponse> => {
    if (desk === undefined || stateOf(request) !== "unlocked")
      return send(request, { ...showUnlock(stateOf(request), shown), status: 403 });
    const form = new URLSearchParams((await request.read(FORM_BYTES)) ?? "");
    try {
      await changeTask(desk, decode(id), deed, form, request.principal);
    } catch (error) {
      return send(request, showFault(error));
    }
    return answerElsewhere(`/tasks/${id}`);
  };

  const post = async (request: PageRequest): Promise<PageResponse> => {
    const { path, isSecure } = request;
    if (!isFromHere(request)) return send(request, showFault(foreign()));
    const [, id, deed] = CHANGE.exec(path) ?? [];
    if (id !== undefined) return change(request, id, deed as Deed);
    if (path === "/lock" && key !== undefined)
      return answerElsewhere("/unlock", { "set-cookie": key.cookie("", isSecure) });
    if (path !== "/unlock" || key === undefined) return send(request, { ...showUnlock("never", shown), status: 403 });
    const token = new URLSearchParams((await request.read(FORM_BYTES)) ?? "").get("token")?.trim() ?? "";
    if (!key.fits(token)) return send(request, showUnlock("locked", { ...shown, isWrong: true }));
    return answerElsewhere("/", { "set-cookie": key.cookie(token, isSecure) });
  };

  return {
    matches: (path) => PLACES.test(path),
    serve: (request) => {
      const { method, path } = request;
      const isForm = CHANGE.test(path) || path === "/lock";
      if ((method === "GET" || method === "HEAD") && !isForm) return get(request);
      if (method === "POST" && (isForm || path === "/unlock")) return post(request);
      return {
        status: 405,
        headers: { allow: isForm ? "POST" : path === "/unlock" ? "GET, HEAD, POST" : "GET, HEAD" },
      };
    },
    close: () => {
      feed?.close();
      samples.close();
    },
  };
}

const VIEWS: Readonly<Record<string, typeof showBoard>> = {
  "/": showBoard,
  "/graph": showGraph,
  "/activity": showActivity,
  "/search": showSearch,
};

/** What shows knowledge is read when somebody first looks. */
async function findKnowledge(base: Base, request: PageRequest): Promise<Shown> {
  const query = new URLSearchParams(request.query);
  const view = { base, now: base.now(), query };
  const [, kind, name = ""] = OF_ONE.exec(request.path) ?? [];
  if (kind === "collections")
    return (await import("./views/knowledge-collection.js")).showCollection(view, decode(name));
  if (kind === "documents") return (await import("./views/knowledge-document.js")).showDocument(view, decode(name));
  if (request.path === "/knowledge/search") return (await import("./views/knowledge-search.js")).showPassages(view);
  return (await import("./views/knowledge.js")).showKnowledge(view);
}

const watchedOf = (desk: Desk | undefined, base: Base | undefined): readonly Watched[] => [
  ...(desk === undefined ? [] : [{ of: desk, newest: "SELECT max(seq) AS seq FROM events" }]),
  ...(base === undefined ? [] : [{ of: base, newest: "SELECT max(seq) AS seq FROM changes" }]),
];

/** Where a database is; nothing where it cannot be opened, which the page itself says. */
async function placeOf(of: Desk | Base | undefined): Promise<string | undefined> {
  try {
    const place = (await of?.ledger())?.place;
    // Where the folder is, is nothing for whoever looks from elsewhere.
    return place === undefined || place.includes("://") ? place : basename(place);
  } catch {
    return undefined;
  }
}

const tooMany = (): PageResponse => ({ status: 503, headers: { "retry-after": "10" } });

const foreign = (): ToolError =>
  new ToolError("Cannot change anything for a page of another site.", { code: "FORBIDDEN" });

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
