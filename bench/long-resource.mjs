/** The resource that every server offers that can; loaded only where it is asked for, so that a start does not pay for it. */
export const longResource = {
  uri: "bench://long",
  text: 'She said "over there",\n\tand pointed at it. '.repeat(24_000).slice(0, 1_000_000),
};
