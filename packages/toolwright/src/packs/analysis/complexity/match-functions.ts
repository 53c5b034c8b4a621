/** What two states of a function are compared by. */
export interface Comparable {
  readonly name: string;
  readonly cyclomatic: number;
  readonly cognitive: number;
}

/** The functions of a file before and after: those that are the same, the new ones, and how many are gone. */
export interface Matched<Before extends Comparable, After extends Comparable> {
  readonly pairs: readonly (readonly [before: Before, after: After])[];
  readonly added: readonly After[];
  readonly removed: number;
}

/**
 * Finds out which function was which. They are the same by their names; of several with one name, such as those without any, first
 * the ones that have the same numbers, then the others in their order.
 */
export function matchFunctions<Before extends Comparable, After extends Comparable>(
  before: readonly Before[],
  after: readonly After[],
): Matched<Before, After> {
  const old = groupBy(before);
  const pairs: [Before, After][] = [];
  const unmatched: After[] = [];
  for (const each of after) {
    const group = old.get(each.name) ?? [];
    const at = group.findIndex(
      ({ cyclomatic, cognitive }) => cyclomatic === each.cyclomatic && cognitive === each.cognitive,
    );
    if (at === -1) unmatched.push(each);
    else pairs.push([...group.splice(at, 1), each] as [Before, After]);
  }
  const added: After[] = [];
  for (const each of unmatched) {
    const was = old.get(each.name)?.shift();
    if (was === undefined) added.push(each);
    else pairs.push([was, each]);
  }
  return { pairs, added, removed: [...old.values()].reduce((all, group) => all + group.length, 0) };
}

function groupBy<Each extends Comparable>(all: readonly Each[]): Map<string, Each[]> {
  const groups = new Map<string, Each[]>();
  for (const each of all) {
    const group = groups.get(each.name);
    if (group === undefined) groups.set(each.name, [each]);
    else group.push(each);
  }
  return groups;
}
