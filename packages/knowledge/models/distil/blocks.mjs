// What documentation says, without its markup: headings, and paragraphs that are sentences.

/** Words that hardly any English sentence does without, and hardly any line of code has. */
const SENTENCE = /\b(?:the|of|to|is|are|a|an|and|in|for|with|that|this|be|by|was|you|it)\b/i;
const FEWEST_WORDS = 5;

/** The blocks of a file in reStructuredText or Markdown, or of plain text: `{ isHeading, text }`. */
export function blocksOfText(source) {
  const lines = source
    .replaceAll("\r", "")
    .replaceAll(/^---\n[\s\S]*?\n---\n/g, "")
    .replaceAll(/^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1.*$/gm, "")
    .split("\n");
  const blocks = [];
  let open = [];
  const close = () => {
    if (open.length > 0) blocks.push(paragraphOf(open.join(" ")));
    open = [];
  };
  for (const [at, line] of lines.entries()) {
    const underlined = /^([=\-~^"'`*+#.:])\1{2,}\s*$/.test(lines[at + 1] ?? "") && /^\S/.test(line);
    const heading = underlined ? line : /^#{1,6}\s+(.*)/.exec(line)?.[1];
    if (heading !== undefined) {
      close();
      const text = unmarked(heading);
      if (/[a-z]{3}/i.test(text)) blocks.push({ isHeading: true, text });
    } else if (line.trim() === "" || /^\s*(?:\.\. |[|+]|:\w+:)/.test(line) || /^[^\w\s]{3,}\s*$/.test(line)) close();
    else {
      if (/^\s*(?:[-*+]|\d+[.)]|#\.)\s/.test(line)) close();
      open.push(line.trim().replace(/^(?:[-*+>]|\d+[.)]|#\.)\s+/, ""));
    }
  }
  close();
  return blocks.filter((block) => block !== undefined);
}

/** The blocks of the comments of a file of type declarations. */
export function blocksOfComments(source) {
  return Array.from(source.matchAll(/\/\*\*([\s\S]*?)\*\//g), ([, comment]) =>
    comment
      .replaceAll(/^[ \t]*\*? ?/gm, "")
      .replaceAll(/^\s*@(?:param|arg|template|property)\s+(?:\{[^}]*\}\s*)?\S+(?:\s+-)?/gm, "\n\n")
      .replaceAll(/^\s*@\w+/gm, "\n\n"),
  ).flatMap(blocksOfText);
}

/** The blocks of all texts in a file of JSON; they may be HTML. */
export function blocksOfJson(source) {
  const blocks = [];
  JSON.parse(source, (_, value) => {
    if (typeof value === "string" && value.includes(" "))
      for (const part of value.split(/<\/(?:p|li|dd|dt|note)>/)) blocks.push(paragraphOf(part));
    return value;
  });
  return blocks.filter((block) => block !== undefined);
}

/** The sentences of a paragraph. */
export const sentencesOf = (text) => text.split(/(?<=[a-z\d)"'][.!?])\s+(?=[A-Z"'(])/);

function paragraphOf(source) {
  const text = unmarked(source);
  const letters = text.replaceAll(/[^a-z ]/gi, "").length;
  const isProse = letters >= 0.88 * text.length && SENTENCE.test(text) && text.split(" ").length >= FEWEST_WORDS;
  return isProse ? { isHeading: false, text } : undefined;
}

function unmarked(text) {
  return text
    .replaceAll(/<[^<>]{1,200}>/g, (tag) => (/^<(?:https?:|[A-Z])/.test(tag) ? "" : " "))
    .replaceAll(/&(?:nbsp|amp|lt|gt|quot|#\d+);/g, " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\[([^\]]*)\]\[[^\]]*\]/g, "$1")
    .replaceAll(/\{@\w+\s+([^}|]*)(?:\|[^}]*)?\}/g, "$1")
    .replaceAll(/:[\w:+-]+:`[~!]?([^`<]*?)\s*(?:<[^`]*>)?`/g, "$1")
    .replaceAll(/`([^`]*?)\s*`__?/g, "$1")
    .replaceAll(/https?:\/\/\S+/g, "")
    .replaceAll(/[`*|]|\\[^\w]|__/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/::$/g, ":")
    .trim();
}
