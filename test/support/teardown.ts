/** The part of a tap test that test/support uses; benchmarks implement this part too. */
export interface Test {
  teardown: (work: () => unknown) => void
}
