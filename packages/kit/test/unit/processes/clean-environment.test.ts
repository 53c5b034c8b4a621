import { describe, expect, it } from "vitest";
import { cleanEnvironment } from "../../../src/processes/start-program.js";

describe("cleanEnvironment", () => {
  it.each([
    "GITHUB_TOKEN",
    "NPM_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "OPENAI_API_KEY",
    "MYSQL_PWD",
    "PGPASSWORD",
    "DB_PASSWORD",
    "SSH_AUTH_SOCK",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SENTRY_DSN",
    "npm_config__auth",
    "GITLAB_PAT",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "NODE_OPTIONS",
    "BASH_ENV",
    "ENV",
    "GIT_DIR",
    "GIT_SSH_COMMAND",
    "PYTHONSTARTUP",
    "RUSTC_WRAPPER",
    "JAVA_TOOL_OPTIONS",
    "MAKEFLAGS",
    "TOOLWRIGHT_AUTH",
  ])("leaves out %s", (name) => {
    expect(cleanEnvironment({ [name]: "x" })).not.toHaveProperty([name]);
  });

  it.each(["HOME", "LANG", "KEYBOARD", "ENVIRONMENT", "CARGO_HOME", "GOPATH", "JAVA_HOME", "PYTHONPATH", "AUTHOR"])(
    "keeps %s",
    (name) => {
      expect(cleanEnvironment({ [name]: "x" })[name]).toBe("x");
    },
  );

  it("leaves out addresses with a password, but for proxies", () => {
    const url = "http://me:secret@host:80";
    expect(cleanEnvironment({ DATABASE_URL: url, HTTP_PROXY: url })).toMatchObject({ HTTP_PROXY: url });
    expect(cleanEnvironment({ DATABASE_URL: url })).not.toHaveProperty("DATABASE_URL");
  });

  it("keeps the absolute folders of the PATH, and puts what is given over the rest", () => {
    const environment = cleanEnvironment({ PATH: "/bin:.:node_modules/.bin::/usr/bin", CI: "no" }, { MORE: "1" });
    expect(environment).toMatchObject({ PATH: "/bin:/usr/bin", CI: "true", NO_COLOR: "1", MORE: "1" });
  });
});
