import type { Base } from "../base.js";
import { EndpointDown } from "../embedders/faults.js";
import type { VectorQuestion } from "./vector-leg.js";
import type { ChosenVersion } from "./views.js";
import type { SearchWish } from "./wish.js";

/** The question as a vector, or why there is none. */
export interface EmbeddedQuery {
  readonly question?: VectorQuestion;
  readonly warnings: readonly string[];
}

/**
 * Embeds a query for versions whose vectors the same embedder made. Where it cannot, or an endpoint takes too long, words alone answer,
 * and the reason is said; a search that is measured fails.
 */
export async function embedQuery(
  base: Base,
  text: string,
  versions: readonly ChosenVersion[],
  { signal, isMeasured = false }: Pick<SearchWish, "signal" | "isMeasured">,
): Promise<EmbeddedQuery> {
  const withVectors = versions.filter(({ embedder }) => embedder !== "");
  const without = versions.filter(({ embedder }) => embedder === "").map(({ name }) => name);
  const warnings =
    without.length === 0
      ? []
      : [`${without.join(", ")} has no vectors and was searched by words alone. Ingest it again to have it embedded.`];
  if (withVectors.length === 0 || text === "") return { warnings };
  try {
    const [first, ...more] = new Set(withVectors.map(({ embedder: name }) => name));
    const embedder = await base.embedder(more.length === 0 ? first : undefined, !isMeasured);
    const others = withVectors.filter((version) => version.embedder !== embedder.name);
    for (const { name, embedder: made } of others)
      warnings.push(
        `${name} was embedded by ${made}, but the embedder here is ${embedder.name}: it was searched by words alone. Set packs.knowledge.embedder to the one that made it, or ingest it again.`,
      );
    if (others.length === withVectors.length) return { warnings };
    const wish = { isUrgent: !isMeasured, ...(signal !== undefined && { signal }) };
    const [vector] = await embedder.embed([text], { kind: "query", ...wish });
    // A vector of zeros means that there was nothing in the text that the embedder knows.
    if (vector === undefined || vector.every((component) => component === 0)) return { warnings };
    const embed = (texts: readonly string[]): ReturnType<typeof embedder.embed> =>
      embedder.embed(texts, { kind: "passage", ...wish });
    return { question: { vector, embedder: embedder.name, ...(embedder.isLight === true && { embed }) }, warnings };
  } catch (error) {
    signal?.throwIfAborted();
    if (isMeasured) throw error;
    if (error instanceof EndpointDown) base.noteDown(error);
    const reason = error instanceof Error ? error.message : String(error);
    return { warnings: [...warnings, `The vectors were not searched, words alone answer: ${reason}`] };
  }
}
