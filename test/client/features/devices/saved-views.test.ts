import t from 'tap'
import { FIRST_VIEW } from '#client/features/devices/device-view.ts'
import { readSaved, sameView, withView } from '#client/features/devices/saved-views.ts'

const mine = { ...FIRST_VIEW, q: 'pump', name: 'Pumps' }

t.test('what is remembered and makes no sense is no view', async (t) => {
  for (const stored of [null, 'q=pump', { q: 'pump' }, [], [7], ['q=pump'], ['view=']])
    t.strictSame(readSaved(stored), [], JSON.stringify(stored))
  t.strictSame(readSaved(['view=Pumps&q=pump&page=4&sort=secret']), [mine])
})

t.test('a view takes the place of the one of its name, on its first page', async (t) => {
  const other = { ...mine, name: 'Other' }
  t.strictSame(withView([], { ...mine, page: 3 }), [mine])
  t.strictSame(withView([mine, other], { ...mine, q: 'fan', page: 3 }), [{ ...mine, q: 'fan' }, other])
})

t.test('the page is no part of a view, its columns are', async (t) => {
  t.notOk(sameView(mine, { ...mine, columns: 'location' }))
  t.ok(sameView(mine, { ...mine, page: 3 }))
})
