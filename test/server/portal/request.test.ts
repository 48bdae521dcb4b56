import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { wantsLines } from '#server/portal/lines.ts'
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

t.test('a caller gets lines only if it prefers them to JSON', async (t) => {
  const lines = 'application/x-ndjson'
  const wants = (accept: string) => wantsLines({ headers: { accept } } as FastifyRequest)
  t.ok(wants(lines))
  t.ok(wants(`application/json;q=0.5, ${lines}`))
  for (const accept of ['*/*', 'text/html', `${lines};q=0`, `${lines};q=0.5, application/json`])
    t.notOk(wants(accept), accept)
})
