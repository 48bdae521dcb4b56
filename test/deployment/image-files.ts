// Reads the stages of the Dockerfile and the files that they copy.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Line = [instruction: string, rest: string]

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The instructions of each stage, by the stage's name. */
export function stages(): Map<string, Line[]> {
  const stagesByName = new Map<string, Line[]>()
  let lines: Line[] = []
  for (const line of read('Dockerfile')
    .replace(/\\\n\s*/g, '')
    .split('\n')) {
    const [, instruction = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      lines = []
      stagesByName.set(rest.split(' AS ')[1] ?? '', lines)
    }
    if (instruction !== '') lines.push([instruction, rest])
  }
  return stagesByName
}

/** Paths that a stage copies, relative to its work folder. */
export const copies = (stage: string): string[] =>
  (stages().get(stage) ?? []).flatMap(([instruction, rest]) =>
    instruction === 'COPY' ? [rest.split(' ').at(-1)?.replace(/^\.\//, '') || 'package.json'] : []
  )

interface LockedPackage {
  dev?: true
  dependencies?: Record<string, string>
}

const lockedPackages = () =>
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }).packages

/** Folders of the production packages in the lock file. */
export function productionPackages(): string[] {
  return Object.entries(lockedPackages()).flatMap(([path, { dev }]) => (path === '' || dev ? [] : [path]))
}

/** The folders of a package and of all that it depends on, as far as they are at the top. */
export function packagesOf(name: string): string[] {
  const packages = lockedPackages()
  const found = new Set([`node_modules/${name}`])
  for (const path of found)
    for (const dependency of Object.keys(packages[path]?.dependencies ?? {}))
      found.add(`node_modules/${dependency}`)
  return [...found]
}
