import type { JsonObject } from "../../jsonrpc/json.js";
import type { Implementation } from "../../protocol/description.js";
import type { Revision } from "../../revisions/revision.js";
import { REVISIONS } from "../../revisions/select.js";
import { connect } from "../connect.js";
import type { ClientOptions, Target } from "../options.js";
import { NEWEST_HANDSHAKE } from "../speech.js";
import { Comparison } from "./compare.js";
import { judge, passedOver, type ReplayedRequest } from "./judge.js";
import type { Conversation, Deed, Plan } from "./plan.js";
import { planOf } from "./planner.js";
import { type Play, Player } from "./player.js";
import { RecordedAnswers } from "./recorded-answers.js";
import { readRecording } from "./recording.js";
import type { Replay, ReplayOptions } from "./replay-options.js";

/** Plays a recording against a server, and tells what is not as it was. */
export async function replay(text: string, target: Target, options: ReplayOptions): Promise<Replay> {
  const recording = readRecording(text);
  const comparison = new Comparison(recording.redacted, options.ignore ?? []);
  const plan = planOf(recording, options.session);
  const stage = new Stage(target, options, comparison);
  try {
    const last = new Map(plan.deeds.map((deed) => [conversationOf(deed), deed]));
    for (const deed of plan.deeds) {
      await stage.perform(deed);
      if (last.get(conversationOf(deed)) === deed) stage.leave(conversationOf(deed));
    }
    await stage.finish();
  } finally {
    await stage.close();
  }
  return { server: recording.server, notes: recording.notes, requests: requestsOf(plan, stage) };
}

const conversationOf = (deed: Deed): Conversation => ("step" in deed ? deed.step.conversation : deed.conversation);

function requestsOf({ steps, unplayable }: Plan, stage: Stage): ReplayedRequest[] {
  const played = steps.map(
    (step) => stage.reports.get(step) ?? passedOver(step, "not played", "it opened no conversation"),
  );
  const rest = unplayable.map(({ session, what, reason }) =>
    passedOver({ session, method: what, name: undefined }, "not played", reason),
  );
  return [...played, ...rest];
}

/** Where a recording is played: a client for each conversation, and what has become of each request. */
class Stage {
  readonly reports = new Map<object, ReplayedRequest>();
  readonly #target: Target;
  readonly #options: ReplayOptions;
  readonly #comparison: Comparison;
  readonly #players = new Map<Conversation, Player>();
  readonly #plays = new Map<object, Play>();
  readonly #closing: Promise<void>[] = [];

  constructor(target: Target, options: ReplayOptions, comparison: Comparison) {
    this.#target = target;
    this.#options = options;
    this.#comparison = comparison;
    // What is open then ends at once, however long it would have taken.
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  async perform(deed: Deed): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    if (deed.kind === "open") await this.#playerOf(deed.conversation);
    else if (deed.kind === "notify") {
      const player = await this.#playerOf(deed.conversation);
      if (player.revision.handshake) await player.client.notify(deed.method, deed.params).catch(() => undefined);
    } else if (deed.kind === "send") await this.#send(deed.step);
    else await this.#conclude(deed.step, deed.kind === "cancel");
  }

  /** Ends what was never answered when it was recorded. */
  async finish(): Promise<void> {
    for (const play of this.#plays.values()) play.stop.abort();
    for (const play of this.#plays.values()) await this.#judge(play);
  }

  /** Nothing more is said in a conversation; what is still open in it is waited for. */
  leave(conversation: Conversation): void {
    const client = this.#players.get(conversation)?.client;
    if (client && this.#openIn(conversation).length === 0) this.#closing.push(client.close());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#closing, ...[...this.#players.values()].map(({ client }) => client.close())]);
  }

  async #send(step: Play["step"]): Promise<void> {
    const player = await this.#playerOf(step.conversation);
    const isRedacted = this.#comparison.isRedacted(step.params);
    const obstacle =
      player.obstacle(step) ??
      (isRedacted && this.#options.skipRedacted ? "secrets were taken out of what was sent" : undefined);
    if (obstacle !== undefined) this.reports.set(step, passedOver(step, "not played", obstacle, isRedacted));
    else this.#plays.set(step, player.start(step));
  }

  async #conclude(step: Play["step"], isCancelled: boolean): Promise<void> {
    const play = this.#plays.get(step);
    if (play === undefined) return;
    if (isCancelled) {
      await play.heard(step.cancelledAfter ?? 0);
      play.stop.abort();
    }
    await this.#judge(play);
  }

  async #judge(play: Play): Promise<void> {
    const { step } = play;
    const played = await play.played;
    this.#plays.delete(step);
    this.reports.set(step, judge(play, played, this.#comparison, this.#revisionsOf(step.conversation)));
  }

  async #playerOf(conversation: Conversation): Promise<Player> {
    const known = this.#players.get(conversation);
    if (known) return known;
    const answers = new RecordedAnswers(conversation, () => this.#openIn(conversation));
    const client = await connect(this.#target, {
      ...this.#options.client,
      ...answers.handlers,
      ...(conversation.capabilities && { capabilities: conversation.capabilities }),
      ...(conversation.info && { info: conversation.info as unknown as Implementation }),
      revision: this.#options.revision ?? revisionOf(conversation).version,
    } satisfies ClientOptions);
    const player = new Player(client, answers, this.#comparison);
    this.#players.set(conversation, player);
    this.#judgeOpening(conversation, player);
    return player;
  }

  /** What every revision says of a server; what it can do, each declares in its own way. */
  #judgeOpening(conversation: Conversation, { client, revision }: Player): void {
    const { opening } = conversation;
    if (opening?.outcome === undefined || !("result" in opening.outcome)) return;
    const { capabilities, instructions } = opening.outcome.result;
    const recorded = { instructions, ...(revisionOf(conversation) === revision && { capabilities }) };
    const { server } = client;
    const now = { instructions: server.instructions, capabilities: server.capabilities };
    const differences = Object.entries(recorded).flatMap(([name, value]) =>
      this.#comparison.compare(value, (now as unknown as JsonObject)[name], name),
    );
    const verdict = differences.length === 0 ? "same" : "differs";
    this.reports.set(opening, { ...passedOver(opening, verdict, undefined), differences });
  }

  #openIn(conversation: Conversation): Play[] {
    return [...this.#plays.values()].filter(({ step }) => step.conversation === conversation);
  }

  #revisionsOf(conversation: Conversation): Revision[] {
    const player = this.#players.get(conversation);
    return player ? [revisionOf(conversation), player.revision] : [];
  }
}

/** The revision that was spoken; a conversation without its beginning was one of a session. */
function revisionOf({ revision }: Conversation): Revision {
  const wanted = revision ?? NEWEST_HANDSHAKE.version;
  const found = REVISIONS.find(({ version }) => version === wanted);
  return found ?? (REVISIONS.find(({ version }) => version === NEWEST_HANDSHAKE.version) as Revision);
}
