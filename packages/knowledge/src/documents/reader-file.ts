import { builtFile } from "@toolwright/kit/files/built-file.js";

/** The program of the thread that reads documents. */
export const READER_FILE = builtFile("knowledge-reader.js");
