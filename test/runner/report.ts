// Prints a line for each file, its failures, the slowest files and the counts.
import { stringify } from 'yaml'
import type { FileResult } from './run-file.ts'

const SLOWEST = 10

export function lineOf({ path, passed, failures, seconds }: FileResult): string {
  const verdict = failures.length === 0 ? 'ok    ' : 'not ok'
  return `${verdict} ${seconds.toFixed(1).padStart(5)} s ${String(passed).padStart(5)}  ${path}`
}

/** Failures and standard error of a file; empty when it has neither. */
export function troubleOf({ failures, stderr }: FileResult): string {
  const lines = failures.map(({ name, diagnosis }) => `- ${name}\n${diagnosis ? stringify(diagnosis) : ''}`)
  return [...lines, stderr].join('').replace(/^(?=.)/gm, '    ')
}

export function slowest(results: readonly FileResult[]): string {
  const sorted = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)
  return ['# the slowest:', ...sorted.map(lineOf)].join('\n')
}

export function counts(results: readonly FileResult[]): { passed: number; failed: number } {
  const sum = (of: (result: FileResult) => number) => results.reduce((total, result) => total + of(result), 0)
  return { passed: sum(({ passed }) => passed), failed: sum(({ failures }) => failures.length) }
}
