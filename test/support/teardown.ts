/** What test/support uses of a tap test; benchmarks have it too. */
export interface Test {
  teardown: (work: () => unknown) => void
}
