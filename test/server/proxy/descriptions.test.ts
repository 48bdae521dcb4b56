import t from 'tap'
import { AREAS, docsOf, PARAMETERS } from '#server/proxy/descriptions.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'

t.test('every row of the table is described, once, and nothing else is', async (t) => {
  const described = AREAS.flatMap(({ rows }) => Object.keys(rows))
  t.strictSame(described.toSorted(), PROXY_TABLE.map(({ id }) => id).toSorted())
})

t.test('every path parameter has a meaning', async (t) => {
  const names = PROXY_TABLE.flatMap(({ path }) => [...path.matchAll(/\/:(\w+)/g)].map(([, name]) => name))
  t.strictSame([...new Set(names)].toSorted(), Object.keys(PARAMETERS).toSorted())
})

t.test('a row that writes a body or answers with one has an example of it', async (t) => {
  for (const row of PROXY_TABLE) {
    const docs = docsOf(row)
    t.match(docs?.summary, /^[A-Z].*[^.]$/, row.id)
    t.ok(Object.keys(docs?.answers ?? {}).length > 0, row.id)
    t.equal(docs?.example === undefined, row.body === undefined, row.id)
    for (const { schema, example } of Object.values(docs?.answers ?? {}))
      t.equal(schema === undefined, example === undefined, row.id)
  }
})

t.test('a row that nobody has described has no description', async (t) => {
  const [row] = PROXY_TABLE
  if (row) t.equal(docsOf({ ...row, id: 'unknown.row' }), null)
})
