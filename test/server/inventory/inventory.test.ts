// A customer at a real worker, of which parts are asked for late: after it was let go for a newer one.

import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { problems } from '#server/errors.ts'
import { createInventory, createNumbers } from '#server/inventory/inventory.ts'
import { createInventoryWorker } from '#server/inventory/worker-client.ts'
import { piecesOf } from '../../support/fetched.ts'

const DEVICES = 1_200

async function scene(t: Test) {
  const worker = createInventoryWorker(256, () => {})
  t.teardown(() => worker.close())
  const nextId = createNumbers()
  const id = nextId()
  const devices = Array.from({ length: DEVICES }, (_, index) => ({
    id: `d-${index}`,
    deviceUuid: `u-${index}`
  }))
  const { part } = await worker.ask('page', {
    id,
    rel: 'devices',
    pieces: piecesOf({ _embedded: { devices } })
  })
  const lists = { projects: [], devices: [part], subscriptions: null }
  const summary = await worker.ask('assemble', {
    id,
    customerId: 'c',
    assembledAt: '',
    previous: null,
    ...lists
  })
  return { worker, id, inventory: createInventory(worker, nextId, id, summary), lastId: () => nextId() - 1 }
}
const lost = problems.inventoryUnavailable()

t.test('what was let go before it was asked for is told to be lost', async (t) => {
  const { worker, id, inventory } = await scene(t)
  worker.release(id)
  await t.rejects(inventory.tree(null), lost)
  await t.rejects(inventory.device('u-1'), lost)
  await t.rejects(text(inventory.lines()), lost)
})

t.test(
  'a tree and lines that were begun are read to their end, whatever becomes of the customer',
  async (t) => {
    const { worker, id, inventory } = await scene(t)
    const tree = inventory.tree(null)
    const lines = inventory.lines()
    worker.release(id)
    const { stream, bytes } = await tree
    await turn()
    const whole = await text(stream)
    t.equal(whole.length, bytes)
    t.equal(JSON.parse(whole).unassigned.length, DEVICES)
    t.equal((await text(lines)).trimEnd().split('\n').length, DEVICES)
  }
)

t.test('what is held on for a reader is let go with its end, also of one that never began', async (t) => {
  const ends: ((stream: Readable) => unknown)[] = [text, (stream) => stream.destroy()]
  for (const end of ends) {
    const { worker, inventory, lastId } = await scene(t)
    const { stream } = await inventory.tree(null)
    const own = lastId()
    t.ok(await worker.ask('tree', { id: own, encoding: null }))
    await end(stream)
    await turn()
    await t.rejects(worker.ask('tree', { id: own, encoding: null }), lost)
  }
})
