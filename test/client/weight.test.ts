// What a browser fetches before the first screen, from a build of its own: gzip at the level of the twins that are served.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Rolldown } from 'vite'
import { build } from 'vite'

const CLIENT = join(import.meta.dirname, '../../client')
const SCRIPTS_MAX_BYTES = 120_000
const STYLES_MAX_BYTES = 15_000

/** By the way somebody comes in, the modules that the first screen needs, whether they are fetched apart or not. */
const LANDINGS: [landing: string, ...modules: string[]][] = [
  ['the customers page', 'screens/customers/customers-page.tsx'],
  ['a customer page', 'screens/projects/projects-page.tsx', 'screens/projects/device-table.tsx'],
  ['a customer page on a phone', 'screens/projects/projects-page.tsx', 'screens/projects/device-cards.tsx'],
  ["a global admin's users page", 'screens/users/users-page.tsx', 'screens/shell/integrator-chooser.tsx']
]

const built = (await build({
  root: CLIENT,
  configFile: join(CLIENT, 'vite.config.ts'),
  logLevel: 'error',
  build: { write: false }
})) as Rolldown.RolldownOutput
const chunks = built.output.filter((part) => part.type === 'chunk')
const assets = new Map(
  built.output.flatMap((part) => (part.type === 'asset' ? [[part.fileName, part.source]] : []))
)

function chunkOf(module: string): Rolldown.OutputChunk {
  const found = chunks.find(({ modules }) =>
    Object.keys(modules).some((id) => id.endsWith(`/client/${module}`))
  )
  if (!found) throw new Error(`${module} is not in the build: what does its landing need instead?`)
  return found
}

/** A chunk, and all that has to be there before it runs. */
function closure(roots: readonly Rolldown.OutputChunk[]): Set<Rolldown.OutputChunk> {
  const all = new Set(roots)
  for (const { imports } of all)
    for (const name of imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported) all.add(imported)
    }
  return all
}

const gzipped = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length

function stylesOf(all: Iterable<Rolldown.OutputChunk>): number {
  const names = new Set([...all].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return [...names].reduce((sum, name) => sum + gzipped(assets.get(name) ?? ''), 0)
}

for (const [landing, ...modules] of LANDINGS) {
  t.test(`${landing} stays within its weight, and brings no chart`, async (t) => {
    const entry = chunks.filter(({ isEntry }) => isEntry)
    const needed = closure([...entry, ...modules.map(chunkOf)])
    const scripts = [...needed].map(({ fileName, code }) => ({ fileName, bytes: gzipped(code) }))
    const sum = scripts.reduce((total, { bytes }) => total + bytes, 0)
    const styles = stylesOf(needed)
    t.comment(`${landing}: ${sum} bytes of JavaScript in ${scripts.length} files, ${styles} bytes of CSS`)
    t.ok(sum > 50_000 && sum <= SCRIPTS_MAX_BYTES, `${sum} of ${SCRIPTS_MAX_BYTES} bytes of JavaScript`)
    t.ok(styles > 5_000 && styles <= STYLES_MAX_BYTES, `${styles} of ${STYLES_MAX_BYTES} bytes of CSS`)
    const sources = [...needed].flatMap(({ modules }) => Object.keys(modules))
    t.same(
      sources.filter((id) =>
        /uplot|components\/chart\.tsx|jump-palette|deeds\/dialogs\/[a-z]+-[a-z]+\.tsx/.test(id)
      ),
      []
    )
  })
}

t.test('no screen fetches the code of another area', async (t) => {
  const areaOf = (id: string) => /\/client\/screens\/([^/]+)\//.exec(id)?.[1]
  const before = closure(chunks.filter(({ isEntry }) => isEntry))
  const pages = chunks.filter(
    ({ facadeModuleId, isDynamicEntry }) => isDynamicEntry && facadeModuleId?.endsWith('-page.tsx')
  )
  t.ok(pages.length > 10)
  for (const page of pages) {
    const own = areaOf(page.facadeModuleId ?? '')
    const areas = [...closure([page])]
      .filter((chunk) => !before.has(chunk))
      .flatMap(({ modules }) => Object.keys(modules).map(areaOf))
    t.same(
      [...new Set(areas)].filter((area) => area !== undefined && area !== own),
      [],
      page.name
    )
  }
})

t.test('there are no web fonts', async (t) => {
  t.same(
    [...assets.keys()].filter((name) => /\.(?:woff2?|ttf|otf|eot)$/.test(name)),
    []
  )
  for (const [name, source] of assets) if (name.endsWith('.css')) t.notMatch(String(source), '@font-face')
})
