/** Said where no pattern is relevant: silence would look like a fault. */
export const NOTHING_FOUND =
  "No pattern fits this context. Say what the code does and with what (for example: a webhook that marks orders paid), or look through threats://index.";

/** Said where not even one pattern has room in its own words. */
export const SHORTENED = "Shortened to fit token_budget; tmkb_get has all of it.";
