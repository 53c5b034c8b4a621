import type { Json, JsonObject } from "../../jsonrpc/json.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import { monotonic } from "../clock.js";
import type { Limits } from "../limits.js";
import type { TaskCall } from "./desk.js";
import { withoutAnswers, withoutQuestion, withQuestions } from "./states.js";
import { isFinalTask, type TaskRecord } from "./store.js";

/** Changes the task; undefined = it is gone. */
type Change = (to: (now: TaskRecord) => TaskRecord) => Promise<TaskRecord | undefined>;

/** A question that waits for its answer. */
interface Open {
  answered(answer: Json): void;
  giveUp(reason: string): void;
}

/** What a running task asks through its record, and who waits for the answers. */
export class TaskQuestions {
  readonly #call: TaskCall;
  readonly #limits: Limits;
  readonly #change: Change;
  /** Every key that the task has ever used: clients may still answer old ones. */
  readonly #used = new Set<string>();
  readonly #open = new Map<string, Open>();
  /** Questions that are not in the record yet: those of one turn come into it together, as clients answer them together. */
  #fresh: Record<string, Question> = {};
  #askingSince = 0;

  constructor(call: TaskCall, limits: Limits, change: Change) {
    this.#call = call;
    this.#limits = limits;
    this.#change = change;
  }

  /** Puts a question, and gives the raw answer. */
  ask(name: string, question: Question): Promise<Json> {
    const { questionTimeoutMs } = this.#limits;
    const key = this.#freshKey(name);
    return new Promise<Json>((resolve, reject) => {
      const settle = (step: () => void): void => {
        clearTimeout(timer);
        keepOpen();
        this.#close(key);
        step();
      };
      const giveUp = (reason: string, details: JsonObject = {}): void => {
        if (!this.#open.has(key)) return;
        settle(() => reject(noAnswer(reason, details)));
        this.#change((record) => withoutQuestion(record, key, Date.now())).catch(() => undefined);
      };
      const timer = setTimeout(
        () => giveUp(`no answer within ${questionTimeoutMs} ms`, { limit: "questionTimeoutMs" }),
        questionTimeoutMs,
      ).unref();
      const keepOpen = this.#call.lifetime.whenOver(() => giveUp("the task is over"));
      this.#begin(key, question, { answered: (answer) => settle(() => resolve(answer)), giveUp });
    });
  }

  /** Takes the answers that have come. */
  take({ answers = {} }: TaskRecord): void {
    const taken = Object.keys(answers).filter((key) => this.#used.has(key));
    if (taken.length === 0) return;
    for (const key of taken) this.#open.get(key)?.answered(answers[key] as Json);
    this.#change((record) => withoutAnswers(record, taken)).catch(() => undefined);
  }

  /** A question went out: until all are closed, the time is the client's. */
  #begin(key: string, question: Question, open: Open): void {
    if (this.#open.size === 0) this.#askingSince = monotonic();
    this.#open.set(key, open);
    this.#call.waits(true);
    if (Object.keys(this.#fresh).length === 0) setImmediate(() => void this.#put());
    this.#fresh[key] = question;
  }

  async #put(): Promise<void> {
    const fresh = this.#fresh;
    this.#fresh = {};
    const giveUp = (reason: string): void => {
      for (const key of Object.keys(fresh)) this.#open.get(key)?.giveUp(reason);
    };
    try {
      const record = await this.#change((now) => withQuestions(now, fresh, Date.now()));
      if (record === undefined || isFinalTask(record)) giveUp("the task is over");
    } catch {
      giveUp("the task could not be changed in its store");
    }
  }

  #close(key: string): void {
    this.#open.delete(key);
    if (this.#open.size > 0) return;
    this.#call.waits(false);
    this.#call.startedAt += monotonic() - this.#askingSince;
    this.#call.touch();
  }

  #freshKey(name: string): string {
    let key = name;
    for (let round = 2; this.#used.has(key); round += 1) key = `${name}-${round}`;
    this.#used.add(key);
    return key;
  }
}

function noAnswer(reason: string, details: JsonObject): ToolError {
  return new ToolError(`The question was not answered: ${reason}.`, { code: "NO_ANSWER", details });
}
