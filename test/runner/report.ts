// Prints a line for each file, its failures, the slowest files and the counts.
import { stringify } from 'yaml'
import type { FileResult } from './run-file.ts'

const SLOWEST_MAX = 10

export function lineOf({ path, passed, failures, seconds }: FileResult): string {
  const verdict = failures.length === 0 ? 'ok    ' : 'not ok'
  return `${verdict} ${seconds.toFixed(1).padStart(5)} s ${String(passed).padStart(5)}  ${path}`
}

/** The failures and the standard error of a file; empty if the file has neither. */
export function troubleOf({ failures, stderr }: FileResult): string {
  const lines = failures.map(({ name, diagnosis }) => `- ${name}\n${diagnosis ? stringify(diagnosis) : ''}`)
  return [...lines, stderr].join('').replace(/^(?=.)/gm, '    ')
}

export function slowest(results: readonly FileResult[]): string {
  const slowestResults = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_MAX)
  return ['# the slowest:', ...slowestResults.map(lineOf)].join('\n')
}

export function counts(results: readonly FileResult[]): { passed: number; failed: number } {
  const sum = (countOf: (result: FileResult) => number) =>
    results.reduce((total, result) => total + countOf(result), 0)
  return { passed: sum(({ passed }) => passed), failed: sum(({ failures }) => failures.length) }
}
