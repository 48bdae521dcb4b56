// `npm test`: everything that has to hold, in one go. Its last line counts the assertions.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareMachine } from './machine.ts'

const STEPS: [name: string, command: string, ...parameters: string[]][] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the client', 'tsc', '-p', 'client/tsconfig.json'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['build of the client', 'vite', 'build', 'client', '--logLevel', 'warn']
]

try {
  prepareMachine()
  for (const [name, command, ...parameters] of STEPS) {
    process.stdout.write(`# ${name}\n`)
    const { status } = await run(command, parameters)
    if (status !== 0) throw new Error(`${name} failed: ${[command, ...parameters].join(' ')}`)
  }
  const failures = join(mkdtempSync(join(tmpdir(), 'portal-tests-')), 'failed')
  const tap = (...parameters: string[]) =>
    run('tap', ['--disable-coverage', '-R', 'terse', '--save', failures, ...parameters])
  const first = await tap(...process.argv.slice(2))
  const counts = countsOf(first.output)
  let { status } = first
  // Two files run side by side here, and many of them start processes of their own. What fails is named and run once
  // more by itself: a failure that then is none was one of the machine.
  if (status !== 0 && existsSync(failures)) {
    process.stdout.write(`# once more, one by one:\n${readFileSync(failures, 'utf8')}`)
    const second = await tap('--jobs=1')
    const left = countsOf(second.output).failed
    counts.passed += Math.max(counts.failed - left, 0)
    counts.failed = left
    status = second.status
  }
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`)
  process.exitCode = status === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

function run(command: string, parameters: string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}

/** From tap's closing line, such as `# { total: 7, pass: 6, fail: 1 }`. */
function countsOf(output: string): { passed: number; failed: number } {
  const line = output.match(/^# \{ total: \d+.*\}$/gm)?.at(-1) ?? ''
  const count = (name: string) => Number(line.match(new RegExp(`${name}: (\\d+)`))?.[1] ?? 0)
  return { passed: count('pass'), failed: count('fail') }
}
