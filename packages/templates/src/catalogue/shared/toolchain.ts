/** What the files of one toolchain say of it; the texts may have variables. */
export interface Toolchain {
  /** The second part of the URI. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** What must be on the machine, as items of a list in Markdown. */
  readonly needs: readonly string[];
  readonly commands: {
    /** Fetches what the project builds on. */
    readonly prepare: string;
    readonly format: string;
    readonly formatCheck: string;
    readonly lint: string;
    readonly build: string;
    readonly test: string;
    /** Starts a program. */
    readonly run: string;
    /** Starts a server. */
    readonly serve: string;
  };
  /** How somebody gets hold of the library, and calls it: a command, and an example with its language. */
  readonly library: { readonly install: string; readonly language: string; readonly example: string };
  /** The sections of .editorconfig beside the one for all files. */
  readonly indents: readonly Indent[];
}

/** How files of one pattern are indented. */
export interface Indent {
  readonly pattern: string;
  readonly style: "space" | "tab";
  readonly size: number;
  readonly width?: number;
}
