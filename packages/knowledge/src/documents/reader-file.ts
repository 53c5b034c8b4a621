import { builtFile } from "@toolwright/kit/files";

/** The program of the thread that reads documents. */
export const READER_FILE = builtFile("knowledge-reader.js");
