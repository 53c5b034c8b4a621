/** A pattern where the text is written as one, `/…/i`, else the text. Throws `SyntaxError` for a pattern that is none. */
export function readNamePattern(name: string): string | RegExp {
  const [, source, flags] = /^\/(.+)\/([iu]*)$/.exec(name) ?? [];
  return source === undefined ? name : new RegExp(source, flags);
}
