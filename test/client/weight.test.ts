// Limits the code and style sheets of each screen, in kilobytes of gzip. The test builds the client itself.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { build, type Rolldown } from 'vite'

/** What every screen loads. */
const ENTRY_MAX = 138
const ENTRY_STYLES_MAX = 17
/** All that a screen loads: the largest size plus 2 %, room for a button, but not for a library. */
const SCREEN_MAX = 210
const LAZY_PARTS = ['uplot', 'jump-palette', 'later-parts']

const root = join(import.meta.dirname, '../../client')
const output = await build({
  root,
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'error',
  build: { write: false }
})
const parts = (output as Rolldown.RolldownOutput).output
const chunks = parts.filter((part) => part.type === 'chunk')
type Chunk = (typeof chunks)[number]

/** The given chunks and all chunks that they import statically. */
function closure(roots: readonly Chunk[]): Set<Chunk> {
  const all = new Set(roots)
  for (const { imports } of all)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) all.add(chunk)
  return all
}
const kilobytes = (texts: readonly (string | Uint8Array)[]) =>
  texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length / 1000, 0)
const weightOf = (all: readonly Chunk[]) => kilobytes(all.map(({ code }) => code))
const entry = closure(chunks.filter(({ isEntry }) => isEntry))
const screens = chunks.filter((chunk) => chunk.isDynamicEntry && chunk.facadeModuleId?.endsWith('-page.tsx'))

t.test('every screen stays within its size limit, and loads charts and the palette lazily', async (t) => {
  const weight = weightOf([...entry])
  t.ok(weight <= ENTRY_MAX, `code of all screens: ${weight} of ${ENTRY_MAX} kB`)
  t.ok(screens.length > 20)
  for (const screen of screens) {
    const all = [...closure([...entry, screen])]
    const screenWeight = weightOf(all)
    t.ok(screenWeight <= SCREEN_MAX, `${screen.name}: ${screenWeight} of ${SCREEN_MAX} kB`)
    const modules = all.flatMap(({ moduleIds }) => moduleIds).join()
    t.same(
      LAZY_PARTS.filter((name) => modules.includes(name)),
      [],
      screen.name
    )
  }
})

t.test('the style sheets of every page stay within their size limit', async (t) => {
  const page = parts.find(({ fileName }) => fileName === 'index.html')
  const html = page?.type === 'asset' ? String(page.source) : ''
  const styles = parts.flatMap((part) =>
    part.type === 'asset' && part.fileName.endsWith('.css') && html.includes(part.fileName) ? part.source : []
  )
  t.equal(styles.length, 2)
  const weight = kilobytes(styles)
  t.ok(weight <= ENTRY_STYLES_MAX, `${weight} of ${ENTRY_STYLES_MAX} kB`)
})
