import type { Layer, LayerHost } from "../server/layers/layer.js";

/** Makes a layer of a server that has started; false = there is nothing to do. */
export type LayerLoader = (host: LayerHost) => Promise<Layer | false>;

/** A layer whose own code is read when its server starts, and only if it has something to do. */
export function createLazyLayer(name: string, load: LayerLoader): Layer {
  let open: Layer | undefined;
  const layer: Layer = (request, next) => {
    if (open === undefined) throw new Error(`Cannot serve: ${name} is not open; call start() of the server first`);
    return open(request, next);
  };
  layer.open = async (host) => {
    if (open !== undefined) throw new Error(`Cannot open ${name} twice: make one for each server`);
    const loaded = await load(host);
    if (loaded === false) return false;
    open = loaded;
    return undefined;
  };
  layer.close = () => open?.close?.();
  return layer;
}
