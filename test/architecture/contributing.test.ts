// The walks of CONTRIBUTING.md stay as short as they promise.
import { readFileSync } from 'node:fs'
import t from 'tap'

const FILES_MAX = 15
const text = readFileSync(new URL('../../.github/CONTRIBUTING.md', import.meta.url), 'utf8')
const [, walks = ''] = /^## Three walks[^\n]*\n(.*?)^## /ms.exec(text) ?? []

t.test('a walk visits at most fifteen files, and none twice', async (t) => {
  const all = walks.split(/^### /m).slice(1)
  t.equal(all.length, 3)
  for (const walk of all) {
    const files = [...walk.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file)
    t.ok(files.length > 3 && files.length <= FILES_MAX, walk)
    t.equal(new Set(files).size, files.length, walk)
  }
})
