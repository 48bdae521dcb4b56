import { globSync } from 'node:fs'
import t from 'tap'
import { LONG, longestFirst } from './order.ts'

t.test('every file that is named as long is there', async (t) => {
  const files = globSync('test/**/*.test.{ts,tsx}')
  t.strictSame(
    LONG.filter((path) => !files.includes(path)),
    []
  )
  t.strictSame(longestFirst(files).slice(0, LONG.length), LONG)
})

t.test('after the long ones come those that wait for a browser, and none is lost', async (t) => {
  const files = ['test/client/a.test.ts', 'test/e2e/b.test.ts', LONG[1] ?? '', 'test/e2e/a.test.ts']
  t.strictSame(longestFirst(files), [
    LONG[1],
    'test/e2e/b.test.ts',
    'test/e2e/a.test.ts',
    'test/client/a.test.ts'
  ])
})
