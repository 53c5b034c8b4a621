/** What a licence asks and allows, as far as its name tells. */
export interface LicenseTerms {
  /** The author has to be named. */
  readonly attribution: boolean;
  readonly commercial: boolean;
  readonly derivatives: boolean;
  /** What is made of it has to be under the same licence. */
  readonly share_alike: boolean;
}

const OPEN: LicenseTerms = { attribution: true, commercial: true, derivatives: true, share_alike: false };
const PUBLIC_DOMAIN = /^(?:CC0-|Unlicense$|0BSD$)/;
const PERMISSIVE = /^(?:MIT|ISC|BSD-|Apache-|Zlib$|BSL-|PSF-|Python-)/;
const RECIPROCAL = /^(?:A?GPL-|LGPL-|MPL-|EPL-|EUPL-)/;
const CREATIVE = /^CC-BY(?:-(?:NC|ND|SA))*-\d/;

/** The terms of a licence by its SPDX id; undefined where they are not known. */
export function termsOf(license: string): LicenseTerms | undefined {
  if (PUBLIC_DOMAIN.test(license)) return { ...OPEN, attribution: false };
  if (PERMISSIVE.test(license)) return OPEN;
  if (RECIPROCAL.test(license)) return { ...OPEN, share_alike: true };
  if (!CREATIVE.test(license)) return undefined;
  return {
    attribution: true,
    commercial: !license.includes("-NC"),
    derivatives: !license.includes("-ND"),
    share_alike: license.includes("-SA"),
  };
}
