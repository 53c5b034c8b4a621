import { TimeSlice } from "@toolwright/kit/time";

/** The tasks to which links lead from a task: its parent, or its blockers. */
export type LinksOf = (id: string) => readonly string[] | Promise<readonly string[]>;

/** A task on the way of the search. */
interface Step {
  readonly id: string;
  readonly links: readonly string[];
  next: number;
}

/**
 * Finds the tasks that reach themselves over links, among those that can be reached from `starts`. Visits each task once (Tarjan's
 * algorithm for strongly connected components, without recursion), and lets others be served meanwhile.
 */
export async function findCycles(starts: Iterable<string>, linksOf: LinksOf): Promise<ReadonlySet<string>> {
  const order = new Map<string, number>();
  /** The earliest task that a task of the current component reaches. */
  const lowest = new Map<string, number>();
  const component: string[] = [];
  const isOpen = new Set<string>();
  const found = new Set<string>();
  const slice = new TimeSlice();
  const lower = (id: string, to: number): void => void lowest.set(id, Math.min(lowest.get(id) ?? to, to));
  const steps: Step[] = [];
  const enter = async (id: string): Promise<void> => {
    order.set(id, order.size);
    lower(id, order.size - 1);
    component.push(id);
    isOpen.add(id);
    steps.push({ id, links: await linksOf(id), next: 0 });
  };
  const leave = ({ id, links }: Step): void => {
    if (lowest.get(id) !== order.get(id)) return;
    const members = component.splice(component.lastIndexOf(id));
    for (const member of members) {
      isOpen.delete(member);
      if (members.length > 1 || links.includes(id)) found.add(member);
    }
  };
  for (const start of starts) {
    if (!order.has(start)) await enter(start);
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      if (slice.isOver) await slice.next();
      const link = step.links[step.next];
      step.next += 1;
      if (link === undefined) {
        steps.pop();
        leave(step);
        const above = steps.at(-1);
        if (above !== undefined) lower(above.id, lowest.get(step.id) ?? 0);
      } else if (!order.has(link)) await enter(link);
      else if (isOpen.has(link)) lower(step.id, order.get(link) ?? 0);
    }
  }
  return found;
}
