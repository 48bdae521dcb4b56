// `npm test`: everything that has to hold, in one go. Its last line counts the assertions.
import { spawn } from 'node:child_process'
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
  const { status, output } = await run('tap', ['--disable-coverage', '-R', 'terse', ...process.argv.slice(2)])
  const { passed, failed } = countsOf(output)
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exitCode = status === 0 && failed === 0 && passed > 0 ? 0 : 1
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
