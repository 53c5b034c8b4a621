/** The least that a budget may be: the id of one pattern, how bad it is, and a few words of what to do always fit. */
export const LEAST_BUDGET = 150;
