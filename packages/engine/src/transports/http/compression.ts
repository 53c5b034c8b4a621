import { getBuiltinModule } from "../../server/runtime.js";
import { type HttpHeaders, type HttpRequest, type HttpResponse, JSON_HEADERS } from "./http-message.js";

type Coding = "br" | "gzip";

/** In the order of the server's preference. */
const CODINGS: readonly Coding[] = ["br", "gzip"];

const VARY = "Accept-Encoding";

/**
 * Sends a JSON answer, compressed if it is large enough and the client accepts a coding. Compression runs in the thread pool, so that
 * other clients do not wait. Resolves when the answer is sent.
 */
export async function sendCompressed(
  request: HttpRequest,
  response: HttpResponse,
  body: string,
  minBytes: number,
): Promise<void> {
  const bytes = Buffer.byteLength(body);
  if (bytes < minBytes) return response.send(200, JSON_HEADERS, body, bytes);
  const headers = addVary(response);
  const coding = chooseCoding(request.header("accept-encoding"));
  const compressed = coding === undefined ? undefined : await compress(body, coding).catch(() => undefined);
  if (coding === undefined || compressed === undefined) response.send(200, headers, body, bytes);
  else response.send(200, { ...headers, "content-encoding": coding }, compressed);
}

/** The headers of an answer that depends on `Accept-Encoding`; those that are added to all answers may have a `Vary` of their own. */
function addVary(response: HttpResponse): HttpHeaders {
  const { extraHeaders } = response;
  if (extraHeaders?.["vary"] === undefined) return { ...JSON_HEADERS, vary: VARY };
  response.extraHeaders = { ...extraHeaders, vary: `${extraHeaders["vary"]}, ${VARY}` };
  return JSON_HEADERS;
}

/** The coding with the highest quality that the client accepts, or undefined. */
export function chooseCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  const qualities = new Map(
    header
      .toLowerCase()
      .split(",")
      .map((part): [string, number] => {
        const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
        const quality = parameters.find((parameter) => parameter.startsWith("q="));
        return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
      }),
  );
  const qualityOf = (coding: string): number => qualities.get(coding) ?? qualities.get("*") ?? 0;
  const best = CODINGS.reduce((one, other) => (qualityOf(other) > qualityOf(one) ? other : one));
  // What is listed with a higher quality than any coding is preferred to it.
  return qualityOf(best) > 0 && qualityOf(best) >= (qualities.get("identity") ?? 0) ? best : undefined;
}

/** Fast settings: the default of brotli is made for files that are compressed once. */
const BROTLI_QUALITY = 4;

function compress(body: string, coding: Coding): Promise<Uint8Array> {
  const zlib = getBuiltinModule("node:zlib");
  return new Promise((resolve, reject) => {
    const onEnd = (error: Error | null, result: Uint8Array): void => (error === null ? resolve(result) : reject(error));
    if (coding === "gzip") zlib.gzip(body, onEnd);
    else zlib.brotliCompress(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }, onEnd);
  });
}
