export { type CommandRequest, openCommand, showCommand, splitCommand } from "./open-command.js";
export { PlainText } from "./plain-text.js";
export {
  cleanEnvironment,
  findProgram,
  isProgram,
  type OutputStream,
  type ProgramStop,
  startProgram,
} from "./start-program.js";
