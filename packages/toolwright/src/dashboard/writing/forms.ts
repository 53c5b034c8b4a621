import type { Task } from "@toolwright/todo/tasks/task.js";
import { type Html, html } from "../html.js";
import { placeOf } from "../parts.js";
import type { Shown } from "../view.js";

/** What can be changed of a task. */
export function changeForms({ id, status, priority, version }: Task): Html {
  const isOpen = status === "pending" || status === "in_progress";
  return html`<div class="changes-bar">${
    isOpen &&
    html`<form method="post" action="${placeOf(id)}/done"><input type="hidden" name="version" value="${version}"><button class="main">Mark as done</button></form>`
  }
<form method="post" action="${placeOf(id)}/priority"><input type="hidden" name="version" value="${version}">
<label>Priority <select name="priority">${[1, 2, 3, 4, 5].map((one) => html`<option${one === priority && html` selected`}>${one}</option>`)}</select></label> <button>Set priority</button></form></div>`;
}

/** How whoever runs a dashboard lets people change something; `isAlone` where it is served by a command of its own. */
const howToAllow = (isAlone: boolean): Html =>
  isAlone
    ? html`Start it with <code>--write-token</code>`
    : html`A token of 16 characters or more as the setting <code>http.writeToken</code>, or <code>TOOLWRIGHT_WRITE_TOKEN</code> in the environment, is needed`;

/** The page on which somebody types the token, or takes it away again. */
export function showUnlock(
  state: "never" | "locked" | "unlocked",
  { isAlone, isWrong = false }: { readonly isAlone: boolean; readonly isWrong?: boolean },
): Shown {
  return {
    status: isWrong ? 403 : 200,
    title: "Changes",
    main: html`<h1>Changes</h1>
${
  state === "never"
    ? html`<p>This dashboard is read-only. ${howToAllow(isAlone)} to be able to mark tasks as done and to set their priority.</p>`
    : state === "locked"
      ? html`<p>With the write token, tasks can be marked as done and get another priority. Whoever started the ${isAlone ? "dashboard" : "server"} has it.</p>
${isWrong && html`<p class="fault" role="alert">This is not the write token.</p>`}
<form class="unlock" method="post" action="/unlock"><label for="token">Write token</label>
<input id="token" name="token" type="password" required autocomplete="off" maxlength="500"> <button class="main">Unlock</button></form>`
      : html`<p>This browser may mark tasks as done and set their priority, until it is closed.</p>
<form method="post" action="/lock"><button class="main">Lock again</button></form>`
}`,
  };
}
