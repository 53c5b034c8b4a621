import type { Stretch } from "./answer.js";
import type { Fields } from "./field-weights.js";
import type { VectorQuestion } from "./vector-leg.js";

/** A passage that is cut into stretches. */
export interface Cut {
  readonly key: number;
  readonly fields: Fields;
  readonly stretches: readonly Stretch[];
}

/** How near the stretches of a passage are in meaning. */
export interface NearStretch {
  /** The cosine of the one that is nearest to the question. */
  readonly cosine: number;
  /** The cosine of the one that is nearest to what the best passages say. */
  readonly feedback?: number;
}

/** A stretch's vector, and whose it is. */
interface Placed {
  readonly key: number;
  readonly vector: Float32Array;
}

/** The nearest stretches of each passage, below its headings as in the vector of the whole. Empty where the embedder is too slow to ask. */
export async function nearestStretches(
  cuts: readonly Cut[],
  question: VectorQuestion | undefined,
  believed: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, NearStretch>> {
  if (question?.embed === undefined) return new Map();
  const texts = cuts.flatMap(({ key, fields, stretches }) => {
    const above = fields.headings.join(" > ");
    return stretches.map(({ start, end }) => ({ key, text: `${above}\n${fields.content.slice(start, end)}` }));
  });
  const vectors = await question.embed(texts.map(({ text }) => text));
  const placed = texts.map(({ key }, index): Placed => ({ key, vector: vectors[index] as Float32Array }));
  const cosines = nearestTo(question.vector, placed);
  const centre = centreOf(placed, believed);
  const likeBest = centre === undefined ? undefined : nearestTo(centre, placed);
  return new Map(
    [...cosines].map(([key, cosine]) => {
      const feedback = likeBest?.get(key);
      return [key, feedback === undefined ? { cosine } : { cosine, feedback }];
    }),
  );
}

function nearestTo(asked: Float32Array, placed: readonly Placed[]): Map<number, number> {
  const nearest = new Map<number, number>();
  for (const { key, vector } of placed) nearest.set(key, Math.max(nearest.get(key) ?? -1, dot(vector, asked)));
  return nearest;
}

/** The direction in which the passages lie that are believed, the better ones far more, as in the feedback of words. */
function centreOf(placed: readonly Placed[], believed: ReadonlyMap<number, number>): Float32Array | undefined {
  const centre = new Float32Array(placed[0]?.vector.length ?? 0);
  for (const { key, vector } of placed) {
    const weight = (believed.get(key) ?? 0) ** 2;
    if (weight === 0) continue;
    for (let index = 0; index < centre.length; index += 1)
      centre[index] = (centre[index] as number) + weight * (vector[index] as number);
  }
  const length = Math.sqrt(dot(centre, centre));
  return length === 0 ? undefined : centre.map((component) => component / length);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] as number) * (other[index] as number);
  return sum;
}
