import type { SyntaxNode, SyntaxTree } from "@toolwright/kit/syntax";

/** How many arguments a function can be called with. */
interface Taken {
  readonly least: number;
  readonly most: number;
}

/** A call by a bare name, or on the object that the function belongs to. */
interface OwnCall {
  readonly name: string;
  readonly given: number;
}

/** What tells functions of one name apart. */
interface Overloads {
  isFunction(node: SyntaxNode): boolean;
  nameOf(node: SyntaxNode, tree: SyntaxTree): string | undefined;
  taken(node: SyntaxNode, tree: SyntaxTree): Taken;
}

/**
 * The name of the function around a call that the call can reach. A function of the same name that takes another number of arguments
 * is another function: passing on to it is no recursion.
 */
export function calledAround(
  tree: SyntaxTree,
  call: SyntaxNode,
  { name, given }: OwnCall,
  overloads: Overloads,
): string | undefined {
  for (let node = call.parent; node !== undefined; node = node.parent) {
    if (!overloads.isFunction(node)) continue;
    const whole = overloads.nameOf(node, tree);
    if (whole?.slice(whole.lastIndexOf(".") + 1) !== name) continue;
    const { least, most } = overloads.taken(node, tree);
    return given >= least && given <= most ? whole : undefined;
  }
  return undefined;
}

/** How many arguments some parameters take, where some may be left out and one may take any number. */
export function takenBy(
  parameters: readonly SyntaxNode[],
  mayBeLeftOut: (parameter: SyntaxNode) => boolean,
  takesMany: (parameter: SyntaxNode) => boolean,
): Taken {
  return {
    least: parameters.filter((each) => !mayBeLeftOut(each) && !takesMany(each)).length,
    most: parameters.some(takesMany) ? Number.POSITIVE_INFINITY : parameters.length,
  };
}
