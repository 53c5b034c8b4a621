import { layOut } from "./layers.js";

/** A way through the layers of a graph: the box where it begins, where it goes between other boxes, and the box where it ends. */
type Route = readonly number[];

/** Where everything stands: boxes, and the places at which long edges go through a layer. */
export interface Plan {
  /** What stands in each layer from top to bottom; numbers from `count` on are places of edges. */
  readonly layers: readonly (readonly number[])[];
  readonly routes: readonly Route[];
}

/** Plans a graph of so many boxes; an edge over several layers has a place of its own in each that it goes through. */
export function planRoutes(count: number, edges: readonly (readonly [from: number, to: number])[]): Plan {
  const { layerOf } = layOut(count, edges);
  let next = count;
  const routes = edges.map(([from, to]): Route => {
    const through = Math.max(0, (layerOf[to] ?? 0) - (layerOf[from] ?? 0) - 1);
    const places = Array.from({ length: through }, (_, step) => next + step);
    next += through;
    return [from, ...places, to];
  });
  const steps = routes.flatMap((route) =>
    route.slice(1).map((node, at): readonly [number, number] => [route[at] as number, node]),
  );
  return { layers: layOut(next, steps).layers, routes };
}
