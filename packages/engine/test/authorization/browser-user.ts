/** Does at an authorization server what a person does in a browser: logs in, agrees, and comes back with what they were given. */
export async function agree(authorizationUrl: URL, login: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  const visit = async (url: URL, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const back = authorizationUrl.searchParams.get("redirect_uri") ?? "";
  let url = authorizationUrl;
  let response = await visit(url);
  for (let step = 0; step < 20; step += 1) {
    const location = response.headers.get("location");
    if (location === null) {
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (prompt === undefined) throw new Error(`The authorization server says: ${page}`);
      response = await visit(url, { prompt, login, password: "any" });
      continue;
    }
    url = new URL(location, url);
    if (url.href.startsWith(back)) {
      if (!url.searchParams.has("code")) throw new Error(`The authorization server refused: ${url.search}`);
      return url.searchParams;
    }
    response = await visit(url);
  }
  throw new Error(`The authorization server asks without end: ${url.href}`);
}
