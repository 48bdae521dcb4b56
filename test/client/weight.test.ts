// What a browser fetches before the first screen, from a build of its own: gzip at the level of the twins that are served.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { build, type Rolldown } from 'vite'

const CLIENT = join(import.meta.dirname, '../../client')
/** Of JavaScript, gzip: what was measured and 15 %, so that a button fits and a library does not. */
const MOST = { entry: 148_000, page: 195_000, all: 470_000 }
const STYLES_MAX_BYTES = 20_000

/** The ways in which most people come in, and what the first screen needs, whether it is fetched apart or not. */
const LANDINGS: [name: string, maxBytes: number, modules: string[]][] = [
  ['what the page loads at once', MOST.entry, []],
  ['the customers page', 152_000, ['customers/customers-page.tsx', 'customers/customer-cards.tsx']],
  ['a customer page', 184_000, ['projects/projects-page.tsx', 'devices/list/device-table.tsx']],
  ['a customer page on a phone', 184_000, ['projects/projects-page.tsx', 'devices/list/device-cards.tsx']],
  ["a global admin's users page", 183_000, ['users/users-page.tsx', '../app/frame/integrator-chooser.tsx']]
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
    Object.keys(modules).some((id) => id === join(CLIENT, 'features', module))
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
const sumOf = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0)
const scriptsOf = (all: Iterable<Rolldown.OutputChunk>) => sumOf([...all].map(({ code }) => gzipped(code)))

function stylesOf(all: Iterable<Rolldown.OutputChunk>): number {
  const names = new Set([...all].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return sumOf([...names].map((name) => gzipped(assets.get(name) ?? '')))
}

const entry = chunks.filter(({ isEntry }) => isEntry)
const pages = chunks.filter(
  ({ facadeModuleId, isDynamicEntry }) => isDynamicEntry && facadeModuleId?.endsWith('-page.tsx')
)

for (const [name, maxBytes, modules] of LANDINGS) {
  t.test(`${name} stays within its weight, and brings no chart`, async (t) => {
    const needed = closure([...entry, ...modules.map(chunkOf)])
    const scripts = scriptsOf(needed)
    const styles = stylesOf(needed)
    t.ok(scripts > 50_000 && scripts <= maxBytes, `${scripts} of ${maxBytes} bytes of JavaScript`)
    t.ok(styles > 5_000 && styles <= STYLES_MAX_BYTES, `${styles} of ${STYLES_MAX_BYTES} bytes of CSS`)
    const sources = [...needed].flatMap(({ modules }) => Object.keys(modules))
    t.same(
      sources.filter((id) =>
        /uplot|ui\/chart\/chart\.tsx|jump-palette|features\/(?:devices\/dialogs|projects|usage)\/(?:create|delete|edit|move|reregister|usage)-(?:project|devices?|metrics)\.tsx/.test(
          id
        )
      ),
      []
    )
  })
}

t.test('every other page stays within its weight too', async (t) => {
  t.ok(pages.length > 10)
  for (const page of pages) {
    const scripts = scriptsOf(closure([...entry, page]))
    t.ok(scripts <= MOST.page, `${page.name}: ${scripts} of ${MOST.page} bytes`)
  }
})

t.test('all JavaScript together stays within its weight', async (t) => {
  const all = scriptsOf(chunks)
  t.ok(all <= MOST.all, `${all} of ${MOST.all} bytes`)
})

t.test('no screen fetches a screen of another feature', async (t) => {
  const featureOf = (id: string) => /\/client\/(?:app|features\/[\w-]+)\//.exec(id)?.[0]
  const before = closure(entry)
  for (const page of pages) {
    const screens = [...closure([page])]
      .filter((chunk) => !before.has(chunk))
      .flatMap(({ modules }) => Object.keys(modules).filter((id) => id.endsWith('-page.tsx')))
    t.ok(screens.length > 0, page.name)
    t.same(new Set(screens.map(featureOf)), new Set([featureOf(page.facadeModuleId ?? '')]), page.name)
  }
})

t.test('there are no web fonts', async (t) => {
  t.same(
    [...assets.keys()].filter((name) => /\.(?:woff2?|ttf|otf|eot)$/.test(name)),
    []
  )
  for (const [name, source] of assets) if (name.endsWith('.css')) t.notMatch(String(source), '@font-face')
})
