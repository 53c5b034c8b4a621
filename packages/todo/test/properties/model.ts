/** A task of the model. */
interface ModelTask {
  readonly id: string;
  readonly parent: string | undefined;
  readonly priority: number;
  readonly status: string;
}

/** The immutable state of the model. */
interface State {
  readonly tasks: readonly ModelTask[];
  /** Each as "blocked > blocker". */
  readonly waits: readonly string[];
}

const isClosed = (status: string): boolean => status === "completed" || status === "failed";

/** A simple reference model of tasks. Every operation returns whether it is allowed. */
export class Model {
  #state: State = { tasks: [], waits: [] };
  readonly #before: State[] = [];

  get ids(): readonly string[] {
    return this.#state.tasks.map(({ id }) => id);
  }

  create(id: string, priority: number, parent: string | undefined): void {
    const { tasks, waits } = this.#state;
    this.#become({ tasks: [...tasks, { id, parent, priority, status: "pending" }], waits });
  }

  move(id: string, status: string, hasReason: boolean): boolean {
    const { tasks, waits } = this.#state;
    const task = this.#find(id);
    if (task.status === status) return true;
    if (isClosed(task.status) && !isClosed(status) && !hasReason) return false;
    this.#become({ tasks: tasks.map((one) => (one.id === id ? { ...one, status } : one)), waits });
    return true;
  }

  block(id: string, by: string): boolean {
    const { tasks, waits } = this.#state;
    if (this.#behind(by).has(id)) return false;
    if (!waits.includes(`${id} > ${by}`)) this.#become({ tasks, waits: [...waits, `${id} > ${by}`] });
    return true;
  }

  unblock(id: string, by: string): boolean {
    const { tasks, waits } = this.#state;
    if (!waits.includes(`${id} > ${by}`)) return false;
    this.#become({ tasks, waits: waits.filter((one) => one !== `${id} > ${by}`) });
    return true;
  }

  remove(id: string, cascade: boolean): boolean {
    const { tasks, waits } = this.#state;
    const gone = new Set([id]);
    for (const one of gone) for (const child of tasks) if (child.parent === one) gone.add(child.id);
    if (gone.size > 1 && !cascade) return false;
    this.#become({
      tasks: tasks.filter((task) => !gone.has(task.id)),
      waits: waits.filter((one) => one.split(" > ").every((each) => !gone.has(each))),
    });
    return true;
  }

  undo(): boolean {
    const state = this.#before.pop();
    if (state !== undefined) this.#state = state;
    return state !== undefined;
  }

  /** The tasks as a list shows them: "id status blocked ready". */
  list(): readonly string[] {
    const newestFirst = (one: ModelTask, other: ModelTask): number => (one.id < other.id ? 1 : -1);
    return [...this.#state.tasks]
      .sort((one, other) => one.priority - other.priority || newestFirst(one, other))
      .map(({ id, status }) => {
        const blocked = this.#isBlocked(id);
        return `${id} ${status} ${blocked} ${status === "pending" && !blocked}`;
      });
  }

  ready(): readonly string[] {
    return [...this.#state.tasks]
      .filter(({ id, status }) => status === "pending" && !this.#isBlocked(id))
      .sort((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id);
  }

  #become(state: State): void {
    this.#before.push(this.#state);
    this.#state = state;
  }

  #find(id: string): ModelTask {
    const task = this.#state.tasks.find((one) => one.id === id);
    if (task === undefined) throw new Error(`The model has no ${id}`);
    return task;
  }

  #blockersOf(id: string): readonly string[] {
    return this.#state.waits.filter((one) => one.startsWith(`${id} > `)).map((one) => one.slice(id.length + 3));
  }

  #isBlocked(id: string): boolean {
    return this.#blockersOf(id).some((by) => this.#find(by).status !== "completed");
  }

  /** A task and all its direct and indirect blockers. */
  #behind(id: string): ReadonlySet<string> {
    const all = new Set([id]);
    for (const one of all) for (const by of this.#blockersOf(one)) all.add(by);
    return all;
  }
}
