/** The size of the head and tail that are searched for a licence. */
const HEAD = 20_000;
const TAIL = 4_000;

const TAG = /SPDX-License-Identifier:[ \t]{0,8}([^\n]{1,200})/;
/** The part of an SPDX expression that consists of ids and operators. */
const EXPRESSION = /^\(?[A-Za-z0-9.+-]{2,60}(?:\s(?:AND|OR|WITH)\s\(?[A-Za-z0-9.+-]{2,60}\)?)*\)?/;

/**
 * Phrases that identify a licence: lower case, single spaces. All phrases of an entry must match; the first entry that matches
 * wins.
 */
const SENTENCES: readonly (readonly [id: string, ...words: string[]])[] = [
  ["AGPL-3.0-only", "gnu affero general public license", "version 3, 19 november 2007"],
  ["LGPL-3.0-only", "gnu lesser general public license", "version 3, 29 june 2007"],
  ["GPL-3.0-only", "gnu general public license", "version 3, 29 june 2007"],
  ["GPL-2.0-only", "gnu general public license", "version 2, june 1991"],
  ["LGPL-2.1-only", "gnu lesser general public license", "version 2.1, february 1999"],
  ["AGPL-3.0-or-later", "gnu affero general public license", "either version 3", "any later version"],
  ["LGPL-3.0-or-later", "gnu lesser general public license", "either version 3", "any later version"],
  ["LGPL-2.1-or-later", "gnu lesser general public license", "either version 2.1", "any later version"],
  ["GPL-3.0-or-later", "gnu general public license", "either version 3", "any later version"],
  ["GPL-2.0-or-later", "gnu general public license", "either version 2", "any later version"],
  ["MPL-2.0", "mozilla public license", "v. 2.0"],
  ["MPL-2.0", "mozilla public license version 2.0"],
  ["Apache-2.0", "apache license", "version 2.0"],
  ["Apache-2.0", "apache license 2.0"],
  ["EPL-2.0", "eclipse public license", "2.0"],
  ["BSL-1.0", "boost software license - version 1.0"],
  ["Unlicense", "this is free and unencumbered software released into the public domain"],
  ["ISC", "permission to use, copy, modify, and or distribute this software for any purpose"],
  ["MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"],
  ["BSD-3-Clause", "redistribution and use in source and binary forms", "endorse or promote products"],
  ["BSD-2-Clause", "redistribution and use in source and binary forms"],
  ["Zlib", "this software is provided 'as-is'", "altered source versions must be plainly marked"],
  ["CC0-1.0", "cc0 1.0"],
  ["CC0-1.0", "creativecommons.org/publicdomain/zero/1.0"],
];

/** Short names of licences in common use. */
const NAMES: readonly (readonly [id: string, name: RegExp])[] = [
  ["Apache-2.0", /^(?:the )?apache(?:[- ]license)?(?:,? v(?:ersion)?)?[- ]?\.?2(?:\.0)?\b/],
  ["BSD-3-Clause", /^(?:the )?(?:bsd[- ]3[- ]clause|3[- ]clause bsd|(?:new|modified) bsd)/],
  ["BSD-2-Clause", /^(?:the )?(?:bsd[- ]2[- ]clause|2[- ]clause bsd|simplified bsd)/],
  ["MPL-2.0", /^(?:the )?(?:mpl|mozilla public license)[- v,]{0,3}(?:version )?2/],
  ["AGPL-3.0-only", /^(?:the )?(?:gnu )?agpl[- ]?v?3/],
  ["LGPL-3.0-only", /^(?:the )?(?:gnu )?lgpl[- ]?v?3/],
  ["LGPL-2.1-only", /^(?:the )?(?:gnu )?lgpl[- ]?v?2\.1/],
  ["GPL-3.0-only", /^(?:the )?(?:gnu )?gpl[- ]?v?3/],
  ["GPL-2.0-only", /^(?:the )?(?:gnu )?gpl[- ]?v?2/],
  ["MIT", /^(?:the )?mit\b/],
  ["ISC", /^(?:the )?isc\b/],
  ["CC0-1.0", /^cc0/],
  ["Unlicense", /^(?:the )?unlicense/],
];
const CREATIVE_NAME = /^(?:the )?(?:cc|creative commons)[ -](by(?:-(?:nc|nd|sa)){0,2})[ -]?v?(\d\.\d)?/;
const CREATIVE_URL = /creativecommons\.org\/licenses\/(by(?:-(?:nc|nd|sa)){0,2})\/(\d\.\d)/;
const CREATIVE_WORDS =
  /creative commons (attribution)(?:[- ](noncommercial|non-commercial))?(?:[- ](sharealike|share-alike|noderivatives|noderivs))? (\d\.\d)/;
const SAID = /\b(?:licen[cs]ed|released|available|distributed) under (?:the )?(?:terms of )?(?:the )?\[?([^\n]{2,60})/g;
const SECTION = /^#{1,4} licen[cs]e[ \t]*\n+\[?([^\n]{2,60})/m;
/** A text is checked for a licence only if it contains one of these. */
const SIGNS = [
  "licens",
  "licenc",
  "creative",
  "permission is",
  "permission to use",
  "redistribution and",
  "cc0 1.0",
  "unencumbered",
];

/** Returns the SPDX id for a short name, such as in front matter. */
export function licenseNamed(words: string): string | undefined {
  const text = words.trim().toLowerCase();
  const [, parts, version = "4.0"] = CREATIVE_NAME.exec(text) ?? CREATIVE_URL.exec(text) ?? [];
  if (parts !== undefined) return `CC-${parts.toUpperCase()}-${version}`;
  if (text.includes("publicdomain/zero")) return "CC0-1.0";
  const known = NAMES.find(([, name]) => name.test(text))?.[0];
  const isOrLater = known?.includes("GPL") && /or[- ]later|\+/.test(text);
  if (known !== undefined) return isOrLater ? known.replace("-only", "-or-later") : known;
  const [id] = /^[A-Za-z0-9.+-]{2,60}$/.exec(words.trim()) ?? [];
  return id !== undefined && /\d|-/.test(id) ? id : undefined;
}

/** Returns the SPDX id of the licence that a text states. */
export function licenseIn(text: string): string | undefined {
  const part = text.length > HEAD + TAIL ? `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}` : text;
  const lower = part.toLowerCase();
  if (!SIGNS.some((sign) => lower.includes(sign))) return undefined;
  const tag = TAG.exec(part)?.[1]?.trim();
  const expression = tag && EXPRESSION.exec(tag)?.[0];
  if (expression) return expression;
  const words = lower.replaceAll(/[\s*#/>]+/g, " ");
  const sentence = SENTENCES.find(([, ...all]) => all.every((one) => words.includes(one)));
  return creativeIn(lower) ?? sentence?.[0] ?? saidIn(lower);
}

function creativeIn(text: string): string | undefined {
  const [, parts, version] = CREATIVE_URL.exec(text) ?? [];
  if (parts !== undefined) return `CC-${parts.toUpperCase()}-${version}`;
  const [, by, commercial, further, number] = CREATIVE_WORDS.exec(text) ?? [];
  if (by === undefined) return undefined;
  const last = further === undefined ? "" : further.startsWith("s") ? "-SA" : "-ND";
  return `CC-BY${commercial === undefined ? "" : "-NC"}${last}-${number}`;
}

function saidIn(text: string): string | undefined {
  const section = SECTION.exec(text)?.[1];
  const found = section === undefined ? undefined : fromSentence(section);
  if (found !== undefined) return found;
  for (const [, words = ""] of text.matchAll(SAID)) {
    const license = fromSentence(words);
    if (license !== undefined) return license;
  }
  return undefined;
}

/** Accepts only known names, because prose after "under" is usually something else. */
function fromSentence(words: string): string | undefined {
  const license = licenseNamed(words);
  return license !== undefined && license !== words.trim() ? license : undefined;
}
