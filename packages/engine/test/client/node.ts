/** The Node.js that runs third-party servers, whatever runtime the client runs on. */
export const node = process.env["ENGINE_TEST_NODE"] ?? process.execPath;
