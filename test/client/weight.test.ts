// Limits the JavaScript of each screen, in kilobytes of gzip. The test builds the client itself.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { build, type Rolldown } from 'vite'

/** The measured size in kilobytes plus 15 %: room for a button, but not for a library. */
const ENTRY_MAX = 155
const SCREEN_MAX = 68
const LAZY_PARTS = ['uplot', 'jump-palette', 'later-parts']

const root = join(import.meta.dirname, '../../client')
const output = await build({
  root,
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'error',
  build: { write: false }
})
const chunks = (output as Rolldown.RolldownOutput).output.filter((part) => part.type === 'chunk')
type Chunk = (typeof chunks)[number]

/** The given chunks and all chunks that they import statically. */
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

t.test('every screen stays within its size limit, and loads charts and the palette lazily', async (t) => {
  const weight = kilobytes([...entry])
  t.ok(weight <= ENTRY_MAX, `code of all screens: ${weight} of ${ENTRY_MAX} kB`)
  t.ok(screens.length > 20)
  for (const screen of screens) {
    const all = [...closure([screen])]
    const screenWeight = kilobytes(all.filter((chunk) => !entry.has(chunk)))
    t.ok(screenWeight <= SCREEN_MAX, `${screen.name}: ${screenWeight} of ${SCREEN_MAX} kB`)
    const modules = all.flatMap(({ moduleIds }) => moduleIds).join()
    t.same(
      LAZY_PARTS.filter((name) => modules.includes(name)),
      [],
      screen.name
    )
  }
})
