/** Whether Node itself runs this, and not Bun or Deno, whose streams differ in what serving over stdio needs. */
export const isNode: boolean = !("bun" in process.versions || "deno" in process.versions);
