import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import t from 'tap'
import { whenSent } from '#server/portal/request.ts'

function scene(destroyed: boolean) {
  let ends = 0
  const raw = Object.assign(new EventEmitter(), { destroyed })
  whenSent({ raw } as unknown as Pick<FastifyReply, 'raw'>, () => {
    ends += 1
  })
  return { raw, ends: () => ends }
}

t.test('what an answer uses is freed once, when the answer is sent', async (t) => {
  const { raw, ends } = scene(false)
  t.equal(ends(), 0)
  raw.emit('close')
  t.equal(ends(), 1)
})

t.test('what an answer uses is freed at once if the caller has already left', async (t) => {
  t.equal(scene(true).ends(), 1)
})
