// `npm test`: everything that has to hold, in one go. Its last line counts the assertions.
// `npm test -- path…` runs those tests alone; `--coverage` shows how much of what protects people they have run through.
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareMachine } from './machine.ts'
import { BROWSER_AT, serveBrowser } from './runner/browser.ts'
import { testEnvironment } from './runner/environment.ts'
import { counts, lineOf, slowest, troubleOf } from './runner/report.ts'
import { type FileResult, ROOT, runFile } from './runner/run-file.ts'

const STEPS: [name: string, command: string, ...parameters: string[]][] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the client', 'tsc', '-p', 'client/tsconfig.json'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['build of the client', 'vite', 'build', 'client', '--logLevel', 'warn']
]
/** What takes longest comes first. */
const ALL = ['test/e2e/accessibility', 'test/server', 'test/e2e', 'test/client', 'test/sandbox', 'test']
const COVERED = ['server/auth', 'server/access', 'server/proxy']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { coverage: { type: 'boolean' }, jobs: { type: 'string' } }
})
process.chdir(ROOT)
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

try {
  prepareMachine()
  const files = filesOf(positionals.length > 0 ? positionals : ALL)
  await Promise.all(STEPS.map(([name, ...command]) => step(name, command)))
  const results = await runFiles(files)
  const { passed, failed } = counts(results)
  process.stdout.write(`${slowest(results)}\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

/** The test files of paths, folders and patterns, in their order. */
function filesOf(wanted: readonly string[]): string[] {
  const found = wanted.flatMap((path) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    const files = globSync(isFolder ? join(path, '**/*.test.{ts,tsx}') : path)
    if (files.length === 0) throw new Error(`There is no test at ${path}`)
    return files.sort()
  })
  return [...new Set(found)]
}

/** Those of a run share a browser. */
async function runFiles(files: readonly string[]): Promise<FileResult[]> {
  const browser = files.some((path) => path.startsWith('test/e2e')) ? await serveBrowser() : null
  const traces = values.coverage ? mkdtempSync(join(tmpdir(), 'portal-coverage-')) : null
  const env = testEnvironment(process.env, {
    ...(browser ? { [BROWSER_AT]: browser.wsEndpoint() } : {}),
    ...(traces ? { NODE_V8_COVERAGE: traces } : {})
  })
  const waiting = [...files]
  const results: FileResult[] = []
  const work = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const result = await runFile(path, env)
      results.push(result)
      process.stdout.write(`${lineOf(result)}\n${troubleOf(result)}`)
    }
  }
  const jobs = Number(values.jobs ?? availableParallelism() + 1)
  await Promise.all(Array.from({ length: jobs }, work))
  await browser?.close()
  if (traces) {
    await step('coverage', [
      'c8',
      'report',
      '--all',
      ...['--temp-directory', traces],
      ...COVERED.flatMap((folder) => ['--include', `${folder}/**`])
    ])
    rmSync(traces, { recursive: true })
  }
  return results
}

/** Rejects when it fails. What it says is shown together, as several run side by side. */
function step(name: string, [command = '', ...parameters]: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    child.once('error', reject)
    child.once('close', (status) => {
      process.stdout.write(`# ${name}\n${said}`)
      if (status === 0) resolve()
      else reject(new Error(`${name} failed: ${[command, ...parameters].join(' ')}`))
    })
  })
}
