import { visit } from "jsonc-parser";
import { type Format, positionOf, SyntaxFault } from "./format.js";
import { JSON_FORMAT } from "./json.js";

/** JSON as clients read it that take no comma after the last element, and some of them no comments. */
export const strictJson = (takesComments: boolean): Format => ({
  ...JSON_FORMAT,
  parse(text) {
    const value = JSON_FORMAT.parse(text);
    refuseExtras(text, takesComments);
    return value;
  },
});

function refuseExtras(text: string, takesComments: boolean): void {
  const refuse = (what: string, offset: number): never => {
    const { line, column } = positionOf(text, offset);
    throw new SyntaxFault(`this client takes no ${what}`, line, column);
  };
  let comma: number | undefined;
  const passComma = (): void => {
    comma = undefined;
  };
  const endList = (): void => {
    if (comma !== undefined) refuse("comma after the last element", comma);
  };
  visit(
    text,
    {
      onComment: (offset) => (takesComments ? undefined : refuse("comments", offset)),
      onSeparator: (sign, offset) => {
        comma = sign === "," ? offset : undefined;
      },
      onObjectProperty: passComma,
      onObjectBegin: passComma,
      onArrayBegin: passComma,
      onLiteralValue: passComma,
      onObjectEnd: endList,
      onArrayEnd: endList,
    },
    { allowTrailingComma: true },
  );
}
