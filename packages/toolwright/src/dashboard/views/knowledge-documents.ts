import type { Collection } from "@toolwright/knowledge/collections/collection.js";
import type { KnowledgeContext as Base } from "@toolwright/knowledge/knowledge-context.js";
import { type Html, html } from "../html.js";
import { placeOfCollection, placeOfDocument } from "./knowledge-parts.js";

/** Documents of a version, as far as one page has them. */
export interface DocumentPage {
  readonly version: number;
  readonly documents: readonly { readonly id: string; readonly source: string; readonly title: string }[];
  readonly total: number;
  readonly from: number;
}

const MOST = 50;

/** Reads a page of the documents of a version, by their sources. */
export async function readDocuments(
  base: Base,
  { id }: Collection,
  version: number,
  query: URLSearchParams,
): Promise<DocumentPage> {
  const asked = Number(query.get("from"));
  const from = Number.isSafeInteger(asked) && asked > 0 ? asked : 0;
  const ledger = await base.store();
  return ledger.read(async (sql) => {
    const counted = await sql.get(
      "SELECT count(*) AS count FROM members WHERE collection = ? AND version = ?",
      id,
      version,
    );
    const rows = await sql.all(
      `SELECT d.id, d.source, r.title FROM members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document
       WHERE m.collection = ? AND m.version = ? ORDER BY d.source LIMIT ${MOST} OFFSET ${from}`,
      id,
      version,
    );
    const documents = rows.map((row) => ({
      id: String(row["id"]),
      source: String(row["source"]),
      title: String(row["title"]),
    }));
    return { version, documents, total: Number(counted?.["count"]), from };
  });
}

/** Documents as a list, with the way to further ones. */
export function documentList(name: string, { version, documents, total, from }: DocumentPage): Html {
  const next = from + documents.length;
  return html`<section><h2>Documents <span class="count">${total.toLocaleString("en")}</span></h2>
<ul class="documents">${documents.map(
    ({ id, source, title }) =>
      html`<li><a href="${placeOfDocument(id, version)}" dir="auto">${title}</a> <code dir="auto">${source}</code></li>`,
  )}</ul>
${(from > 0 || next < total) && html`<p class="more">${from > 0 && html`<a href="${placeOfCollection(name)}?from=${Math.max(0, from - MOST)}">Before</a> `}${next < total && html`<a href="${placeOfCollection(name)}?from=${next}">Next</a>`}</p>`}</section>`;
}
