/** What `instanceof` does where a class says nothing else. */
const isOrdinaryInstance = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof` hold for what another copy of the engine has made. A program may have two: the command has one built in,
 * and a pack of somebody else brings its own.
 */
export function brand(made: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`@toolwright/engine ${name}`);
  Object.defineProperty(made.prototype, mark, { value: true });
  Object.defineProperty(made, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A class that extends this one inherits the method, and is told apart as any other.
      if (this !== made) return isOrdinaryInstance.call(this as typeof Object, value);
      if (typeof value !== "object" || value === null) return false;
      // What most tools return has no mark, and to look for it would cost each call more than this.
      return Object.getPrototypeOf(value) !== Object.prototype && mark in value;
    },
  });
}
