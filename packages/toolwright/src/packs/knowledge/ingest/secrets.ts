/** Files that are kept from others by their owners, by name. */
const NAMES =
  /^(?:\.env(?:\..+)?|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml|env))$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg)$/i;
const EXAMPLES = /\.(?:example|sample|template|dist)$/i;

/** What only a key has in it, within the first part of a file. */
const KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{20}/;
const HEAD = 65_536;

/** Why a file is taken for a secret, by its name. */
export const secretName = (name: string): string | undefined =>
  NAMES.test(name) && !EXAMPLES.test(name) ? "its name is one of files with secrets" : undefined;

/** Why a file is taken for a secret, by what is in it. */
export const secretContent = (bytes: Uint8Array): string | undefined =>
  KEY.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString("latin1"))
    ? "there is a private key in it"
    : undefined;
