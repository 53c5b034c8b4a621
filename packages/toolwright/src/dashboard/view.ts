import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";
import type { Html } from "./html.js";

/** What a page is made of: whom it shows, and to whom. */
export interface View {
  readonly desk: Desk;
  /** When it is shown, in ISO 8601. */
  readonly now: string;
  readonly query: URLSearchParams;
  /** Whether this browser may change something. */
  readonly canWrite: boolean;
}

/** A page without what stands around all pages. */
export interface Shown {
  readonly status?: number;
  readonly title: string;
  readonly main: Html;
  /** The place in the navigation, if it has one. */
  readonly here?: string;
  /** What stands in the search box. */
  readonly searched?: string;
  /** The page has a search of its own, so that the one of all pages is left out. */
  readonly hasSearch?: boolean;
  /** The seconds after which the page looks again by itself; undefined = when something changes. */
  readonly againS?: number;
}
