// Checks the documents: paths exist, roles match the code, and each security requirement names a test or a reason.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { ACTIONS, ROLES, rolesAllowing } from '#shared/permissions.ts'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const DOCUMENTS = ['README.md', ...globSync('.github/**/*.md')]
const STANDARDS = ['RFC 9700', 'RFC 10017', 'OpenID Connect Back-Channel Logout 1.0', 'ASVS 5.0']
const ID = /^\d+(?:\.\d+)*(?:(?:, | to )\d+(?:\.\d+)*)*$/
const PROOF = /^`test\/[\w/.-]+\.test\.tsx?`$/
const REASON = /^(?:Not met|Does not apply): \S.{10,}/
/** A constant, a function or a component: `UPPER_SNAKE`, `UPPER`, `camelCase`, `PascalCase`. Not HTTP methods. */
const IDENTIFIER =
  /(?<![\w/.-])(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|(?!GET|POST|PATCH|PUT|DELETE)[A-Z]{4,}|[a-z]+(?:[A-Z]\w*)|[A-Z][a-z]+[A-Z]\w*)(?![\w/.-])/g
const FILE_NAME = /^[\w.-]+\.(?:tsx?|css|tsv|md)$/

for (const document of DOCUMENTS)
  t.test(`every path in ${document} exists`, async (t) => {
    const text = readFileSync(document, 'utf8')
    const paths = [...text.matchAll(/`((?:shared|server|client|test)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path
    )
    t.strictSame(
      paths.filter((path) => globSync(`${path}*`).length === 0),
      []
    )
  })

t.test('every identifier and file name in CONTRIBUTING.md exists in the sources', async (t) => {
  const files = globSync('{server,client,shared,test,.github}/**/*.*')
  const names = new Set(files.map((path) => basename(path)))
  const sources = files.filter((path) => /\.tsx?$/.test(path)).map((path) => readFileSync(path, 'utf8'))
  const words = new Set(sources.flatMap((text) => text.match(/\w+/g) ?? []))
  const text = readFileSync('.github/CONTRIBUTING.md', 'utf8').replace(/^```.*?^```$/gms, '')
  const spans = Array.from(text.matchAll(/`([^`]+)`/g), ([, span = '']) => span)
  const identifiers = spans.flatMap((span) => span.match(IDENTIFIER) ?? [])
  const fileNames = spans.filter((span) => FILE_NAME.test(span))
  t.ok(identifiers.length > 20 && fileNames.length > 10)
  t.strictSame(
    [
      ...identifiers.filter((identifier) => !words.has(identifier)),
      ...fileNames.filter((name) => !names.has(name))
    ],
    []
  )
})

t.test('links to product.md point to existing headings', async (t) => {
  const headings = readFileSync('.github/product.md', 'utf8').matchAll(/^#+ (.+)$/gm)
  const anchors = new Set(Array.from(headings, ([, title = '']) => title.toLowerCase().replaceAll(' ', '-')))
  const sources = globSync('{server,client,shared,test}/**/*.{ts,tsx}')
  const links = sources.flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/product\.md#([a-z-]+)/g), ([, anchor = '']) => ({
      path,
      anchor
    }))
  )
  t.ok(links.length > 10)
  t.strictSame(
    links.filter(({ anchor }) => !anchors.has(anchor)),
    []
  )
})

t.test('product.md and the code give each action the same roles', async (t) => {
  const rules = readFileSync('.github/product.md', 'utf8')
  const roles = Array.from(rules.matchAll(/^\| ([A-Z]{2}) \| (\d) \| `(\w+)`/gm))
  t.strictSame(
    roles.map(([, , number, name]) => ({ number: Number(number), name })),
    ROLES.map(({ number, name }) => ({ number, name }))
  )
  const initials = new Map(roles.map(([, abbreviation = '', , name]) => [abbreviation, name]))
  const table = Array.from(rules.matchAll(/^\| (`[a-z-]+:.*`) \| ([A-Z, ]+) \|$/gm)).flatMap(
    ([, actions = '', roles = '']) =>
      Array.from(actions.matchAll(/`(.+?)`/g), ([, action]) => [
        action,
        roles.split(', ').map((abbreviation) => initials.get(abbreviation))
      ])
  )
  const codeRoles = ACTIONS.map((action) => [action, [...rolesAllowing(action)]])
  t.same(new Map(table as [string, unknown][]), new Map(codeRoles as [string, unknown][]))
  t.equal(table.length, ACTIONS.length, 'lists each action once')
})

t.test('each security requirement has an id, a text, and a test or a reason', async (t) => {
  const text = readFileSync('.github/security-requirements.md', 'utf8')
  for (const standard of STANDARDS) t.match(text, new RegExp(`^## .*${standard}`, 'm'))
  const rows = text.split('\n').filter((line) => /^\|(?! (?:id|---) )/.test(line))
  t.ok(rows.length > 100)
  const wrongRows = rows.filter((row) => {
    const [id = '', requirement = '', , proof = '', ...otherCells] = row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    return (
      otherCells.length > 0 ||
      !ID.test(id) ||
      requirement.length <= 10 ||
      !(PROOF.test(proof) || REASON.test(proof))
    )
  })
  t.strictSame(wrongRows, [])
  t.equal(new Set(rows).size, rows.length, 'lists each row once')
})
