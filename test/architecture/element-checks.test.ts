// Checks how tests look for elements that should be absent.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/**
 * Compares what a query finds with null, or the focused element with another one. If it fails, also for a moment, it prints the
 * whole document, which takes minutes and gigabytes.
 */
const COMPARED = [
  /\b(?:equal|not|notEqual|strictEqual)\(\s*[^;]*?\b(?:query[A-Z]\w*|querySelector|closest)\((?:[^()]|\([^()]*\))*\),\s*null\b/g,
  /\b(?:equal|not|notEqual|strictEqual)\(\s*\w+\.activeElement,/g
]

const found = (text: string) => COMPARED.flatMap((pattern) => text.match(pattern) ?? [])

t.test('the check finds elements that are compared', async (t) => {
  t.equal(found("t.equal(portal.queryByRole('link', { name: 'A' }), null)").length, 1)
  t.equal(found("assert.equal(\n  page.querySelector(tagOf('a')),\n  null\n)").length, 1)
  t.equal(found('await waitFor(() => assert.equal(document.activeElement, title))').length, 1)
  t.equal(found('assert.ok(document.activeElement === title)').length, 0)
  t.equal(found("t.notOk(portal.queryByRole('link'))\nt.equal(value, null)").length, 0)
})

t.test('no test compares elements: use ok and notOk', async (t) => {
  const files = globSync('test/{client,e2e,support}/**/*.{ts,tsx}', { cwd: ROOT })
  t.ok(files.length > 100)
  for (const file of files) t.strictSame(found(readFileSync(`${ROOT}${file}`, 'utf8')), [], file)
})
