/** Everything wrong with the environment, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      `The gateway cannot start with this environment:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`
    )
    this.problems = problems
  }
}
