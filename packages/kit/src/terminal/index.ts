export { checkWritable, outliveReaders, remark, say, sayJson, writeOut, writeStdout } from "./output.js";
export { ProgressBar } from "./progress-bar.js";
export { answersOf, askYes, openLineReader } from "./questions.js";
export { Report } from "./report.js";
export { createPaint, openScreen, type Paint, type Screen, wantsColour } from "./screen.js";
export { type Column, drawTable } from "./table.js";
export { cut, visible, visibleLine, visibleName, WIDEST, widthOf, wrap } from "./text.js";
