import { takeStdio } from "./index.js";

// For `node --import @toolwright/engine/boot server.js`: also what fails before the first line of the server runs, such as an
// import, is told to the client.
await takeStdio();
