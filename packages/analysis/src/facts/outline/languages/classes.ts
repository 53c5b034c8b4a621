import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Declaration } from "../../facts.js";
import { type Handler, type Handlers, inside, type OutlineWriter, through } from "../outline-writer.js";

/** What differs between languages in which all is in classes. */
interface Manner {
  /** Whether the words before a declaration let others use it. */
  readonly isOpen: (words: string) => boolean;
  /** The types of the nodes in which these words are. */
  readonly words: ReadonlySet<string>;
}

const JAVA_LIKE: Manner = {
  isOpen: (words) => /\b(?:public|protected)\b/.test(words),
  words: new Set(["modifiers", "modifier"]),
};
const OPEN_BY_DEFAULT: Manner = {
  isOpen: (words) => !/\b(?:private|fileprivate|protected|internal)\b/.test(words),
  words: new Set(["modifiers", "modifier", "visibility_modifier"]),
};

const wordsOf = (node: SyntaxNode, writer: OutlineWriter, { words }: Manner): string =>
  node.children
    .filter(({ type }) => words.has(type))
    .map((each) => writer.tree.textOf(each))
    .join(" ");

const bodyOf = (node: SyntaxNode): SyntaxNode | undefined =>
  node.field("body") ?? node.children.find(({ type }) => /(?:_body|declaration_list|accessor_list|^block)$/.test(type));

const nameOf = (node: SyntaxNode, writer: OutlineWriter): string | undefined =>
  writer.text(node.field("name") ?? node.children.find(({ type }) => /identifier$|^name$/.test(type)));

/** Something that is told without what is in it. */
const declared =
  (manner: Manner, kind: Declaration["kind"]): Handler =>
  (node, writer, scope) => {
    const isExported = manner.isOpen(wordsOf(node, writer, manner));
    writer.add(node, scope, { kind, name: nameOf(node, writer), isExported, until: bodyOf(node) });
  };

/** A shape that is told with its members. */
const whole =
  (manner: Manner, kind: Declaration["kind"]): Handler =>
  (node, writer, scope) => {
    const isExported = manner.isOpen(wordsOf(node, writer, manner));
    writer.add(node, scope, { kind, name: nameOf(node, writer), isExported });
  };

const container =
  (manner: Manner): Handler =>
  (node, writer, scope) => {
    const [name, body] = [nameOf(node, writer), bodyOf(node)];
    const isExported = manner.isOpen(wordsOf(node, writer, manner));
    const keyword = node.children.find(({ type }) => /^(?:interface|extension)$/.test(type))?.type;
    const until = body?.type === "enum_class_body" ? undefined : body;
    // An extension declares nothing itself, but what is in it belongs to the type.
    if (keyword !== "extension")
      writer.add(node, scope, { kind: keyword === "interface" ? "interface" : "class", name, isExported, until });
    writer.enter(body, inside(scope, name, isExported || keyword === "extension"));
  };

/** Fields count where they are constants. */
const fields =
  (manner: Manner, constant: RegExp): Handler =>
  (node, writer, scope) => {
    const words = wordsOf(node, writer, manner);
    const list = node.children.find(({ type }) => type === "variable_declaration");
    const inner = list?.named.some(({ type }) => type === "variable_declarator") === true ? list : node;
    const declarators = inner.named.filter(({ type }) => /^variable_declarat|^pattern$/.test(type));
    if (!constant.test(writer.tree.textOf(node).slice(0, 80))) return;
    for (const each of declarators) {
      const until = each.field("value") ?? [...each.children, ...node.children].find(({ type }) => type === "=");
      const name = nameOf(each, writer) ?? writer.text(each);
      writer.add(node, scope, { kind: "constant", name, isExported: manner.isOpen(words), until });
    }
  };

const namespace: Handler = (node, writer, scope) => {
  const name = node.field("name") ?? node.named.find(({ type }) => /name|identifier/.test(type));
  writer.add(node, scope, { kind: "module", name: writer.text(name), isExported: false, until: node.field("body") });
  writer.enter(node.field("body"), scope);
};

/** What Java declares. */
export const JAVA: Handlers = {
  package_declaration: namespace,
  class_declaration: container(JAVA_LIKE),
  record_declaration: container(JAVA_LIKE),
  interface_declaration: whole(JAVA_LIKE, "interface"),
  annotation_type_declaration: whole(JAVA_LIKE, "interface"),
  enum_declaration: whole(JAVA_LIKE, "type"),
  method_declaration: declared(JAVA_LIKE, "function"),
  constructor_declaration: declared(JAVA_LIKE, "function"),
  field_declaration: fields(JAVA_LIKE, /\bstatic\b.*\bfinal\b|\bfinal\b.*\bstatic\b/),
};

/** What C# declares. */
export const CSHARP: Handlers = {
  namespace_declaration: namespace,
  file_scoped_namespace_declaration: namespace,
  declaration_list: through,
  class_declaration: container(JAVA_LIKE),
  struct_declaration: container(JAVA_LIKE),
  record_declaration: container(JAVA_LIKE),
  interface_declaration: whole(JAVA_LIKE, "interface"),
  enum_declaration: whole(JAVA_LIKE, "type"),
  delegate_declaration: declared(JAVA_LIKE, "type"),
  method_declaration: declared(JAVA_LIKE, "function"),
  constructor_declaration: declared(JAVA_LIKE, "function"),
  property_declaration: declared(JAVA_LIKE, "constant"),
  field_declaration: fields(JAVA_LIKE, /\bconst\b|\bstatic\b.*\breadonly\b/),
};

/** What Kotlin declares. */
export const KOTLIN: Handlers = {
  package_header: namespace,
  class_declaration: container(OPEN_BY_DEFAULT),
  object_declaration: container(OPEN_BY_DEFAULT),
  companion_object: (node, writer, scope) => writer.enter(bodyOf(node), scope),
  function_declaration: declared(OPEN_BY_DEFAULT, "function"),
  property_declaration: fields(OPEN_BY_DEFAULT, /\bconst\b/),
  type_alias: whole(OPEN_BY_DEFAULT, "type"),
};

/** What Swift declares. */
export const SWIFT: Handlers = {
  class_declaration: container(OPEN_BY_DEFAULT),
  protocol_declaration: whole(OPEN_BY_DEFAULT, "interface"),
  function_declaration: declared(OPEN_BY_DEFAULT, "function"),
  init_declaration: (node, writer, scope) =>
    writer.add(node, scope, {
      kind: "function",
      name: "init",
      isExported: OPEN_BY_DEFAULT.isOpen(wordsOf(node, writer, OPEN_BY_DEFAULT)),
      until: bodyOf(node),
    }),
  property_declaration: fields(OPEN_BY_DEFAULT, /\bstatic\s+let\b|^(?:public\s+)?let\b/),
  typealias_declaration: whole(OPEN_BY_DEFAULT, "type"),
};

/** What PHP declares. */
export const PHP: Handlers = {
  namespace_definition: namespace,
  class_declaration: container(OPEN_BY_DEFAULT),
  trait_declaration: container(OPEN_BY_DEFAULT),
  interface_declaration: whole(OPEN_BY_DEFAULT, "interface"),
  enum_declaration: whole(OPEN_BY_DEFAULT, "type"),
  function_definition: declared(OPEN_BY_DEFAULT, "function"),
  method_declaration: declared(OPEN_BY_DEFAULT, "function"),
  const_declaration: (node, writer, scope) => {
    for (const each of node.named.filter(({ type }) => type === "const_element"))
      writer.add(each, scope, {
        kind: "constant",
        name: nameOf(each, writer),
        isExported: OPEN_BY_DEFAULT.isOpen(wordsOf(node, writer, OPEN_BY_DEFAULT)),
        until: each.named.at(-1),
        before: "const ",
      });
  },
};
