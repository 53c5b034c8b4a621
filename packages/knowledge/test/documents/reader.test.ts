import { afterEach, describe, expect, test } from "vitest";
import { READER_FILE, Reader } from "../../src/documents/reader.js";
import { pageOf, pdfOfPages } from "./make-pdf.js";

const pdf = (text: string): Uint8Array => new Uint8Array(pdfOfPages([pageOf([11, text])]));
const slow = (): Uint8Array =>
  new Uint8Array(pdfOfPages([{ bytes: Buffer.from("BT /F1 9 Tf (x) Tj ET\n".repeat(400_000)) }]));

const open: Reader[] = [];
function reader(options: Partial<ConstructorParameters<typeof Reader>[0]> = {}): Reader {
  const made = new Reader({ file: READER_FILE, ...options });
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

describe("the reader of documents", () => {
  test("gives from its thread what can be located", async () => {
    const reading = await reader().read({ name: "a.pdf", bytes: pdf("some words") });
    expect([reading.text, reading.locate(5, 10)]).toEqual(["some words", { page: 1, line_start: 1, line_end: 1 }]);
  });

  test("reads several that are asked for at once, one after the other", async () => {
    const own = reader();
    const readings = await Promise.all(
      ["one", "two", "three"].map((text) => own.read({ name: "a.pdf", bytes: pdf(text) })),
    );
    expect(readings.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  });

  test("ends a thread that takes too long, and reads the next document in a new one", async () => {
    const own = reader({ documentMs: 300 });
    const first = own.read({ name: "slow.pdf", bytes: slow() });
    await expect(first).rejects.toThrow("it takes longer than 0.3 seconds to read");
    const next = new Reader({ file: READER_FILE });
    open.push(next);
    expect((await next.read({ name: "a.pdf", bytes: pdf("next") })).text).toBe("next");
  });

  test("ends a thread whose heap is full, and reads the next document", async () => {
    const own = reader({ memory: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 } });
    await expect(own.read({ name: "large.pdf", bytes: slow() })).rejects.toThrow("it needs more memory than the limit");
    expect((await own.read({ name: "a.pdf", bytes: pdf("next") })).text).toBe("next");
  });

  test("stops at once when it is cancelled, and goes on with the next document", async () => {
    const own = reader();
    const stop = new AbortController();
    const first = own.read({ name: "slow.pdf", bytes: slow() }, stop.signal);
    const second = own.read({ name: "a.pdf", bytes: pdf("second") });
    stop.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    expect((await second).text).toBe("second");
  });

  test("moves the bytes that it may take, and copies others", async () => {
    const [owned, kept] = [pdf("owned"), pdf("kept")];
    const own = reader();
    await own.read({ name: "a.pdf", bytes: owned, isOwned: true });
    await own.read({ name: "a.pdf", bytes: kept });
    expect([owned.length === 0, kept.length > 0]).toEqual([true, true]);
  });

  test("reads nothing when it is closed", async () => {
    const own = reader();
    const asked = own.read({ name: "slow.pdf", bytes: slow() });
    const refused = expect(asked).rejects.toThrow("Cannot read a document: the reader is closed");
    await own.close();
    await refused;
    await expect(own.read({ name: "a.pdf", bytes: pdf("x") })).rejects.toThrow("the reader is closed");
  });

  test("reports that the thread cannot start if its script is missing", async () => {
    const own = reader({ file: new URL("file:///nowhere/at-all.js") });
    await expect(own.read({ name: "a.pdf", bytes: pdf("x") })).rejects.toThrow(
      "Cannot read documents: a worker thread could not be started",
    );
  });
});
