// Reads the TAP output of one test file, complete or not.
import { Parser, type Result } from 'tap-parser'

export interface Failure {
  name: string
  diagnosis: unknown
}

export interface Outcome {
  passed: number
  failures: Failure[]
}

export function readTap(output: string): Outcome {
  const outcome: Outcome = { passed: 0, failures: [] }
  const note = ({ ok, skip, todo, closingTestPoint, fullname, diag }: Result) => {
    if (skip || todo || closingTestPoint) return
    if (ok) outcome.passed += 1
    else outcome.failures.push({ name: fullname, diagnosis: diag })
  }
  const watch = (parser: Parser) => parser.on('assert', note).on('child', watch)
  const parser = new Parser()
  watch(parser)
  parser.end(output)
  return outcome
}
