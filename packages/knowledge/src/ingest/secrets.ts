/** Files that are kept from others by their owners, by name. */
const NAMES =
  /^(?:\.env(?:\..+)?|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml|env)|kubeconfig(?:\.ya?ml|\.json)?)$|\.(?:env|kubeconfig|pem|key|ppk|p12|pfx|jks|keystore|kdbx|asc|gpg)$/i;
const EXAMPLES = /\.(?:example|sample|template|dist)$/i;

/** What stands before a key, and how far after it the key itself is looked for. */
const MARK = "-----BEGIN ";
const SPAN = 1000;

/** What only a key has: after the mark, and lines about the key, much that is no word. In a string, line ends are written as signs. */
const KEY =
  /^-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\+[rn]|[\s"'`+,>|*#])+(?:[A-Za-z][\w-]{0,40}: [^\n\\]{0,200}(?:\n|\\+[rn])(?:\\+[rn]|[\s"'`+,>|*#])*){0,9}[A-Za-z0-9+/=]{32}/;

/** Why a file is taken for a secret, by its name. */
export const secretName = (name: string): string | undefined =>
  NAMES.test(name) && !EXAMPLES.test(name) ? "its name is one of files with secrets" : undefined;

/** Why a file is taken for a secret, by what is in it. */
export function secretContent({ buffer, byteOffset, byteLength }: Uint8Array): string | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + MARK.length))
    if (KEY.test(bytes.toString("latin1", at, at + SPAN))) return "there is a private key in it";
  return undefined;
}
