/** One line of `--check`. */
export interface Finding {
  what: string
  where: string
  /** The problem and its fix; null if there is no problem. */
  problem: string | null
  /** What is no problem, but worth knowing. */
  note?: string | undefined
}
