// Whether objects are a customer's, by what is known of it; how that is known is tried in inventory/ and sharing.test.ts.
import t from 'tap'
import { createOwnership } from '#server/access/ownership.ts'
import { problems } from '#server/errors.ts'
import type { Caller } from '#server/types.ts'
import type { UpstreamClient } from '#server/upstreams/client.ts'

type Told = boolean | Error

/** Answers one after the other of customers that are as old as may be, or of newer ones. */
function scene(...told: Told[]) {
  const asked: number[] = []
  const snapshots = {
    async within(maxAgeMs: number) {
      asked.push(maxAgeMs)
      const answer = told.shift() ?? false
      const owns = async () => {
        if (answer instanceof Error) throw answer
        return answer
      }
      return { inventory: { owns } }
    }
  }
  const { all } = createOwnership({ snapshots, client: {} as UpstreamClient })
  return { asked, owns: () => all('device', ['d-1'], 'c-1', {} as Caller) }
}
const lost = problems.inventoryUnavailable()

t.test('what is not found is looked for once more, in a newer one', async (t) => {
  const { owns, asked } = scene(false, false)
  t.equal(await owns(), false)
  t.strictSame(asked, [30_000, 2_000])
  t.equal(await scene(false, true).owns(), true)
  const known = scene(true)
  t.equal(await known.owns(), true)
  t.strictSame(known.asked, [30_000])
})

t.test('a customer that is lost meanwhile is asked for anew, once; other failures are told', async (t) => {
  t.equal(await scene(lost, true).owns(), true)
  t.equal(await scene(false, lost, true).owns(), true)
  t.equal(await scene(lost, false, false).owns(), false)
  await t.rejects(scene(lost, lost).owns(), lost)
  const { owns, asked } = scene(problems.upstreamTimeout())
  await t.rejects(owns(), problems.upstreamTimeout())
  t.equal(asked.length, 1)
})
