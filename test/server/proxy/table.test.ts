import t from 'tap'
import { PATH_PARAMETERS } from '#server/proxy/routes/schemas.ts'
import { PROXY_TABLE } from '#server/proxy/table.ts'

t.test('every row has a summary and an answer', async (t) => {
  for (const { id, summary, answers } of PROXY_TABLE) {
    t.match(summary, /^[A-Z].*[^.]$/, id)
    t.ok(Object.keys(answers).length > 0, id)
  }
})

t.test('every area has one description', async (t) => {
  const areas = new Map(PROXY_TABLE.map(({ area }) => [area.name, area]))
  for (const { id, area } of PROXY_TABLE) t.equal(areas.get(area.name), area, id)
})

t.test('every path parameter has a meaning, and nothing else', async (t) => {
  const names = PROXY_TABLE.flatMap(({ path }) => [...path.matchAll(/\/:(\w+)/g)].map(([, name]) => name))
  t.strictSame([...new Set(names)].toSorted(), Object.keys(PATH_PARAMETERS).toSorted())
})

t.test('rows are data alone', async (t) => {
  const isData = (value: unknown): boolean => {
    if (typeof value === 'function' || value instanceof RegExp) return false
    return typeof value !== 'object' || value === null || Object.values(value).every(isData)
  }
  for (const row of PROXY_TABLE) t.ok(isData(row), row.id)
})
