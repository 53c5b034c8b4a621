import type { toShownStats } from "../tools/shown.js";
import type { ListedDocument } from "./documents.js";

/** A collection for people and models to read. */
export function collectionText(stats: ReturnType<typeof toShownStats>, documents: readonly ListedDocument[]): string {
  const { collection, version, documents: count, chunks, health_score: health, health_reasons: reasons } = stats;
  const more = count > documents.length ? [`… and ${count - documents.length} more`] : [];
  return [
    `# ${collection}`,
    version === null ? "No version answers yet." : `Version ${version}: ${count} documents, ${chunks} passages.`,
    `Health ${health}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}`,
    "",
    ...documents.map(({ doc_id: id, source, title }) => `- ${id} ${source}${title === source ? "" : `: ${title}`}`),
    ...more,
  ].join("\n");
}
