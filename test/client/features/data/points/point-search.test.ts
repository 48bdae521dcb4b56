import t from 'tap'
import { matchedTag } from '#client/features/data/points/point-search.tsx'

t.test('names the shortest matching tag', async (t) => {
  const tags = { slotPath: 'slot:/a/b/Temp', quantity: 'temp', place: 'supply' }
  t.equal(matchedTag(tags, 'pointNames', 'CONTAINS', ['temp']), null)
  t.equal(matchedTag(tags, 'tagValues', 'EQUALS', ['tem']), null)
  t.same(matchedTag(tags, 'tagValues', 'CONTAINS', [' TEMP ', '']), { name: 'quantity', value: 'temp' })
  t.same(matchedTag(tags, 'tagNames', 'STARTS_WITH', ['pla']), { name: 'place', value: 'supply' })
})
