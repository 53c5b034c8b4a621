import { type Address, readAddress } from "./address.js";
import { UsageError } from "./usage-error.js";
import { type Given, type OptionKind, readWords } from "./words.js";

/** Who may call over HTTP and WebSocket, as the command line says it. */
export interface AuthWords {
  readonly apiKeyFile: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
}

/** What HTTP and WebSocket are told alike. */
export interface WebWords {
  readonly path: string | undefined;
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly auth: AuthWords;
}

/** How `toolwright serve` serves. */
export interface ServeOptions {
  /** Where tasks and long results are kept; undefined = where the platform has it. */
  readonly state: string | undefined;
  readonly stdio: boolean;
  readonly http: Address | undefined;
  /** HTTP+SSE beside HTTP. */
  readonly sse: boolean;
  /** An address of its own, or that of HTTP. */
  readonly ws: Address | "http" | undefined;
  readonly socket: string | undefined;
  readonly web: WebWords;
}

const TRANSPORTS = {
  "--stdio": {},
  "--http": { value: "HOST:PORT", isBare: true },
  "--ws": { value: "HOST:PORT", isBare: true },
  "--socket": { value: "a path" },
} as const satisfies Record<string, OptionKind>;

/** What has no meaning where nobody listens on the network. */
const WEB = {
  "--path": { value: "a path" },
  "--public-url": { value: "a URL" },
  "--allow-host": { value: "a name", isList: true },
  "--allow-origin": { value: "an origin", isList: true },
  "--trust-proxy": { value: "an address or a network", isList: true },
  "--tls-cert": { value: "a file" },
  "--tls-key": { value: "a file" },
  "--api-key-file": { value: "a file" },
  "--issuer": { value: "a URL" },
  "--audience": { value: "a URI", isList: true },
  "--scope": { value: "a scope", isList: true },
} as const satisfies Record<string, OptionKind>;

const OPTIONS = { ...TRANSPORTS, "--sse": {}, ...WEB, "--state": { value: "a folder" } } as const;

type Name = keyof typeof OPTIONS;

/** Reads what follows `serve`. Throws `UsageError` that names the option at fault. */
export function readServeOptions(words: readonly string[]): ServeOptions {
  const given = readWords<Name>(words, OPTIONS);
  const { "--http": http, "--ws": ws } = given;
  refuseLonely(given);
  return {
    state: given["--state"]?.[0],
    stdio: given["--stdio"] !== undefined || !Object.keys(TRANSPORTS).some((name) => name in given),
    http: http && readAddress("--http", http[0] ?? ""),
    sse: given["--sse"] !== undefined,
    ws: ws && (ws[0] === "" && http !== undefined ? "http" : readAddress("--ws", ws[0] ?? "")),
    socket: given["--socket"]?.[0],
    web: readWeb(given),
  };
}

/** An option that would change nothing is a mistake, and with some of them a dangerous one. */
function refuseLonely(given: Given<Name>): void {
  const needs = (name: Name, others: readonly Name[]): void => {
    if (given[name] !== undefined && !others.some((other) => given[other] !== undefined))
      throw new UsageError(`${name} needs ${others.join(" or ")} beside it`);
  };
  needs("--sse", ["--http"]);
  for (const name of Object.keys(WEB)) needs(name as Name, ["--http", "--ws"]);
  needs("--tls-cert", ["--tls-key"]);
  needs("--tls-key", ["--tls-cert"]);
  needs("--audience", ["--issuer"]);
  needs("--scope", ["--issuer", "--api-key-file"]);
}

function readWeb(given: Given<Name>): WebWords {
  const cert = given["--tls-cert"]?.[0];
  const key = given["--tls-key"]?.[0];
  return {
    path: given["--path"]?.[0],
    publicUrl: given["--public-url"]?.[0],
    allowedHosts: given["--allow-host"] ?? [],
    allowedOrigins: given["--allow-origin"] ?? [],
    trustProxy: given["--trust-proxy"] ?? [],
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    auth: {
      apiKeyFile: given["--api-key-file"]?.[0],
      issuer: given["--issuer"]?.[0],
      audience: given["--audience"] ?? [],
      scopes: given["--scope"] ?? [],
    },
  };
}
