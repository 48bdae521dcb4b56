// Each row of the security requirements names a test file that exists, or says why there is none.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STANDARDS = ['RFC 9700', 'RFC 10017', 'OpenID Connect Back-Channel Logout 1.0', 'ASVS 5.0']
const PROOF = /^`(test\/[\w/.-]+\.test\.tsx?)`$/
const REASON = /^(?:Not met|Does not apply): \S.{10,}/

const lines = readFileSync(`${ROOT}.github/security-requirements.md`, 'utf8').split('\n')
const rows = lines
  .filter((line) => line.startsWith('|') && !/^\| (?:id|---) /.test(line))
  .map((line) => ({
    line,
    cells: line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
  }))

t.test('a row names its requirement and has a test, or says why it has none', async (t) => {
  for (const { line, cells } of rows) {
    const [id = '', requirement = '', , proof = ''] = cells
    t.equal(cells.length, 4, line)
    t.match(id, /^\d+(?:\.\d+)*(?:(?:, | to )\d+(?:\.\d+)*)*$/, line)
    t.ok(requirement.length > 10, line)
    t.ok(PROOF.test(proof) || REASON.test(proof), line)
  }
})

t.test('each test file that is named exists', async (t) => {
  const files = rows.flatMap(({ cells }) => PROOF.exec(cells[3] ?? '')?.[1] ?? [])
  t.ok(files.length > 100, `${files.length} rows with a test`)
  for (const file of new Set(files)) t.ok(existsSync(ROOT + file), file)
})

t.test('every standard has a section, and no row occurs twice', async (t) => {
  const titles = lines.filter((line) => line.startsWith('## '))
  for (const standard of STANDARDS)
    t.ok(
      titles.some((title) => title.includes(standard)),
      standard
    )
  t.equal(new Set(rows.map(({ line }) => line)).size, rows.length)
})
