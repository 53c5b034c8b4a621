import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Declaration } from "../facts/facts.js";
import { type Handler, inside, type OutlineWriter } from "./outline-writer.js";

/** What differs between languages in which all is in classes. */
export interface Manner {
  /** Whether the words before a declaration let others use it. */
  readonly isOpen: (words: string) => boolean;
  /** The types of the nodes in which these words are. */
  readonly words: ReadonlySet<string>;
}

/** Only what says so is public. */
export const JAVA_LIKE: Manner = {
  isOpen: (words) => /\b(?:public|protected)\b/.test(words),
  words: new Set(["modifiers", "modifier"]),
};
/** Everything is public unless it says otherwise. */
export const OPEN_BY_DEFAULT: Manner = {
  isOpen: (words) => !/\b(?:private|fileprivate|protected|internal)\b/.test(words),
  words: new Set(["modifiers", "modifier", "visibility_modifier"]),
};

/** The modifiers in front of a declaration. */
export const wordsOf = (node: SyntaxNode, writer: OutlineWriter, { words }: Manner): string =>
  node.children
    .filter(({ type }) => words.has(type))
    .map((each) => writer.tree.textOf(each))
    .join(" ");

/** The body of a declaration. */
export const bodyOf = (node: SyntaxNode): SyntaxNode | undefined =>
  node.field("body") ?? node.children.find(({ type }) => /(?:_body|declaration_list|accessor_list|^block)$/.test(type));

/** The name that a declaration gives. */
export const declaredName = (node: SyntaxNode, writer: OutlineWriter): string | undefined =>
  writer.text(node.field("name") ?? node.children.find(({ type }) => /identifier$|^name$/.test(type)));

/** Something that is told without what is in it. */
export const declared =
  (manner: Manner, kind: Declaration["kind"]): Handler =>
  (node, writer, scope) => {
    const isExported = manner.isOpen(wordsOf(node, writer, manner));
    writer.add(node, scope, { kind, name: declaredName(node, writer), isExported, until: bodyOf(node) });
  };

/** A shape that is told with its members. */
export const whole =
  (manner: Manner, kind: Declaration["kind"]): Handler =>
  (node, writer, scope) => {
    const isExported = manner.isOpen(wordsOf(node, writer, manner));
    writer.add(node, scope, { kind, name: declaredName(node, writer), isExported });
  };

/** A type whose members are declarations of their own. */
export const container =
  (manner: Manner): Handler =>
  (node, writer, scope) => {
    const [name, body] = [declaredName(node, writer), bodyOf(node)];
    const isExported = manner.isOpen(wordsOf(node, writer, manner));
    const keyword = node.children.find(({ type }) => /^(?:interface|extension)$/.test(type))?.type;
    const until = body?.type === "enum_class_body" ? undefined : body;
    // An extension declares nothing itself, but what is in it belongs to the type.
    if (keyword !== "extension")
      writer.add(node, scope, { kind: keyword === "interface" ? "interface" : "class", name, isExported, until });
    writer.enter(body, inside(scope, name, isExported || keyword === "extension"));
  };

/** Fields count where they are constants. */
export const fields =
  (manner: Manner, constant: RegExp): Handler =>
  (node, writer, scope) => {
    const words = wordsOf(node, writer, manner);
    const list = node.children.find(({ type }) => type === "variable_declaration");
    const inner = list?.named.some(({ type }) => type === "variable_declarator") === true ? list : node;
    const declarators = inner.named.filter(({ type }) => /^variable_declarat|^pattern$/.test(type));
    if (!constant.test(writer.tree.textOf(node).slice(0, 80))) return;
    for (const each of declarators) {
      const until = each.field("value") ?? [...each.children, ...node.children].find(({ type }) => type === "=");
      const name = declaredName(each, writer) ?? writer.text(each);
      writer.add(node, scope, { kind: "constant", name, isExported: manner.isOpen(words), until });
    }
  };

/** A namespace or package. */
export const namespace: Handler = (node, writer, scope) => {
  const name = node.field("name") ?? node.named.find(({ type }) => /name|identifier/.test(type));
  writer.add(node, scope, { kind: "module", name: writer.text(name), isExported: false, until: node.field("body") });
  writer.enter(node.field("body"), scope);
};
