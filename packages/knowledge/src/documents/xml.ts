/** What is told about an XML text as it is read; names are without their prefix. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

const LONGEST = 1000;

/** Reads XML without expanding what it declares, so that no entity can grow. */
export async function readXml(bytes: Buffer, events: XmlEvents): Promise<void> {
  const { Tokenizer } = await import("htmlparser2");
  const source = decodeXml(bytes);
  let [tag, attribute, value] = ["", "", ""];
  let attributes: Record<string, string> = Object.create(null) as Record<string, string>;
  const nameAt = (start: number, end: number): string => {
    const name = source.slice(start, Math.min(end, start + LONGEST));
    return name.slice(name.indexOf(":") + 1);
  };
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = nameAt(start, end);
        attributes = Object.create(null) as Record<string, string>;
      },
      onattribname(start, end) {
        attribute = nameAt(start, end);
        value = "";
      },
      onattribdata(start, end) {
        if (value.length < LONGEST) value += source.slice(start, Math.min(end, start + LONGEST));
      },
      onattribentity: (code) => void (value += String.fromCodePoint(code)),
      onattribend: () => void (attributes[attribute] = value),
      onopentagend: () => events.open(tag, attributes),
      onselfclosingtag() {
        events.open(tag, attributes);
        events.close(tag);
      },
      onclosetag: (start, end) => events.close(nameAt(start, end)),
      ontext: (start, end) => events.text(source.slice(start, end)),
      ontextentity: (code) => events.text(String.fromCodePoint(code)),
      oncdata: (start, end) => events.text(source.slice(start, end)),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
}

function decodeXml(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
