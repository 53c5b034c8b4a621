import { generateKeyPairSync, sign } from "node:crypto";

/** A DER value. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const octets = (content: Buffer): Buffer => der(0x04, content);
const text = (tag: number, content: string): Buffer => der(tag, Buffer.from(content));
const TRUE = der(0x01, Buffer.from([0xff]));

/** Creates a self-signed certificate for this machine, with a new key. */
export function createCertificate(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(oid("550403"), text(0x0c, "localhost"))));
  const names = sequence(text(0x82, "localhost"), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(oid("551d13"), TRUE, octets(sequence(TRUE))),
    sequence(oid("551d11"), octets(names)),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const encoded = sequence(body, algorithm, signature).toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${encoded}\n-----END CERTIFICATE-----\n`,
  };
}

/** A certificate for this machine, with its key. */
export const certificate = createCertificate();
