interface Place {
  readonly name: string;
  readonly roads: readonly { readonly to: Place; readonly length: number; readonly isClosed: boolean }[];
}

export function reaches(from: Place, to: Place, seen = new Set<Place>()): boolean {
  if (from === to) return true;
  seen.add(from);
  for (const road of from.roads) {
    if (road.isClosed || seen.has(road.to)) continue;
    if (reaches(road.to, to, seen)) return true;
  }
  return false;
}

export function longest(places: readonly Place[]): number {
  let best = 0;
  outer: for (const place of places) {
    for (const road of place.roads) {
      if (road.isClosed) continue outer;
      if (road.length > 10_000) break outer;
      best = Math.max(best, road.length);
    }
  }
  return best;
}

export const openRoads = (place: Place): number => place.roads.filter((road) => !road.isClosed).length;

export function summary(places: readonly Place[]): string {
  const parts: string[] = [];
  for (const place of places) {
    const closed = place.roads.filter((road) => {
      if (road.isClosed && road.length > 0) return true;
      return false;
    });
    if (closed.length > 0) parts.push(`${place.name}: ${closed.length}`);
  }
  return parts.join(", ");
}

export function makePlanner(places: Map<string, Place>) {
  function find(name: string): Place {
    const place = places.get(name);
    if (place === undefined) throw new Error(`no place called ${name}`);
    return place;
  }

  const plan = (from: string, to: string): string => {
    return reaches(find(from), find(to)) ? "there is a way" : "there is none";
  };

  return {
    find,
    plan,
    isIsland(name: string): boolean {
      for (const road of find(name).roads) if (!road.isClosed) return false;
      return true;
    },
  };
}

export function visit(place: Place, seen: Set<Place>): void {
  place.roads.forEach(({ to }) => {
    if (seen.has(to)) return;
    seen.add(to);
    visit(to, seen);
  });
}

export function direction(dx: number, dy: number): string {
  if (dx === 0 && dy === 0) return "here";
  if (Math.abs(dx) > Math.abs(dy)) {
    if (dx > 0) {
      return "east";
    } else {
      return "west";
    }
  }
  return dy > 0 ? "north" : "south";
}

export function toll(kind: "car" | "truck" | "bike", axles: number, isNight: boolean): number {
  let sum = 0;
  switch (kind) {
    case "truck":
      for (let axle = 0; axle < axles; axle++) {
        sum += isNight ? 2 : 3;
      }
      break;
    case "car":
      if (!isNight) sum = 1;
      break;
  }
  return sum;
}

export function waitFor(isOpen: () => boolean, limit: number): number {
  let tries = 0;
  do {
    if (++tries > limit) return -1;
  } while (!isOpen() && tries < limit);
  return tries;
}
