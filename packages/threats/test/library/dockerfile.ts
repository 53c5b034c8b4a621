import { validate } from "dockerfile-utils";

/** What no builder would take in the text of a Dockerfile, by the judgement of an editor's language server. */
export const dockerfileFaults = (text: string): readonly string[] =>
  validate(text)
    .filter(({ severity }) => severity === 1)
    .map(({ message }) => (typeof message === "string" ? message : message.value));
