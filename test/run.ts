// `npm test`: types, lint, build and the fast tests. `npm run test:long`: build and the files named `*.long.test.ts`.
// `npm test -- path…` runs those files and folders only. `--coverage` adds a coverage table for server/{auth,access,proxy}.
import { spawn } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { testEnvironment } from './runner/environment.ts'
import { counts, lineOf, slowest, troubleOf } from './runner/report.ts'
import { type FileResult, ROOT, runFile } from './runner/run-file.ts'
import { PORTS_PART } from './support/free-port.ts'
import { prepareMachine } from './support/machine.ts'

type Step = [name: string, command: string, ...parameters: string[]]
const BUILD: Step = ['build of the client', 'vite', 'build', 'client', '--logLevel', 'warn']
const STEPS: Step[] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['types of the client', 'tsc', '-p', 'client/tsconfig.json'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  BUILD
]
const IS_LONG = /\.long\.test\.tsx?$/
const CACHE = resolve('node_modules/.cache/tests')
const COVERAGE = resolve('node_modules/.cache/coverage')
const COVERED_FOLDERS = ['server/auth', 'server/access', 'server/proxy']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { coverage: { type: 'boolean' }, jobs: { type: 'string' }, long: { type: 'boolean' } }
})
process.chdir(ROOT)
// The user of an image must be able to read files that tests create.
process.umask(0o022)
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

try {
  prepareMachine()
  const isPart = positionals.length > 0
  const files = isPart ? filesOf(positionals) : slowestFirst(filesOf(['test']))
  const steps = values.long ? [BUILD] : STEPS
  if (!isPart) await Promise.all(steps.map(([name, ...command]) => step(name, command)))
  const results = await runFiles(files)
  const { passed, failed } = counts(results)
  process.stdout.write(`${slowest(results)}\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

function filesOf(paths: readonly string[]): string[] {
  const foundFiles = paths.flatMap((path) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    const files = isFolder ? globSync(join(path, '**/*.test.{ts,tsx}')).filter(isInThisRun) : globSync(path)
    if (files.length === 0) throw new Error(`There is no test at ${path}`)
    return files.sort().map((file) => relative('.', file))
  })
  return [...new Set(foundFiles)]
}

function isInThisRun(path: string): boolean {
  return IS_LONG.test(path) === (values.long ?? false)
}

/** Browser tests first, then large files, so that the run does not end with one slow file. */
function slowestFirst(files: readonly string[]): string[] {
  const isBrowser = (path: string) => Number(path.startsWith('test/e2e'))
  return files.toSorted((a, b) => isBrowser(b) - isBrowser(a) || statSync(b).size - statSync(a).size)
}

async function runFiles(files: readonly string[]): Promise<FileResult[]> {
  const browser = files.some((path) => path.startsWith('test/e2e')) ? await startBrowser() : null
  if (values.coverage) rmSync(COVERAGE, { recursive: true, force: true })
  const env = testEnvironment(process.env, {
    ...browser?.env,
    ...(values.coverage ? { NODE_V8_COVERAGE: COVERAGE } : { NODE_COMPILE_CACHE: CACHE })
  })
  const queue = [...files]
  const results: FileResult[] = []
  const jobs = Number(values.jobs ?? availableParallelism() + 1)
  const runJob = async (_: unknown, job: number) => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const result = await runFile(path, { ...env, [PORTS_PART]: `${job}/${jobs}` })
      results.push(result)
      process.stdout.write(`${lineOf(result)}\n${troubleOf(result)}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, runJob))
  await browser?.server.close()
  if (values.coverage)
    await step('coverage', [
      'c8',
      'report',
      '--all',
      ...['--temp-directory', COVERAGE],
      ...COVERED_FOLDERS.flatMap((folder) => ['--include', `${folder}/**`])
    ])
  return results
}

async function startBrowser() {
  const { BROWSER_AT, serveBrowser } = await import('./runner/browser.ts')
  const server = await serveBrowser()
  return { server, env: { [BROWSER_AT]: server.wsEndpoint() } }
}

/** Rejects if the command fails. Prints the output when the command ends, because several commands run in parallel. */
function step(name: string, [command = '', ...parameters]: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.once('error', reject)
    child.once('close', (status) => {
      process.stdout.write(`# ${name}\n${output}`)
      if (status === 0) resolve()
      else reject(new Error(`${name} failed: ${[command, ...parameters].join(' ')}`))
    })
  })
}
