/** What runs the servers of others: they are written for Node, whatever the client runs on. */
export const node = process.env["ENGINE_TEST_NODE"] ?? process.execPath;
