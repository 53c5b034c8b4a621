export { cleanEnvironment } from "./clean-environment.js";
export { findProgram, isProgram } from "./find-program.js";
export { type CommandRequest, openCommand } from "./open-command.js";
export { PlainText } from "./plain-text.js";
export { showCommand } from "./show-command.js";
export { splitCommand } from "./split-command.js";
export { type OutputStream, type ProgramStop, startProgram } from "./start-program.js";
