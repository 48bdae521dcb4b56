// Whether the tests of what protects people notice a mistake: the sources are changed at one place at a time, by chance
// but the same for a seed, in a copy, and the tests that mirror them run until one fails.
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { testEnvironment } from '#test/runner/environment.ts'
import { ROOT } from '#test/runner/run-file.ts'
import { chance } from '#test/support/chance.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import type { Bench, Benchmark } from './run.ts'

/** The sources, and the tests beside their mirrors that must notice. */
const PARTS: [sources: string, tests: string][] = [
  ['server/access', 'test/server/access'],
  ['server/auth', 'test/server/auth'],
  ['shared', 'test/{shared,server/access,server/portal}']
]
const MUTANTS = 60
const AT_ONCE = 2
const NOT_COPIED = ['node_modules', '.git']
/** Beyond it a change has made something wait for ever: it is noticed. */
const SECONDS_A_FILE = 120

interface Mutant extends Mutation {
  path: string
  tests: string
}

export const mutants: Benchmark = { name: 'mutants', weight: 1, alone: true, run }

async function run({ print, teardown }: Bench): Promise<void> {
  const seed = Number(process.env.MUTANTS_SEED || 1)
  const all = PARTS.flatMap(([sources, tests]) =>
    globSync(`${sources}/**/*.ts`, { cwd: ROOT })
      .sort()
      .flatMap((path) => mutationsOf(read(path)).map((one): Mutant => ({ ...one, path, tests })))
  )
  const waiting = choose(all, chance(seed))
  print(`${waiting.length} of ${all.length} changes, by the seed ${seed}`)
  const survivors: string[] = []
  let killed = 0
  const work = async () => {
    const copy = mkdtempSync(join(tmpdir(), 'portal-mutants-'))
    teardown(() => rmSync(copy, { recursive: true, force: true }))
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const noticed = await killerOf(mutant, copy)
      if (noticed === null) survivors.push(told(mutant))
      else killed += 1
      print(`${noticed ? 'killed  ' : 'SURVIVED'} ${told(mutant)}${noticed ? ` (${noticed})` : ''}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  print(`\n${killed} killed, ${survivors.length} survived`)
  for (const one of survivors) print(one)
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

function choose(all: readonly Mutant[], below: (limit: number) => number): Mutant[] {
  const left = [...all]
  return Array.from({ length: Math.min(MUTANTS, left.length) }, () =>
    left.splice(below(left.length), 1)
  ).flat()
}

/** The test file that fails with the change; null when none does. */
async function killerOf(mutant: Mutant, copy: string): Promise<string | null> {
  const source = read(mutant.path)
  writeFileSync(
    join(copy, mutant.path),
    source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end)
  )
  try {
    for (const path of testsOf(mutant)) if (!(await passes(path, copy))) return path
    return null
  } finally {
    writeFileSync(join(copy, mutant.path), source)
  }
}

/** Those of the same name first, then those beside the mirror, but none of them that takes long. */
function testsOf({ path, tests }: Mutant): string[] {
  const name = basename(path, '.ts')
  const find = (pattern: string) => globSync(`${pattern}.test.{ts,tsx}`, { cwd: ROOT }).sort()
  const beside = find(`${tests}/**/*`).filter((one) => !one.includes('.long.'))
  return [...new Set([...find(`test/**/${name}`), ...beside])]
}

async function passes(path: string, copy: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--import=./test/support/tsx-loader.ts', path], {
    cwd: copy,
    env: testEnvironment(process.env, { TAP_TIMEOUT: '0', TAP_BAIL: '1' }),
    detached: true,
    stdio: 'ignore'
  })
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nothing of it is left.
    }
  }
  const late = setTimeout(end, SECONDS_A_FILE * 1000)
  const code = await new Promise((resolve) => child.once('exit', resolve))
  clearTimeout(late)
  end()
  return code === 0
}

function told({ path, start, end, text }: Mutant): string {
  const source = read(path)
  const line = source.slice(0, start).split('\n').length
  const short = (words: string) => words.replace(/\s+/g, ' ').slice(0, 70)
  return `${path}:${line} ${short(source.slice(start, end))} → ${short(text)}`
}
