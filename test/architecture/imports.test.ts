// Who may import whom, read from the import statements.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SKIPPED = ['node_modules', 'dist', '.tap']

interface Import {
  /** The importing file, from the root. */
  from: string
  /** As written. */
  name: string
  /** The imported file, from the root; null for packages and Node's own modules. */
  to: string | null
  typesOnly: boolean
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.includes(entry.name) ? [] : sourcesIn(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

function importsOf(from: string): Import[] {
  const text = readFileSync(join(ROOT, from), 'utf8')
  return [...text.matchAll(IMPORT)].map(([statement, type, fixed = '', lazy = '']) => {
    const name = fixed || lazy
    const [, named] = /^\s*(?:import|export)\s*\{([^}]*)\}/.exec(statement) ?? []
    const typesOnly =
      type !== undefined || named?.split(',').every((one) => /^\s*(?:type\s|$)/.test(one)) === true
    return { from, name, to: pathOf(from, name), typesOnly: typesOnly && lazy === '' }
  })
}

function pathOf(from: string, name: string): string | null {
  if (name.startsWith('.')) return normalize(join(dirname(from), name))
  return name.startsWith('#') ? name.slice(1) : null
}

const FILES = ['shared', 'server', 'client', 'test'].flatMap(sourcesIn)
const IMPORTS = FILES.flatMap(importsOf)
const topOf = (path: string) => path.split('/')[0] ?? ''
const told = ({ from, name }: Import) => `${from} → ${name}`
const within = (folder: string) => IMPORTS.filter(({ from }) => from.startsWith(`${folder}/`))

/** Puts the sandbox and the gateway together; it stands between the two. */
const DEMO = 'test/sandbox/demo.ts'

t.test('there is something to look at', async (t) => {
  for (const folder of ['shared', 'server', 'client', 'test']) t.ok(within(folder).length > 1, folder)
  const sample = importsOf('server/app.ts')
  t.ok(sample.some(({ to, typesOnly }) => to === 'server/config.ts' && typesOnly))
  t.ok(sample.some(({ to, typesOnly }) => to === 'server/auth/routes.ts' && !typesOnly))
  t.ok(sample.some(({ name, to }) => name === 'fastify' && to === null))
})

t.test('shared imports nothing outside of itself', async (t) => {
  t.strictSame(
    within('shared')
      .filter(({ to }) => to === null || topOf(to) !== 'shared')
      .map(told),
    []
  )
})

t.test('server and client meet in shared only, and nothing but tests imports tests', async (t) => {
  const allowed: Record<string, string[]> = {
    server: ['server', 'shared'],
    client: ['client', 'shared']
  }
  for (const [folder, tops] of Object.entries(allowed)) {
    const wrong = within(folder).filter(({ to }) => to !== null && !tops.includes(topOf(to)))
    t.strictSame(wrong.map(told), [], folder)
  }
})

t.test('paths are relative inside of a top folder, and named from the root across', async (t) => {
  const wrong = IMPORTS.filter(
    ({ from, name, to }) => name.startsWith('.') && to !== null && topOf(to) !== topOf(from) && from !== DEMO
  )
  t.strictSame(wrong.map(told), [])
  const roundabout = IMPORTS.filter(
    ({ from, name }) => name.startsWith('#') && topOf(name.slice(1)) === topOf(from) && topOf(from) !== 'test'
  )
  t.strictSame(roundabout.map(told), [])
})

t.test('the sandbox knows types of shared only, and only the demo knows the gateway', async (t) => {
  const wrong = within('test/sandbox').filter(({ from, to, typesOnly }) => {
    if (to === null || /^test\/sandbox\//.test(to) || from.endsWith('.test.ts')) return false
    if (topOf(to) === 'shared') return !typesOnly
    return from !== DEMO || topOf(to) !== 'server'
  })
  t.strictSame(wrong.map(told), [])
})

// Each layer of the server may import those after it.
const AREAS = ['plugins', 'auth', 'access', 'proxy', 'portal']
const BELOW = [
  'audit.ts',
  'config.ts',
  'config-checks.ts',
  'config-secrets.ts',
  'config-shown.ts',
  'config-values.ts',
  'errors.ts',
  'limits.ts',
  'schemas.ts',
  'telemetry.ts',
  'types.ts',
  'upstreams'
]
/** What the process puts together. */
const ABOVE = ['main.ts', 'app.ts', 'check.ts', 'log.ts', 'operations.ts', 'stop.ts']

t.test('the areas of the server meet in nothing but what lies below them', async (t) => {
  const wrong = within('server').filter(({ from, to }) => {
    const [, own = ''] = from.split('/')
    const [top, other = ''] = to?.split('/') ?? []
    if (top !== 'server' || own === other || ABOVE.includes(own)) return false
    if (BELOW.includes(own)) return !BELOW.includes(other)
    return AREAS.includes(own) ? !BELOW.includes(other) : true
  })
  t.strictSame(wrong.map(told), [])
})

t.test('only the process imports the application, and nothing imports the process', async (t) => {
  const importers = within('server').filter(({ to }) => to === 'server/app.ts' || to === 'server/main.ts')
  t.strictSame(importers.map(told), ['server/main.ts → ./app.ts'])
})

t.test('on the client, components know no data, and screens do not know each other', async (t) => {
  const areaOf = (path: string) => path.split('/')[1] ?? ''
  const forbidden: Record<string, string[]> = {
    components: ['api', 'deeds', 'screens', 'session'],
    lib: ['api', 'deeds', 'screens', 'session', 'components'],
    api: ['deeds', 'screens', 'components'],
    session: ['deeds', 'screens'],
    deeds: ['screens']
  }
  const wrong = within('client').filter(({ from, to }) => {
    if (to === null || topOf(to) !== 'client') return false
    if (forbidden[areaOf(from)]?.includes(areaOf(to))) return true
    const [screen, other] = [from, to].map((path) => path.split('/'))
    return areaOf(from) === 'screens' && areaOf(to) === 'screens' && screen?.[2] !== other?.[2]
  })
  t.strictSame(wrong.map(told), [])
})

t.test('there are no barrels, no drawers, and no names that say nothing', async (t) => {
  const barrels = FILES.filter(
    (file) =>
      /(?:^|\/)index\.tsx?$/.test(file) || /^export \* from/m.test(readFileSync(join(ROOT, file), 'utf8'))
  )
  t.strictSame(barrels, [])
  const nameless = /^(?:utils?|helpers?|common|misc|managers?|services?|base)(?:\.|$)/
  const product = FILES.filter((file) => topOf(file) !== 'test')
  t.strictSame(
    product.filter((file) => file.split('/').some((part) => nameless.test(part))),
    []
  )
  const names = FILES.filter((file) =>
    file.split('/').some((part) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(part))
  )
  t.strictSame(names, [], 'kebab-case')
})

t.test('only main.ts touches the process', async (t) => {
  const touching = ['server', 'shared']
    .flatMap(sourcesIn)
    .filter((file) => /\bprocess\./.test(readFileSync(join(ROOT, file), 'utf8')))
  t.strictSame(touching, ['server/main.ts'])
})

t.test('no file of the server or of shared is longer than 250 lines', async (t) => {
  const lengths = ['server', 'shared']
    .flatMap(sourcesIn)
    .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
  t.strictSame(
    lengths.filter(({ lines }) => lines > 250),
    []
  )
})
