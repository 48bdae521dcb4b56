// One test file in a process of its own: what it said, and that it ends, with all that it has started.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Failure, type Outcome, readTap } from './tap-output.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The slowest file takes a minute or two on two cores: ten are enough for a machine four times slower. Then tap is asked to
 * tell what is waited for; a file too busy for that is ended.
 */
const LIMITS = { seconds: 600, lastWordsSeconds: 10 }

export interface FileResult extends Outcome {
  path: string
  seconds: number
  /** What it wrote beside its results. */
  said: string
}

const alive = new Set<number>()
process.once('exit', () => {
  for (const group of alive) end(group)
})

/** A file without a failure has come to its end; one that broke off has at least one. */
export async function runFile(
  path: string,
  env: NodeJS.ProcessEnv,
  { seconds, lastWordsSeconds } = LIMITS
): Promise<FileResult> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--import=./test/support/tsx-loader.ts', path], {
    cwd: ROOT,
    env: { ...env, TAP_TIMEOUT: '0' },
    // A group of its own: what it leaves behind is ended with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const { pid } = child
  if (pid !== undefined) alive.add(pid)
  const late = setTimeout(() => child.kill('SIGALRM'), seconds * 1000)
  const tooLate = setTimeout(() => child.kill('SIGKILL'), (seconds + lastWordsSeconds) * 1000)
  const ending = new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      clearTimeout(tooLate)
      if (pid !== undefined) end(pid)
      resolve(signal ?? code)
    })
  })
  const [output, said, how] = await Promise.all([text(child.stdout), text(child.stderr), ending])
  const { passed, failures } = readTap(output)
  if (how !== 0 && failures.length === 0) failures.push(brokenOff(how, output))
  return { path, passed, failures, said, seconds: (performance.now() - begun) / 1000 }
}

function brokenOff(how: string | number | null, output: string): Failure {
  const last = output.trimEnd().split('\n').at(-1)
  return { name: `ended with ${how}`, diagnosis: { last } }
}

function end(group: number): void {
  alive.delete(group)
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
