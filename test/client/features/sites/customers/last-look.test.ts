import '../../../../support/client/dom.ts'
import t from 'tap'
import { newIn, seenMeanwhile, seenNow } from '#client/features/sites/customers/last-look.ts'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { NOW } from '../../../../support/client/gateway.ts'

const withAlarms = (count: number | null, rest: object = {}) => ({
  id: '1',
  counts: {
    alarms: count === null ? null : { count, readAt: NOW, ...rest }
  } satisfies CustomerAttention['counts']
})

t.test('a count that was never seen, or is not completely read, is not new', async (t) => {
  t.same(newIn({}, withAlarms(5)), {})
  t.same(newIn({ 2: { alarms: 1 } }, withAlarms(5)), {})
  t.same(newIn({ 1: { servicesEnded: 1 } }, withAlarms(5)), {})
  t.same(newIn({ 1: { alarms: 1 } }, withAlarms(null)), {})
  t.same(newIn({ 1: { alarms: 1 } }, withAlarms(5, { unread: 2 })), {})
})

t.test('only the growth of a count is new', async (t) => {
  t.same(newIn({ 1: { alarms: 5 } }, withAlarms(5)), {})
  t.same(newIn({ 1: { alarms: 6 } }, withAlarms(5)), {})
  t.same(newIn({ 1: { alarms: 2 } }, withAlarms(5)), { alarms: 3 })
})

t.test('after a count has fallen, the same number of later arrivals is new', async (t) => {
  const seen = seenMeanwhile({ 1: { alarms: 10, servicesEnded: 1 } }, [withAlarms(7)])
  t.same(seen, { 1: { alarms: 7, servicesEnded: 1 } })
  t.same(newIn(seen, withAlarms(9)), { alarms: 2 })
})

t.test('a count that grows stays new until the next look; a first count is seen at once', async (t) => {
  const seen = { 1: { alarms: 5 } }
  t.equal(seenMeanwhile(seen, [withAlarms(8)]), seen)
  t.same(seenMeanwhile({}, [withAlarms(8)]), { 1: { alarms: 8 } })
})

t.test('a look sees every count that is read, and keeps what was seen of the others', async (t) => {
  const seen = { 1: { alarms: 5, servicesEnded: 1 }, 2: { alarms: 1 } }
  t.same(seenNow(seen, [withAlarms(8)]), { 1: { alarms: 8, servicesEnded: 1 }, 2: { alarms: 1 } })
  t.same(seenNow(seen, [withAlarms(8, { unread: 1 })]), seen)
})
