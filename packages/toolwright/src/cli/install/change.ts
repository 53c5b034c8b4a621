import type { Client, ConfigLocation } from "../../clients/client.js";
import type { ConfigFile } from "./config-file.js";

/** What is to happen to one file of one client. */
export interface Change {
  readonly client: Client;
  readonly place: ConfigLocation;
  readonly config: ConfigFile;
  readonly action: "add" | "update" | "remove" | "nothing";
  /** The text to write; undefined = the file goes, as it came with the server. */
  readonly after: string | undefined;
  /** The backup that the file is the same as afterwards. */
  readonly restores?: string;
}

/** A client that cannot be served, and why. */
export interface Refusal {
  readonly client: Client;
  readonly file?: string;
  readonly reason: string;
}
