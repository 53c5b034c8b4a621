import type { SyntaxNode } from "@toolwright/kit/syntax";
import type { Declaration } from "../facts/facts.js";
import { type Handler, inside, type OutlineWriter } from "./outline-writer.js";

/** How a class-based language marks visibility. */
export interface VisibilityRules {
  /** Whether the modifiers make a declaration public. */
  readonly isPublic: (modifiers: string) => boolean;
  /** The node types of modifiers. */
  readonly modifiers: ReadonlySet<string>;
}

/** Private by default. */
export const PRIVATE_BY_DEFAULT: VisibilityRules = {
  isPublic: (modifiers) => /\b(?:public|protected)\b/.test(modifiers),
  modifiers: new Set(["modifiers", "modifier"]),
};
/** Public by default. */
export const PUBLIC_BY_DEFAULT: VisibilityRules = {
  isPublic: (modifiers) => !/\b(?:private|fileprivate|protected|internal)\b/.test(modifiers),
  modifiers: new Set(["modifiers", "modifier", "visibility_modifier"]),
};

/** The modifiers of a declaration. */
export const modifiersOf = (node: SyntaxNode, writer: OutlineWriter, { modifiers }: VisibilityRules): string =>
  node.children
    .filter(({ type }) => modifiers.has(type))
    .map((each) => writer.tree.textOf(each))
    .join(" ");

/** The body of a declaration. */
export const bodyOf = (node: SyntaxNode): SyntaxNode | undefined =>
  node.field("body") ?? node.children.find(({ type }) => /(?:_body|declaration_list|accessor_list|^block)$/.test(type));

/** The name of a declaration. */
export const declaredName = (node: SyntaxNode, writer: OutlineWriter): string | undefined =>
  writer.text(node.field("name") ?? node.children.find(({ type }) => /identifier$|^name$/.test(type)));

/** A declaration without its content. */
export const declared =
  (visibility: VisibilityRules, kind: Declaration["kind"]): Handler =>
  (node, writer, scope) => {
    const isExported = visibility.isPublic(modifiersOf(node, writer, visibility));
    writer.add(node, scope, { kind, name: declaredName(node, writer), isExported, until: bodyOf(node) });
  };

/** A type with its members. */
export const whole =
  (visibility: VisibilityRules, kind: Declaration["kind"]): Handler =>
  (node, writer, scope) => {
    const isExported = visibility.isPublic(modifiersOf(node, writer, visibility));
    writer.add(node, scope, { kind, name: declaredName(node, writer), isExported });
  };

/** A container of declarations. */
export const container =
  (visibility: VisibilityRules): Handler =>
  (node, writer, scope) => {
    const [name, body] = [declaredName(node, writer), bodyOf(node)];
    const isExported = visibility.isPublic(modifiersOf(node, writer, visibility));
    const keyword = node.children.find(({ type }) => /^(?:interface|extension)$/.test(type))?.type;
    const until = body?.type === "enum_class_body" ? undefined : body;
    // An extension is not a declaration, but its members belong to the type.
    if (keyword !== "extension")
      writer.add(node, scope, { kind: keyword === "interface" ? "interface" : "class", name, isExported, until });
    writer.enter(body, inside(scope, name, isExported || keyword === "extension"));
  };

/** Fields that are constants. */
export const fields =
  (visibility: VisibilityRules, constant: RegExp): Handler =>
  (node, writer, scope) => {
    const modifiers = modifiersOf(node, writer, visibility);
    const list = node.children.find(({ type }) => type === "variable_declaration");
    const inner = list?.named.some(({ type }) => type === "variable_declarator") === true ? list : node;
    const declarators = inner.named.filter(({ type }) => /^variable_declarat|^pattern$/.test(type));
    if (!constant.test(writer.tree.textOf(node).slice(0, 80))) return;
    for (const each of declarators) {
      const until = each.field("value") ?? [...each.children, ...node.children].find(({ type }) => type === "=");
      const name = declaredName(each, writer) ?? writer.text(each);
      writer.add(node, scope, { kind: "constant", name, isExported: visibility.isPublic(modifiers), until });
    }
  };

/** A namespace or package. */
export const namespace: Handler = (node, writer, scope) => {
  const name = node.field("name") ?? node.named.find(({ type }) => /name|identifier/.test(type));
  writer.add(node, scope, { kind: "module", name: writer.text(name), isExported: false, until: node.field("body") });
  writer.enter(node.field("body"), scope);
};
