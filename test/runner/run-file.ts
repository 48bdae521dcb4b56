// Runs a test file in its own process group, and stops every process of the group when the file ends.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Parser, type Result } from 'tap-parser'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Time limit of a file, ten times the slowest. At the limit, tap reports the pending test; 10 s later the file is killed. */
const TIMEOUT_MS = 600_000
const KILL_AFTER_MS = TIMEOUT_MS + 10_000

interface Failure {
  name: string
  diagnosis: unknown
}

interface Outcome {
  passed: number
  failures: Failure[]
}

export interface FileResult extends Outcome {
  path: string
  seconds: number
  stderr: string
}

const runningGroups = new Set<number>()
process.once('exit', () => {
  for (const group of runningGroups) end(group)
})

/** A file that crashes or times out has at least one failure. */
export async function runFile(path: string, env: NodeJS.ProcessEnv): Promise<FileResult> {
  const startMs = performance.now()
  const child = spawn(process.execPath, ['--import=./test/support/tsx-loader.ts', path], {
    cwd: ROOT,
    env: { ...env, TAP_TIMEOUT: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const { pid } = child
  if (pid !== undefined) runningGroups.add(pid)
  const timeout = setTimeout(() => child.kill('SIGALRM'), TIMEOUT_MS)
  const killTimeout = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  const exitPromise = new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timeout)
      clearTimeout(killTimeout)
      if (pid !== undefined) end(pid)
      resolve(signal ?? code)
    })
  })
  const [output, stderr, exit] = await Promise.all([text(child.stdout), text(child.stderr), exitPromise])
  const { passed, failures } = readTap(output)
  if (exit !== 0 && failures.length === 0) failures.push(crash(exit, output))
  return { path, passed, failures, stderr, seconds: (performance.now() - startMs) / 1000 }
}

function crash(exit: string | number | null, output: string): Failure {
  const lastLine = output.trimEnd().split('\n').at(-1)
  return { name: `exited with ${exit}`, diagnosis: { last: lastLine } }
}

function end(group: number): void {
  runningGroups.delete(group)
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}

function readTap(output: string): Outcome {
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
