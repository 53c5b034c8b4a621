/** What the families are about, for people. */
const TITLES: Readonly<Record<string, string>> = {
  authz: "Authorization",
  tenant: "Tenants",
  async: "Jobs, webhooks and events",
  authn: "Signing in",
  logic: "Business logic",
  input: "Input",
  files: "Files",
  outbound: "Outbound requests",
  crypto: "Secrets and cryptography",
  fail: "Failure",
  supply: "Supply chain",
  config: "Configuration",
  privacy: "Privacy",
  browser: "Browsers",
  agent: "Agents and MCP servers",
};

/** The title of a family; one of a user's own has none but its name. */
export const familyTitle = (family: string): string => TITLES[family] ?? family;
