import { createRanking } from "../ranking/ranking.js";
import { toListed } from "./compiled.js";
import type { Library } from "./library.js";
import type { FinderMaker } from "./validate.js";

/** Asks the patterns of a library, as a query does. */
export const finderOf =
  (library: Library): FinderMaker =>
  async (extra) => {
    const entries = (await library.list()).filter(({ id }) => id !== extra?.id);
    const ranking = createRanking(extra === undefined ? entries : [...entries, toListed(extra)]);
    return (context) => ranking.rank({ context }).map(({ pattern }) => pattern.id);
  };
