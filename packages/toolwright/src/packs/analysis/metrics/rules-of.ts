import type { Language } from "../../../syntax/languages.js";
import { TYPESCRIPT } from "./languages/typescript.js";
import type { Rules } from "./rules.js";

/** The rules of each language. */
export const RULES: Readonly<Record<Language, Rules>> = {
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: TYPESCRIPT,
} as Readonly<Record<Language, Rules>>;
