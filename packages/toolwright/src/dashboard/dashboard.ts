import { type LogEntry, ToolError } from "@toolwright/engine";
import type { PageRequest as HttpRequest, PageEventStream, PageResponse, Pages } from "@toolwright/engine/http";
import type { ChangeFeed, Page, PageContent, PageRequest } from "@toolwright/kit/pages";
import { Assets } from "./assets.js";
import { EventFeed } from "./feed.js";
import { layout } from "./layout.js";
import { redirectTo, respondWithAsset, respondWithPage } from "./responses.js";
import { type Route, Router } from "./router.js";
import { renderServer, type ShownServer } from "./server-page.js";
import { errorPage, notFoundPage, unlockPage, type WriteState } from "./system-pages.js";
import { CallSamples } from "./traffic.js";
import { isSameOrigin, WriteAccess } from "./write-access.js";

/** The options of `createDashboard`. */
export interface DashboardOptions {
  readonly version: string;
  /** The pages of the packs that are on at the moment. The same list is returned while nothing changes. */
  readonly pages: () => readonly Page[];
  readonly server: ShownServer;
  readonly log: (entry: LogEntry) => void;
  /** The token that unlocks actions; undefined = the dashboard is read-only. */
  readonly writeToken?: string | undefined;
}

/** A dashboard, until it is closed. */
export interface Dashboard extends Pages {
  /** Ends the streams of open pages. */
  close(): void;
}

const SERVER_PATH = "/server";

/** Forms are smaller. */
const MAX_FORM_BYTES = 4096;

/** Creates a dashboard from the pages of packs. Throws `TypeError` for a write token that is too short. */
export function createDashboard(options: DashboardOptions): Dashboard {
  return new PackDashboard(options);
}

class PackDashboard implements Dashboard {
  readonly #options: DashboardOptions;
  readonly #access: WriteAccess | undefined;
  readonly #assets = new Assets();
  readonly #feed: EventFeed;
  readonly #samples: CallSamples;
  #routerPages: readonly Page[] | undefined;
  #router = new Router([], () => undefined);

  constructor(options: DashboardOptions) {
    this.#options = options;
    this.#access = options.writeToken === undefined ? undefined : new WriteAccess(options.writeToken);
    this.#feed = new EventFeed(() => this.#changeFeeds, options.log);
    this.#samples = new CallSamples(options.server.server.metrics);
  }

  matches(path: string): boolean {
    return OWN_PATHS.test(path) || this.#routes.find(path) !== undefined;
  }

  serve(request: HttpRequest): PageResponse | PageEventStream | Promise<PageResponse | PageEventStream> {
    const { method, path } = request;
    const isForm = path === "/lock" || this.#routes.find(path)?.action !== undefined;
    if ((method === "GET" || method === "HEAD") && !isForm) return this.#get(request);
    if (method === "POST" && (isForm || path === "/unlock")) return this.#post(request);
    const allow = isForm ? "POST" : path === "/unlock" ? "GET, HEAD, POST" : "GET, HEAD";
    return { status: 405, headers: { allow } };
  }

  close(): void {
    this.#feed.close();
    this.#samples.close();
  }

  /** The router of the pages at the moment: packs can be switched on and off. */
  get #routes(): Router {
    const pages = this.#options.pages();
    if (pages !== this.#routerPages) {
      this.#routerPages = pages;
      this.#router = new Router(pages, this.#options.log);
    }
    return this.#router;
  }

  get #changeFeeds(): readonly ChangeFeed[] {
    return [...new Set(this.#routes.pages.flatMap(({ changes }) => changes ?? []))];
  }

  get #navPages(): readonly Page[] {
    return this.#routes.pages
      .filter(({ nav }) => nav !== undefined)
      .toSorted((one, other) => (one.nav?.order ?? 0) - (other.nav?.order ?? 0));
  }

  #writeState(request: HttpRequest): WriteState {
    if (this.#access === undefined) return "never";
    return this.#access.isUnlocked(request) ? "unlocked" : "locked";
  }

  async #get(request: HttpRequest): Promise<PageResponse | PageEventStream> {
    const { path } = request;
    const asset = this.#assets.find(path);
    if (asset !== undefined) return respondWithAsset(request, asset.type, asset.text);
    if (path === "/events" && this.#changeFeeds.length > 0)
      return this.#feed.isFull ? { status: 503, headers: { "retry-after": "10" } } : this.#feed.open();
    if (path === "/") return redirectTo(this.#navPages[0]?.path ?? SERVER_PATH);
    // A change during rendering must reload the page.
    const position = await this.#feed.position();
    if (path === SERVER_PATH) {
      const content = await renderServer(this.#options.server, this.#samples);
      return this.#respond(request, { title: "Server", ...content }, { position });
    }
    if (path === "/unlock") return this.#respondWithUnlock(request, { position });
    const route = this.#routes.find(path);
    if (route === undefined) return this.#respond(request, notFoundPage(), { position });
    try {
      const content = await route.page.render(this.#toPageRequest(request, route));
      return await this.#respond(request, { title: route.page.title, ...content }, { position, page: route.page });
    } catch (error) {
      return this.#respondWithError(request, error, route);
    }
  }

  async #post(request: HttpRequest): Promise<PageResponse> {
    const { path } = request;
    if (!isSameOrigin(request))
      return this.#respondWithError(
        request,
        new ToolError("The form comes from another site, so nothing was changed.", { code: "FORBIDDEN" }),
      );
    const route = this.#routes.find(path);
    if (route?.action !== undefined) return this.#runAction(request, route);
    const access = this.#access;
    if (access === undefined) return this.#respondWithUnlock(request, { status: 403 });
    if (path === "/lock") return redirectTo("/unlock", { "set-cookie": access.lock(request) });
    const cookie = access.unlock(request, (await readForm(request)).get("token")?.trim() ?? "");
    if (cookie === undefined) return this.#respondWithUnlock(request, { isWrongToken: true });
    return redirectTo("/", { "set-cookie": cookie });
  }

  async #runAction(request: HttpRequest, route: Route): Promise<PageResponse> {
    const { action } = route;
    if (action === undefined || this.#writeState(request) !== "unlocked")
      return this.#respondWithUnlock(request, { status: 403 });
    try {
      const form = await readForm(request);
      return redirectTo(await action.run({ ...this.#toPageRequest(request, route), form }));
    } catch (error) {
      return this.#respondWithError(request, error, route);
    }
  }

  #toPageRequest(request: HttpRequest, { params }: Route): PageRequest {
    const { principal } = request;
    const query = new URLSearchParams(request.query);
    return { params, query, principal, canChange: this.#writeState(request) === "unlocked" };
  }

  #respondWithError(request: HttpRequest, error: unknown, route?: Route): Promise<PageResponse> {
    const path = route?.page.parent ?? route?.page.path;
    const above = this.#navPages.find((page) => page.path === path);
    return this.#respond(request, errorPage(error, above), { page: route?.page });
  }

  async #respondWithUnlock(
    request: HttpRequest,
    {
      status,
      isWrongToken = false,
      position,
    }: { status?: number; isWrongToken?: boolean; position?: number | undefined },
  ): Promise<PageResponse> {
    const content = unlockPage({
      state: this.#writeState(request),
      descriptions: this.#routes.pages.flatMap(({ actions = {} }) =>
        Object.values(actions).map(({ description }) => description),
      ),
      isStandalone: this.#options.server.isStandalone,
      isWrongToken,
    });
    return this.#respond(request, { ...content, status: status ?? content.status }, { position });
  }

  async #respond(
    request: HttpRequest,
    content: PageContent & { readonly title: string; readonly status?: number },
    { page, position }: { readonly page?: Page | undefined; readonly position?: number | undefined },
  ): Promise<PageResponse> {
    const navPages = this.#navPages;
    const nav = navPages.map(({ path, nav: entry }) => ({ path, label: entry?.label ?? path }));
    const current = request.path === SERVER_PATH ? SERVER_PATH : page?.nav === undefined ? page?.parent : page.path;
    const frame = {
      version: this.#options.version,
      assets: this.#assets,
      position: position ?? (await this.#feed.position()),
      nav: [...nav, { path: SERVER_PATH, label: "Server" }],
      currentPath: current,
      search: this.#routes.pages.find(({ search }) => search !== undefined),
      source: await (page ?? navPages[0])?.source?.(),
      writeState: this.#writeState(request),
    };
    return respondWithPage(request, content.status ?? 200, layout(content, frame));
  }
}

const OWN_PATHS = /^\/(?:|server|events|unlock|lock|assets\/[\w.-]+)$/;

const readForm = async (request: HttpRequest): Promise<URLSearchParams> =>
  new URLSearchParams((await request.read(MAX_FORM_BYTES)) ?? "");
