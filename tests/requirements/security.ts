import { partly, type Requirement, row } from "./row.js";

/** Authorization and safety. */
export const security: readonly Requirement[] = [
  row("AUTH-01", "03 06 11 26", "http", "authorization is optional and by the book"),
  row("AUTH-02", "06 11 26", "http", "protected resource metadata names its authorization servers"),
  row("AUTH-03", "06 11 26", "http", "every way of discovery is offered"),
  row("AUTH-04", "11 26", "http", "the 401 challenge names the scope"),
  row("AUTH-05", "11 26", "http", "a missing scope gets 403 with its challenge"),
  row("AUTH-06", "26", "http", "one challenge names all scopes"),
  row("AUTH-07", "26", "http", "a broader scope satisfies narrower needs"),
  row("AUTH-08", "26", "http", "offline_access is never asked for"),
  row("AUTH-09", "06 11 26", "http", "only tokens for this server are accepted"),
  row("AUTH-10", "06 11 26", "http", "tokens are never passed on, logged or stored"),
  row("AUTH-11", "03 06 11 26", "http", "tokens come in the Authorization header only"),
  row("AUTH-12", "03 06 11 26", "http", "every HTTP request is authorised by itself"),
  row("AUTH-13", "06 11 26", "http", "the resource URI is canonical"),
  row("AUTH-14", "03", "http", "2025-03-26 finds the authorization endpoints at the server's own origin"),
  partly(
    "a token for local clients too, unless auth is given",
    row("SEC-01", "ALL", "http sse", "local servers bind to loopback"),
  ),
  row("SEC-02", "L", "http", "session ids never authenticate"),
  partly(
    "result handles and task ids",
    row("SEC-03", "26", "any", "holding request state is no authentication: it is signed, bound and expires"),
  ),
  row("SEC-04", "06 11 26", "http", "the server is no OAuth proxy, so there is no consent that it could skip"),
  row("SEC-05", "11 26", "http", "published scopes are minimal"),
  partly("packs that fetch", row("SEC-06", "ALL", "any", "nothing is fetched on someone else's word")),
  row("SEC-07", "ALL", "any", "sizes, depth, streams, subscriptions, tasks, pending requests and rates are limited"),
  row("SEC-08", "03 06 11 26", "http", "CORS only for allowed origins"),
];
