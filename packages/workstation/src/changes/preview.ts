import path from "node:path";
import { isWithin } from "@toolwright/kit/files";
import { ABSENT, type FileState } from "./file-state.js";

type Layer =
  | { readonly kind: "put"; readonly place: string; readonly state: FileState }
  | { readonly kind: "move"; readonly from: string; readonly to: string };

/** What would be in each place after some steps, without taking them. */
export class Preview {
  readonly #layers: Layer[] = [];
  readonly #look: (place: string) => Promise<FileState>;

  constructor(look: (place: string) => Promise<FileState>) {
    this.#look = look;
  }

  put(place: string, state: FileState): void {
    this.#layers.push({ kind: "put", place, state });
  }

  move(from: string, to: string): void {
    this.#layers.push({ kind: "move", from, to });
  }

  /** What would be there. */
  async stateOf(place: string): Promise<FileState> {
    let wanted = place;
    for (const layer of [...this.#layers].reverse()) {
      if (layer.kind === "put" && layer.place === wanted) return layer.state;
      if (layer.kind === "put") continue;
      if (isWithin(layer.to, wanted)) wanted = path.join(layer.from, path.relative(layer.to, wanted));
      else if (isWithin(layer.from, wanted)) return ABSENT;
    }
    return this.#look(wanted);
  }

  /** Where what would be in a place is now. */
  origin(place: string): string {
    let wanted = place;
    for (const layer of [...this.#layers].reverse())
      if (layer.kind === "move" && isWithin(layer.to, wanted))
        wanted = path.join(layer.from, path.relative(layer.to, wanted));
    return wanted;
  }
}
