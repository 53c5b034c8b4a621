/** The part of `oidc-provider` that the tests use: it brings no types along. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }

  export const errors: { readonly InvalidTarget: new () => Error };
}
