import { isObject } from "@toolwright/kit/json";

/**
 * Words the refusal of a call that was written for the official file server, by a tool that answers to the name of one of its own.
 * `names` says what its arguments are called here.
 */
export function otherNames(names: Readonly<Record<string, string>>): (given: unknown) => string | undefined {
  return (given) => {
    const found = Object.keys(names).filter((name) => hasName(given, name));
    if (found.length === 0) return undefined;
    return `These are the arguments of another server: here ${found.map((name) => `${name} is ${names[name]}`).join(", ")}.`;
  };
}

/** Whether an object, or one in its lists, has a member of a name. */
const hasName = (given: unknown, name: string): boolean =>
  isObject(given) &&
  (Object.hasOwn(given, name) ||
    Object.values(given).some(
      (list) => Array.isArray(list) && list.some((each) => isObject(each) && Object.hasOwn(each, name)),
    ));
