// Documents name files that exist, and each security requirement names a test or says why there is none.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const DOCUMENTS = ['README.md', '.github/CONTRIBUTING.md', '.github/security-requirements.md']
const STANDARDS = ['RFC 9700', 'RFC 10017', 'OpenID Connect Back-Channel Logout 1.0', 'ASVS 5.0']
const ID = /^\d+(?:\.\d+)*(?:(?:, | to )\d+(?:\.\d+)*)*$/
const PROOF = /^`test\/[\w/.-]+\.test\.tsx?`$/
const REASON = /^(?:Not met|Does not apply): \S.{10,}/

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

t.test('each requirement has an id, a text, and a test or a reason', async (t) => {
  const text = readFileSync('.github/security-requirements.md', 'utf8')
  for (const standard of STANDARDS) t.match(text, new RegExp(`^## .*${standard}`, 'm'))
  const rows = text.split('\n').filter((line) => /^\|(?! (?:id|---) )/.test(line))
  t.ok(rows.length > 100)
  const wrong = rows.filter((row) => {
    const [id = '', requirement = '', , proof = '', ...more] = row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    return (
      more.length > 0 ||
      !ID.test(id) ||
      requirement.length <= 10 ||
      !(PROOF.test(proof) || REASON.test(proof))
    )
  })
  t.strictSame(wrong, [])
  t.equal(new Set(rows).size, rows.length, 'no row occurs twice')
})
