/** The part of a tap test that test/support uses; benchmarks implement it too. */
export interface Test {
  teardown: (work: () => unknown) => void
}
