import { headerMismatch } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Revision } from "../../revisions/revision.js";
import { REVISIONS } from "../../revisions/select.js";
import type { Client } from "../client.js";
import type { SendOptions } from "../connection.js";
import { RequestRefused } from "../errors.js";
import { mirrorArguments, mirroredArguments } from "../http-headers.js";
import { pause } from "../pause.js";
import { converse } from "../rounds.js";
import { followCoreTask, followTask, type TaskDesk } from "../tasks.js";
import { textOf } from "../text.js";
import type { Comparison } from "./compare.js";
import type { Played } from "./judge.js";
import type { Step } from "./plan.js";
import type { AskingPlay, RecordedAnswers } from "./recorded-answers.js";

/** How long to wait for the progress after which a request was cancelled. */
const PROGRESS_WAIT_MS = 5000;

/** One request as it is played. */
export interface Play extends AskingPlay {
  readonly played: Promise<Played>;
  readonly stop: AbortController;
  /** Resolves when so much progress has been reported. */
  heard(reports: number): Promise<void>;
  isOver: boolean;
}

/** Plays the requests of one conversation. */
export class Player {
  readonly client: Client;
  readonly revision: Revision;
  readonly #answers: RecordedAnswers;
  readonly #comparison: Comparison;
  readonly #cursors = new Map<string, string>();

  constructor(client: Client, answers: RecordedAnswers, comparison: Comparison) {
    this.client = client;
    this.revision = REVISIONS.find(({ version }) => version === client.server.revision) as Revision;
    this.#answers = answers;
    this.#comparison = comparison;
  }

  /** Why a request cannot be played in the revision that is spoken; undefined = it can. */
  obstacle({ method, asked }: Step): string | undefined {
    const { methods, version } = this.revision;
    if (!methods.has(method) && REVISIONS.some((revision) => revision.methods.has(method)))
      return `${version} has no ${method}`;
    for (const question of asked) {
      try {
        this.revision.writeQuestion({ ...question, method: question.method as "roots/list" });
      } catch (error) {
        return (error as Error).message;
      }
    }
    return undefined;
  }

  start(step: Step): Play {
    const stop = new AbortController();
    const unexpected: string[] = [];
    let reports = 0;
    let wake: () => void = () => undefined;
    const told = (): void => {
      reports += 1;
      wake();
    };
    const asking = { step, unexpected };
    const play: Play = {
      ...asking,
      stop,
      isOver: false,
      played: this.#perform(asking, stop.signal, step.wantsProgress ? told : undefined).finally(() => {
        play.isOver = true;
        wake();
      }),
      heard: async (count) => {
        const enough = new Promise<void>((resolve) => {
          wake = () => {
            if (reports >= count || play.isOver) resolve();
          };
          wake();
        });
        const limit = new AbortController();
        await Promise.race([enough, pause(PROGRESS_WAIT_MS, limit.signal).catch(() => undefined)]);
        limit.abort();
      },
    };
    return play;
  }

  async #perform(asking: AskingPlay, signal: AbortSignal, onProgress: (() => void) | undefined): Promise<Played> {
    const { step } = asking;
    // Nobody knows how long one lasts that was never answered.
    const patience = step.outcome === undefined ? { timeoutMs: Infinity, totalMs: Infinity } : {};
    try {
      const result = await this.#converse(asking, { signal, ...patience, ...(onProgress && { onProgress }) });
      this.#noteCursor(step, result);
      return { result };
    } catch (error) {
      if (signal.aborted) return { cancelled: true };
      if (!(error instanceof RequestRefused)) return { failed: error instanceof Error ? error.message : String(error) };
      const { code, message, data } = error;
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
  }

  async #converse(asking: AskingPlay, options: SendOptions): Promise<JsonObject> {
    const { step } = asking;
    const { method } = step;
    const params = this.#paramsOf(step);
    const desk: TaskDesk = {
      request: (name, more, limits) => this.client.request(name, more, limits),
      answer: (question) => this.#answers.answer(question, asking),
      signal: options.signal,
      onTask: undefined,
    };
    const send = (round: JsonObject): Promise<JsonObject> => this.#send(method, round, options);
    const result = await converse(send, params, desk.answer, options.signal);
    if (method === "tools/call" && result["resultType"] === "task") return followTask(desk, result);
    return params["task"] !== undefined && isObject(result["task"]) ? followCoreTask(desk, result["task"]) : result;
  }

  /** What is to be repeated in headers, only the list of tools says. */
  async #send(method: string, params: JsonObject, options: SendOptions): Promise<JsonObject> {
    try {
      return await this.client.request(method, params, options);
    } catch (error) {
      const isMismatch = error instanceof RequestRefused && error.code === headerMismatch("").code;
      if (!isMismatch || method !== "tools/call") throw error;
      const tool = (await this.client.listTools()).find(({ name }) => name === params["name"]);
      const given = isObject(params["arguments"]) ? params["arguments"] : {};
      const headers = mirrorArguments(mirroredArguments(tool?.inputSchema) ?? [], given);
      const dressed: SendOptions = { ...options, headers };
      return this.client.request(method, params, dressed);
    }
  }

  /** The params with what stands now for what was recorded: ids, cursors, and the wish for a task. */
  #paramsOf({ method, params, isTask }: Step): JsonObject {
    const { task, cursor, ...rest } = this.#comparison.renew(params) as JsonObject;
    const wish = isTask && this.revision.taskChoice === "client" ? { task: task ?? {} } : {};
    const next = cursor === undefined ? {} : { cursor: this.#cursors.get(`${method} ${textOf(cursor)}`) ?? cursor };
    return { ...rest, ...wish, ...next };
  }

  #noteCursor({ method, outcome }: Step, { nextCursor: now }: JsonObject): void {
    const before = outcome && "result" in outcome ? outcome.result["nextCursor"] : undefined;
    if (typeof before === "string" && typeof now === "string") this.#cursors.set(`${method} ${before}`, now);
  }
}
