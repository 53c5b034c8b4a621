import type { Lines } from "./lines.js";

const SCHEME = "result://";

/** A result that is kept, as those see it who read it. */
export interface Kept {
  readonly id: string;
  /** Only this one finds it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** The tool that gave it. */
  readonly tool: string;
  readonly bytes: number;
  readonly mimeType: string;
  /** Where its lines are; undefined for bytes that are no text. */
  readonly lines: Lines | undefined;
  readonly isJson: boolean;
  readonly expiresAt: number;
}

/** An id that nobody can guess. Lower case, because it stands where a URI has its host. */
export function createId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** The URI under which a result is read. */
export const handleOf = ({ id }: Pick<Kept, "id">): string => SCHEME + id;

/** The id in a handle, or undefined for what is no handle. */
export function readHandle(handle: string): string | undefined {
  return /^\s*(?:result:\/\/)?([0-9a-f]{32})\/?\s*$/i.exec(handle)?.[1]?.toLowerCase();
}
