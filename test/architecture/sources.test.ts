// How source files are named and made.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = sourcesIn('shared', 'server', 'client', 'test')
const SERVER = sourcesIn('shared', 'server')

function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT })).toSorted()
}
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

t.test('there are no barrels', async (t) => {
  const barrels = FILES.filter((file) => /\/index\.tsx?$/.test(file) || /^export \* from/m.test(textOf(file)))
  t.strictSame(barrels, [])
})

t.test('no name says nothing, and all are in kebab-case', async (t) => {
  const nameless = /^(?:utils?|helpers?|common|misc|managers?|services?|base)(?:\.|$)/
  const product = FILES.filter((file) => !file.startsWith('test/'))
  t.strictSame(
    product.filter((file) => file.split('/').some((part) => nameless.test(part))),
    []
  )
  const names = FILES.filter((file) =>
    file.split('/').some((part) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(part))
  )
  t.strictSame(names, [], 'kebab-case')
})

t.test(
  'what tests wait for together stands before the first of them: afterwards the file may end meanwhile',
  async (t) => {
    const late = FILES.filter((file) => {
      const [, ...afterFirst] = file.includes('.test.ts') ? textOf(file).split(/^ *t\.test\(/m) : []
      return afterFirst.some((text) => /^(?:(?:const|let) .*= )?await /m.test(text))
    })
    t.strictSame(late, [])
  }
)

t.test('only main.ts touches the process', async (t) => {
  t.strictSame(
    SERVER.filter((file) => /\bprocess\./.test(textOf(file))),
    ['server/main.ts']
  )
})

t.test('no file of the server or of shared is longer than 250 lines', async (t) => {
  t.ok(SERVER.length > 50)
  t.strictSame(
    SERVER.filter((file) => textOf(file).split('\n').length - 1 > 250),
    []
  )
})
