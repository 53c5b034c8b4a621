/**
 * Gives a part of the engine that is loaded when it is first needed, and is there at once from then on. One that could not be
 * loaded is tried again.
 */
export function onDemand<Part>(load: () => Promise<Part>): () => Part | Promise<Part> {
  let part: Part | Promise<Part> | undefined;
  return () => {
    part ??= load().then(
      (loaded) => {
        part = loaded;
        return loaded;
      },
      (error: unknown) => {
        part = undefined;
        throw error;
      },
    );
    return part;
  };
}
