import { counted } from "../format.js";

/** Formats a coordinate to a tenth of a pixel. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);

/** Formats a number of lines of code. */
export const codeLines = (value: number): string => `${counted(value, "line")} of code`;

/** A shorter part of a name is useless. */
const MIN_LETTERS = 6;

/** Shortens a name in the middle to a width in pixels, since names differ at both ends; empty if nothing readable remains. */
export function fit(text: string, width: number, letter = 6.4): string {
  const letters = Array.from(text);
  const room = Math.floor(width / letter);
  if (widthOf(letters) <= room) return text;
  const head: string[] = [];
  const tail: string[] = [];
  for (let turn = 0; letters.length > 0; turn++) {
    const character = turn % 2 === 0 ? letters.shift() : letters.pop();
    if (character === undefined || widthOf([...head, ...tail, character]) > room - 1) break;
    if (turn % 2 === 0) head.push(character);
    else tail.unshift(character);
  }
  return widthOf([...head, ...tail]) < MIN_LETTERS ? "" : `${head.join("")}…${tail.join("")}`;
}

const widthOf = (letters: readonly string[]): number =>
  letters.reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;

/** Round tick values from 0 to a maximum, for a square-root axis of a length in pixels, without overlaps. */
export function rootTicks(max: number, length: number): number[] {
  const ticks: number[] = [];
  for (let ten = 10 ** Math.floor(Math.log10(max)); ten >= 1; ten /= 10)
    for (const one of [5, 2, 1]) {
      const tick = one * ten;
      const isFree = ticks.every((other) => (Math.sqrt(other / max) - Math.sqrt(tick / max)) * length >= 30);
      if (tick <= max && isFree && Math.sqrt(tick / max) * length >= 30) ticks.push(tick);
    }
  return [0, ...ticks.reverse()];
}

/** Round tick values from 0 to just above a maximum, at equal distances. */
export function evenTicks(max: number, wanted = 4): number[] {
  const raw = Math.max(1, max) / wanted;
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= raw) ?? raw);
  return Array.from({ length: Math.ceil(Math.max(1, max) / step) + 1 }, (_, index) => index * step);
}

/** The shares of the highest score at which the colors change. */
const PARTS: readonly number[] = [0.02, 0.06, 0.12, 0.2, 0.32, 0.46, 0.62, 0.8];

/** The minimum for the hottest color: low scores must not look alarming. */
const MIN_TOP = 10;

/** The color for each score. */
export interface HeatScale {
  /** The scores at which the colors change; there is one more color than bounds. */
  readonly bounds: readonly number[];
  /** The index of the color, coolest first. */
  readonly of: (score: number) => number;
}

/** Distributes the colors over a range of scores. */
export function createHeat(scores: readonly number[]): HeatScale {
  const top = scores.reduce((max, score) => Math.max(max, score), MIN_TOP);
  const bounds = PARTS.map((part) => Number((part * top).toPrecision(2)));
  return { bounds, of: (score) => bounds.filter((bound) => score >= bound).length };
}

/** Formats a score. */
export const formatScore = (score: number): string => (score >= 10 ? score.toFixed(0) : score.toFixed(1));
