import type { Origin } from "./project.js";

const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|web_modules|vendor|third[_-]?party|Pods|Carthage|site-packages|dist-packages|\.?venv|\.yarn)\//;

const OUTPUTS = /(?:^|\/)(?:dist|\.next|\.nuxt|\.output|\.svelte-kit|coverage|__generated__|generated)\//;

const GENERATED_NAMES = [
  /[.-]min\.[cm]?js$/,
  /\.bundle\.js$/,
  /\.pb(?:\.gw)?\.(?:go|cc|h|swift)$/,
  /_pb2(?:_grpc)?\.pyi?$/,
  /\.(?:g|g\.i|designer|generated)\.cs$/i,
  /[._](?:generated|gen)\.[a-z]+$/,
];

const TEST_FOLDERS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|testdata|Tests)\//;

const TEST_NAMES = [
  /[._-](?:test|tests|spec)\.[a-z]+$/,
  /(?:^|\/)(?:test_[^/]*|conftest)\.py$/,
  /(?:Test|Tests|TestCase|Spec)\.(?:java|kt|cs|swift|php)$/,
];

/** What a file is, by its path relative to the project. */
export function originOf(path: string): Origin {
  if (VENDORED.test(path)) return "vendored";
  if (OUTPUTS.test(path) || GENERATED_NAMES.some((name) => name.test(path))) return "generated";
  return TEST_FOLDERS.test(path) || TEST_NAMES.some((name) => name.test(path)) ? "test" : "own";
}
