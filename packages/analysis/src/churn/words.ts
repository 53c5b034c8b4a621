/** A period that ends today, in words. */
export const period = (days: number, article: "The" | "the"): string =>
  days === 1 ? `${article} last day` : `${article} last ${days} days`;

/** How many files are there no longer, in words. */
export const goneBy = (files: number): string => `${files} more ${files === 1 ? "is" : "are"} gone by now`;
