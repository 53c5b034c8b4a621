import { later, partly, type Requirement, row } from "./row.js";

/** What a server asks of its client, in both eras. */
export const questions: readonly Requirement[] = [
  partly("sampling and roots", row("CLI-01", "ALL", "any", "the client is asked only for what it declared")),
  row("CLI-02", "ALL", "any", "the client is asked only while one of its requests is served"),
  ...later("http", [row("CLI-03", "03 06 11", "http", "over HTTP questions ride the stream of the POST being served")]),
  partly(
    "roots and sampling",
    row("CLI-04", "L", "any", "refusals and timeouts of the client are survived; unknown answers are ignored"),
  ),
  ...later("surface", [
    row("ROOT-01", "ALL", "any", "roots are file URIs and no access control"),
    row("ROOT-02", "L", "any", "roots/list_changed drops the cached roots"),
    row("SAMP-01", "ALL", "any", "sampling requests have the members of their revision"),
    row("SAMP-02", "11 26", "any", "tools in sampling only where declared"),
    row("SAMP-03", "11 26", "any", "each tool use is answered by its own result"),
    row("SAMP-04", "11 26", "any", "includeContext only where declared"),
    row("SAMP-05", "11 26", "any", "sampling answers may be arrays; tool loops are capped"),
  ]),
  row("ELI-01", "24 03", "any", "a handler that must ask fails cleanly before 2025-06-18"),
  row("ELI-02", "06 11 26", "any", "forms are flat and use only what their revision knows"),
  row("ELI-03", "06 11 26", "any", "accept, decline and cancel are told apart; accepted content is checked again"),
  ...later("surface", [row("ELI-04", "06 11 26", "any", "a form never asks for secrets")]),
  partly(
    "URL mode",
    row("ELI-05", "06 11 26", "any", "only declared modes; {} means form; no mode member on 2025-06-18"),
  ),
  ...later("surface", [
    row("ELI-06", "11 26", "any", "URL mode has its members, elicitationId on 2025-11-25 only"),
    row("ELI-07", "11", "any", "-32042 only for URL elicitations"),
    row("ELI-08", "11", "any", "elicitation/complete goes only to the client asked"),
    row("ELI-09", "11 26", "any", "URLs carry no user data and no access"),
    row("ELI-10", "11 26", "any", "who opens the URL is verified"),
    row("ELI-11", "11 26", "any", "accepting a URL is consent, not completion"),
    row("ELI-12", "11 26", "any", "state hangs on a verified identity"),
  ]),
  partly(
    "prompts/get and resources/read",
    row("MRTR-01", "26", "any", "input_required answers only methods that may ask"),
  ),
  row("MRTR-02", "26", "any", "it has questions, state or both, round after round"),
  partly("sampling and roots", row("MRTR-03", "26", "any", "questions are bare method and params under unique keys")),
  row("MRTR-04", "26", "any", "no question needs an undeclared capability; else -32021"),
  row("MRTR-05", "26", "any", "a retry is served from its own content, on any instance"),
  row("MRTR-06", "26", "any", "altered state is refused with -32602"),
  partly("use at most once", row("MRTR-07", "26", "any", "state is bound to principal, method and params and expires")),
  row("MRTR-08", "26", "any", "a missing answer is asked for again"),
  row("MRTR-09", "26", "any", "unknown answers are ignored; ill-formed ones are no crash"),
  row("MRTR-10", "26", "any", "nothing is kept in memory for a retry"),
  row("MRTR-11", "L", "any", "on handshake revisions the same handler sends real requests and goes on"),
];
