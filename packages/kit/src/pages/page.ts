import path from "node:path";
import type { Html } from "../html/index.js";
import type { SqlStore } from "../storage/index.js";

/** The changes of a database and its location, for the pages that show it. The query selects a number, `seq`, that every change increases. */
export function storeChanges(open: () => Promise<SqlStore>, query: string) {
  return {
    changes: {
      async position() {
        const store = await open();
        const row = await store.read((sql) => sql.get(query));
        return Number(row?.["seq"] ?? 0);
      },
      watch(onChange) {
        let isStopped = false;
        let stop: (() => void) | undefined;
        const start = async (): Promise<void> => {
          const store = await open();
          if (!isStopped) stop = store.watch(onChange);
        };
        // A database that cannot be opened fails in `position`, where the dashboard reports it.
        start().catch(() => undefined);
        return () => {
          isStopped = true;
          stop?.();
        };
      },
    } satisfies ChangeFeed,
    /** The name of the file, or the address without the password; undefined if the database cannot be opened. */
    async source(): Promise<string | undefined> {
      try {
        const { place } = await open();
        return place.includes("://") ? place : path.basename(place);
      } catch {
        return undefined;
      }
    },
  };
}

/** A request for a page. */
export interface PageRequest {
  /** The values of the parameters in the path, such as `id` of `/tasks/:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whether this browser may run actions: show their forms only then. */
  readonly canChange: boolean;
  /** The authenticated user, if the server authenticates. */
  readonly principal: string | undefined;
}

/** A form that a browser sent. */
export interface ActionRequest extends PageRequest {
  readonly form: URLSearchParams;
}

/** The content of a page. The dashboard adds everything around it. */
export interface PageContent {
  /** Default: the title of the page. */
  readonly title?: string;
  readonly main: Html;
  /** The text in the search box. */
  readonly searchText?: string;
  /** The page has a search form of its own, so that the one at the top is left out. */
  readonly hasOwnSearch?: boolean;
  /** How often the page reloads its live parts; default: only after changes. */
  readonly refreshSeconds?: number;
}

/**
 * Something that a form of a page can do. The form posts to the path of the page, a slash and the name of the action. It runs only in
 * browsers that were unlocked with the write token, and only for forms of the dashboard itself.
 */
export interface PageAction {
  /** What it does, as in "You can …": `"set the priority of tasks"`. */
  readonly description: string;
  /** Does it, and returns the path of the page to show then. Throws `ToolError`. */
  run(request: ActionRequest): Promise<string>;
}

/** Notifies of changes of what a page shows, also by other processes. */
export interface ChangeFeed {
  /** Calls `onChange` after each change, until the returned function is called. */
  watch(this: void, onChange: () => void): () => void;
  /** A number that every change increases. Without it changes are missed that happen while no page is open. */
  position?(this: void): Promise<number>;
}

/** A page of the dashboard. */
export interface Page {
  /** The path, with parameters: `"/notes/:id"`. Begin it with the name of your pack. */
  readonly path: string;
  readonly title: string;
  /** The entry in the navigation. Entries with a lower `order` come first; those of the built-in packs are multiples of 10. */
  readonly nav?: { readonly label: string; readonly order: number };
  /** The path of the page above this one: it is highlighted in the navigation, and errors link to it. */
  readonly parent?: string;
  /** The page shows the results of a search for the query parameter `q`; the label is that of the search box on all pages. */
  readonly search?: { readonly label: string };
  /** Open pages are updated after these changes. */
  readonly changes?: ChangeFeed;
  /** Where the data comes from, such as the name of a database, for the footer. */
  source?(this: void): Promise<string | undefined>;
  /** Returns the content. Throws `ToolError`, for example with the code `NOT_FOUND`. */
  render(request: PageRequest): PageContent | Promise<PageContent>;
  /** What forms of the page can do, by name. */
  readonly actions?: Readonly<Record<string, PageAction>>;
}
