// What a browser fetches for a screen, from a build of its own: JavaScript, in kilobytes of gzip.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { build, type Rolldown } from 'vite'

/** Measured, and 15 % more: a button fits, a library does not. */
const ENTRY_MAX = 155
const SCREEN_MAX = 68
const LATER = ['uplot', 'jump-palette', 'later-parts']

const root = join(import.meta.dirname, '../../client')
const built = await build({
  root,
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'error',
  build: { write: false }
})
const chunks = (built as Rolldown.RolldownOutput).output.filter((part) => part.type === 'chunk')
type Chunk = (typeof chunks)[number]

/** A chunk, and all that has to be there before it runs. */
function closure(roots: readonly Chunk[]): Set<Chunk> {
  const all = new Set(roots)
  for (const { imports } of all)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) all.add(chunk)
  return all
}
const kilobytes = (all: readonly Chunk[]) =>
  all.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length / 1000, 0)
const entry = closure(chunks.filter(({ isEntry }) => isEntry))
const screens = chunks.filter((chunk) => chunk.isDynamicEntry && chunk.facadeModuleId?.endsWith('-page.tsx'))

t.test('every screen stays within its weight, and fetches charts and the palette later', async (t) => {
  const weight = kilobytes([...entry])
  t.ok(weight <= ENTRY_MAX, `all screens: ${weight} of ${ENTRY_MAX} kB`)
  t.ok(screens.length > 20)
  for (const screen of screens) {
    const all = [...closure([screen])]
    const own = kilobytes(all.filter((chunk) => !entry.has(chunk)))
    t.ok(own <= SCREEN_MAX, `${screen.name}: ${own} of ${SCREEN_MAX} kB`)
    const modules = all.flatMap(({ moduleIds }) => moduleIds).join()
    t.same(
      LATER.filter((name) => modules.includes(name)),
      [],
      screen.name
    )
  }
})
