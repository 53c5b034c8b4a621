import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { agree } from "./browser-user.js";

/** What an application with an MCP client keeps for its user: the same for both versions of the official client. */
export class App {
  readonly redirectUrl = "http://127.0.0.1:9/callback";
  readonly clientMetadata = {
    client_name: "test",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  };
  /** The scopes that the user was asked for, each time; but not the one by which clients ask for a refresh token. */
  readonly asked: string[][] = [];
  readonly #login: string;
  #registered: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = "";
  #url: URL | undefined;

  constructor(login: string) {
    this.#login = login;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#registered;
  }

  saveClientInformation(registered: StoredOAuthClientInformation): void {
    this.#registered = registered;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  saveDiscoveryState(discovered: OAuthDiscoveryState): void {
    this.#discovered = discovered;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  redirectToAuthorization(url: URL): void {
    const scopes = url.searchParams.get("scope")?.split(" ") ?? [];
    this.asked.push(scopes.filter((scope) => scope !== "offline_access").sort());
    this.#url = url;
  }

  /** Sends the user to where the client wants them, and gives what they come back with. */
  async visit(): Promise<URLSearchParams> {
    if (this.#url === undefined) throw new Error("The client did not ask for the user");
    return agree(this.#url, this.#login);
  }

  /** A client whose refresh token is gone has to ask the user again. */
  forgetRefreshToken(): void {
    if (this.#tokens === undefined) return;
    const { refresh_token: _forgotten, ...rest } = this.#tokens;
    this.#tokens = rest;
  }
}
