import { counted } from "../format.js";

/** A coordinate; a tenth of a pixel is enough. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);

/** How many lines of code something has, in words. */
export const codeLines = (value: number): string => `${counted(value, "line")} of code`;

/** Less of a name tells nothing. */
const LEAST_SIGNS = 6;

/** A name cut in its middle to a width in pixels, for letters of a usual width, as names differ at both ends; empty where nothing of it can be read. */
export function fit(text: string, width: number, letter = 6.4): string {
  const signs = Array.from(text);
  const room = Math.floor(width / letter);
  if (widthOf(signs) <= room) return text;
  const head: string[] = [];
  const tail: string[] = [];
  for (let turn = 0; signs.length > 0; turn++) {
    const sign = turn % 2 === 0 ? signs.shift() : signs.pop();
    if (sign === undefined || widthOf([...head, ...tail, sign]) > room - 1) break;
    if (turn % 2 === 0) head.push(sign);
    else tail.unshift(sign);
  }
  return widthOf([...head, ...tail]) < LEAST_SIGNS ? "" : `${head.join("")}…${tail.join("")}`;
}

const widthOf = (signs: readonly string[]): number => signs.reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

/** Round numbers from 0 up to a highest one, for an axis of a length on which roots are even; none is too close to the next. */
export function rootTicks(most: number, length: number): number[] {
  const ticks: number[] = [];
  for (let ten = 10 ** Math.floor(Math.log10(most)); ten >= 1; ten /= 10)
    for (const one of [5, 2, 1]) {
      const tick = one * ten;
      const isFree = ticks.every((other) => (Math.sqrt(other / most) - Math.sqrt(tick / most)) * length >= 30);
      if (tick <= most && isFree && Math.sqrt(tick / most) * length >= 30) ticks.push(tick);
    }
  return [0, ...ticks.reverse()];
}

/** Round numbers from 0 to just above a highest one, evenly apart. */
export function evenTicks(most: number, wanted = 4): number[] {
  const raw = Math.max(1, most) / wanted;
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= raw) ?? raw);
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step);
}

/** The parts of the highest score at which a hotter colour begins. */
const PARTS: readonly number[] = [0.02, 0.06, 0.12, 0.2, 0.32, 0.46, 0.62, 0.8];

/** Where nothing is hotter than this, nothing is painted as if the house burned. */
const LEAST_TOP = 10;

/** Which colour stands for which score. */
export interface HeatScale {
  /** The scores at which a hotter colour begins; there is one more colour than there are bounds. */
  readonly bounds: readonly number[];
  /** Which of the colours, coolest first. */
  readonly of: (score: number) => number;
}

/** Spreads the colours over the scores that there are. */
export function createHeat(scores: readonly number[]): HeatScale {
  const top = scores.reduce((most, score) => Math.max(most, score), LEAST_TOP);
  const bounds = PARTS.map((part) => Number((part * top).toPrecision(2)));
  return { bounds, of: (score) => bounds.filter((bound) => score >= bound).length };
}

/** A score as it is shown. */
export const showScore = (score: number): string => (score >= 10 ? score.toFixed(0) : score.toFixed(1));
