import { validate } from "dockerfile-utils";

/** Returns the errors in a Dockerfile, as reported by the language server of editors. */
export const dockerfileFaults = (text: string): readonly string[] =>
  validate(text)
    .filter(({ severity }) => severity === 1)
    .map(({ message }) => (typeof message === "string" ? message : message.value));
