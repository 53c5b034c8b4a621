/** The maintainability index as it is usually given today: from 0 to 100. */
export function maintainability(volume: number, cyclomatic: number, codeLines: number): number {
  const index = 171 - 5.2 * Math.log(Math.max(1, volume)) - 0.23 * cyclomatic - 16.2 * Math.log(Math.max(1, codeLines));
  return Math.round(Math.min(100, Math.max(0, (index * 100) / 171)) * 100) / 100;
}
