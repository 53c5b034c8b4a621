import { request } from "node:https";

/** Whether a client that believes in this certificate reaches the server over a new connection. */
export const reaches = (url: string, ca: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(new URL("/alive", url), { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.on("error", () => resolve(false));
    sent.end();
  });
