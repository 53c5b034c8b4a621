const isBun = "bun" in process.versions;
const isDeno = "deno" in process.versions;
const isNode = !isBun && !isDeno;

/** Whether a read of stdin gives what is there. Elsewhere it waits for ever, and what it has begun to take nobody else gets. */
export const readsAtOnce: boolean = isNode;

/** Whether `console` writes through `process.stdout`, and not past it. */
export const consoleUsesStdout: boolean = isNode;

/** Whether a server for TLS refuses a certificate or a key that is none. Deno's would let every client find out. */
export const checksTls: boolean = isNode;

/** Whether an answer over a corked socket comes to its end. Over TLS, Deno's does not. */
export const endsCorked: boolean = isNode;

/** Whether an uncaught error ends the process with the event `exit`. */
export const tellsExitOfCrash: boolean = !isDeno;

/** Whether an input that was looked at before tells its end, also when what is there is not read at once. */
export const tellsEndByItself: boolean = !isBun;

/** Whether stdout says of what was written that it waits. Bun's takes everything. */
export const countsStdout: boolean = !isBun;

/** Whether a socket counts the bytes that it has read. */
export const countsBytesRead: boolean = !isBun;

/** Whether a buffer decodes text that is not ASCII as fast as it can be done. Before version 24, Node's does not. */
export const decodesFast: boolean = !isNode || Number.parseInt(process.versions.node, 10) >= 24;
