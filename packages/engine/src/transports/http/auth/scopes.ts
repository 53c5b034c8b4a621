/** A scope as RFC 6749 writes it; it goes into quotes in a header. */
const SCOPE = /^[!#-[\]-~]+$/;

/** The scope with which a client asks for refresh tokens: a matter between it and the issuer, never of a resource. */
const OFFLINE_ACCESS = "offline_access";

/** Says what is wrong with scopes that an author wrote down; undefined = nothing. */
export function scopesFault(scopes: unknown): string | undefined {
  if (!Array.isArray(scopes)) return "must be a list of scopes";
  const wrong: unknown = scopes.find((scope) => typeof scope !== "string" || !SCOPE.test(scope));
  if (wrong !== undefined) return `has ${JSON.stringify(wrong)}, which is no scope: printable ASCII without spaces`;
  if (scopes.includes("*")) return 'has "*"; name the scopes that are needed';
  if (scopes.includes(OFFLINE_ACCESS)) return `has ${OFFLINE_ACCESS}, which clients ask for by themselves`;
  return undefined;
}

/** Scopes in the order they are named, each once, as they may be shown to clients. */
export function uniteScopes(...lists: readonly Iterable<string>[]): string[] {
  const united = new Set(lists.flatMap((list) => [...list]));
  united.delete(OFFLINE_ACCESS);
  return [...united];
}

/** The granted scopes and all that they include, however many steps away. */
export function expandScopes(
  granted: Iterable<string>,
  covers: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const expanded = new Set(granted);
  // A set that grows while it is walked is walked to its end, and takes up each scope once: circles end.
  for (const scope of expanded) for (const covered of covers.get(scope) ?? []) expanded.add(covered);
  return expanded;
}

/** The scopes of a token: `scope` as text, or `scp` as some issuers have it, as text or a list. */
export function readScopes(claims: Readonly<Record<string, unknown>>): string[] {
  const given = claims["scope"] ?? claims["scp"];
  const list: unknown[] = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
  return list.filter((scope): scope is string => typeof scope === "string" && scope !== "");
}
