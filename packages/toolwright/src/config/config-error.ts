/** A configuration that cannot be meant so, with all that is wrong with it; ends the program with code 2. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      faults.length === 1
        ? faults[0]
        : [`${faults.length} things are wrong with the configuration:`, ...faults].join("\n  "),
    );
    this.name = "ConfigError";
    this.faults = faults;
  }

  /** All of it where there is one line for it. */
  get line(): string {
    return this.faults.join("; ");
  }
}
