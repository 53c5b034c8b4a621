import { describe, expect, test } from "vitest";
import { audio, Content, content, embeddedResource, image, resourceLink, text } from "../../src/protocol/content.js";

describe("a block", () => {
  test("of text contains the text", () => {
    expect(text("hello")).toEqual({ type: "text", text: "hello" });
  });

  test("of bytes is encoded as base64", () => {
    const bytes = new Uint8Array([0, 255, 254, 97]);
    expect(image(bytes, "image/png")).toEqual({ type: "image", data: "AP/+YQ==", mimeType: "image/png" });
    expect(audio(bytes, "audio/wav")).toEqual({ type: "audio", data: "AP/+YQ==", mimeType: "audio/wav" });
    expect(embeddedResource("file:///b", { blob: bytes })).toEqual({
      type: "resource",
      resource: { uri: "file:///b", blob: "AP/+YQ==" },
    });
  });

  test("encodes no bytes and many bytes", () => {
    expect(image(new Uint8Array(), "image/png")["data"]).toBe("");
    const many = new Uint8Array(300_000).fill(65);
    expect(image(many, "image/png")["data"]).toBe("QUFB".repeat(100_000));
  });

  test("of base64 is unchanged", () => {
    expect(image("AQID", "image/png")["data"]).toBe("AQID");
    expect(audio("AQID", "audio/wav")["data"]).toBe("AQID");
  });

  test("that links keeps its own members over extra ones", () => {
    expect(resourceLink("file:///a", "a", { title: "A", size: 5, uri: "other", type: "text" })).toEqual({
      type: "resource_link",
      uri: "file:///a",
      name: "a",
      title: "A",
      size: 5,
    });
  });

  test("that embeds has a MIME type only if one is given", () => {
    expect(embeddedResource("file:///a", { text: "x" })).toEqual({
      type: "resource",
      resource: { uri: "file:///a", text: "x" },
    });
    expect(embeddedResource("file:///a", { text: "x" }, "text/plain")).toEqual({
      type: "resource",
      resource: { uri: "file:///a", mimeType: "text/plain", text: "x" },
    });
  });
});

describe("content", () => {
  test("keeps its blocks in order and has no structured content", () => {
    const made = content(text("a"), text("b"));
    expect(made.blocks).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    expect(made.structured).toBeUndefined();
    expect(content().blocks).toEqual([]);
  });

  test("may have structured content, and null is a value", () => {
    expect(new Content([], null).structured).toBeNull();
    expect(new Content([], { n: 1 }).structured).toEqual({ n: 1 });
  });
});
