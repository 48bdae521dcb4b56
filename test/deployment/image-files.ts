// Which files an image of our Dockerfile holds: its COPY lines, read over the build context that .dockerignore leaves
// and the packages of the lock file. It knows the few forms that we use and refuses others.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Stage {
  name: string
  from: string
  lines: [instruction: string, rest: string][]
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

export function stages(): Map<string, Stage> {
  const found = new Map<string, Stage>()
  let current: Stage | null = null
  for (const line of read('Dockerfile')
    .replace(/\\\n\s*/g, '')
    .split('\n')) {
    const [, instruction = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (instruction === '') continue
    if (instruction === 'FROM') {
      const [, from = '', name = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? []
      current = { name, from, lines: [] }
      found.set(name, current)
    } else current?.lines.push([instruction, rest])
  }
  return found
}

/** Rules of .dockerignore, in order: the last that fits decides. */
function isIgnored(path: string): boolean {
  let ignored = false
  for (const line of read('.dockerignore').split('\n')) {
    const rule = line.trim()
    if (rule === '' || rule.startsWith('#')) continue
    const pattern = rule
      .replace(/^!/, '')
      .split('/')
      .map((part) => (part === '**' ? '(?:.*/)?' : `${escaped(part)}/`))
    const expression = new RegExp(`^${pattern.join('').replace(/\/$/, '')}(?:/|$)`)
    if (expression.test(path)) ignored = !rule.startsWith('!')
  }
  return ignored
}

const escaped = (part: string) => part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (['node_modules', '.git', '.tap'].includes(entry.name)) return []
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

export function context(): string[] {
  return filesIn('').filter((path) => !isIgnored(path))
}

export function packages({ dev }: { dev: boolean }): string[] {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: true }> }
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && (dev || entry.dev !== true))
    .map(([path]) => path)
}

export function imageFiles(name: string): string[] {
  const known = stages()
  const stage = known.get(name)
  if (stage === undefined) return []
  const files = imageFiles(stage.from)
  for (const [instruction, rest] of stage.lines) {
    if (instruction === 'COPY') files.push(...copied(rest))
    else if (instruction === 'RUN') files.push(...made(rest))
    else if (instruction === 'ADD') throw new Error('ADD is not known here')
  }
  return files
}

export function pruning(): string {
  const commands = stages().get('dependencies')?.lines ?? []
  return commands.find(([, rest]) => rest.startsWith('find node_modules '))?.[1] ?? ''
}

function copied(rest: string): string[] {
  const [, from, list = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
  const paths = list.split(' ')
  const target = (paths.pop() ?? '').replace(/^\.\//, '')
  const there = from === undefined ? context() : imageFiles(from)
  const found = paths.flatMap((path) => {
    const source = path.replace(/^\/app\//, '')
    const fitting = there.filter((file) => file === source || file.startsWith(`${source}/`))
    if (fitting.length === 0) throw new Error(`COPY ${rest}: there is no ${path}`)
    if (target !== '' && target !== source) throw new Error(`COPY ${rest}: it is not renamed here`)
    return fitting
  })
  return found
}

function made(command: string): string[] {
  if (command === 'npm ci --ignore-scripts') return packages({ dev: true })
  if (command === 'npm ci --omit=dev --ignore-scripts') return packages({ dev: false })
  if (command === 'node node_modules/vite/bin/vite.js build client') return filesIn('dist/client')
  // It takes files away from packages, which stand here as folders.
  if (command === pruning()) return []
  throw new Error(`RUN ${command} is not known here`)
}
