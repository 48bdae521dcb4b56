import t from 'tap'
import { createLog } from '#server/observability/log.ts'

const HUGE = 'x'.repeat(1_000_000)

function lineOf(work: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = []
  work(createLog('info', { write: (line: string) => void lines.push(line) }))
  const fields = JSON.parse(lines.join('')) as Record<string, unknown>
  return { ...fields, length: lines.join('').length }
}

t.test('truncates the reason of a refusal and removes its control characters', async (t) => {
  const line = lineOf((log) => log.info({ reason: `customers:view at /organizations/${HUGE}` }, 'refused'))
  t.ok(line.length < 600, `${line.length} characters`)
  t.match(line, { reason: /^customers:view at \/organizations\/x+…$/ })
  const childLine = lineOf((log) => log.child({ requestId: '1' }).info({ reason: HUGE }, 'refused'))
  t.ok(childLine.length < 600, `${childLine.length} characters`)
  const forgedLine = lineOf((log) => log.info({ reason: 'a\r\n{"level":60}\u202e' }, 'refused'))
  t.match(forgedLine, { reason: 'a {"level":60} ' })
})

t.test('truncates the message of an error and of its causes', async (t) => {
  const error = new Error(HUGE, { cause: new Error(HUGE, { cause: new TypeError(HUGE) }) })
  const line = lineOf((log) => log.error({ err: error }, 'unexpected failure'))
  t.ok(line.length < 20_000, `${line.length} characters`)
  t.match(line, { err: { type: 'Error', message: /^x{1000}…$/, cause: { message: /^x{1000}…$/ } } })
})
