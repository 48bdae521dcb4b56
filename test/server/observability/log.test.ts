import t from 'tap'
import { createLog, linesTogether } from '#server/observability/log.ts'
import { eventually } from '../../support/eventually.ts'

const HUGE = 'x'.repeat(1_000_000)

function lineOf(work: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = []
  work(createLog('info', { write: (line: string) => void lines.push(line) }))
  const fields = JSON.parse(lines.join('')) as Record<string, unknown>
  return { ...fields, length: lines.join('').length }
}

t.test('cuts the reason of a refusal and removes control characters', async (t) => {
  const line = lineOf((log) => log.info({ reason: `customers:view at /organizations/${HUGE}` }, 'refused'))
  t.ok(line.length < 600, `${line.length} characters`)
  t.match(line, { reason: /^customers:view at \/organizations\/x+…$/ })
  const child = lineOf((log) => log.child({ requestId: '1' }).info({ reason: HUGE }, 'refused'))
  t.ok(child.length < 600, `${child.length} characters`)
  const forged = lineOf((log) => log.info({ reason: 'a\r\n{"level":60}\u202e' }, 'refused'))
  t.match(forged, { reason: 'a {"level":60} ' })
})

t.test('cuts the message of an error and of its causes', async (t) => {
  const error = new Error(HUGE, { cause: new Error(HUGE, { cause: new TypeError(HUGE) }) })
  const line = lineOf((log) => log.error({ err: error }, 'unexpected failure'))
  t.ok(line.length < 20_000, `${line.length} characters`)
  t.match(line, { err: { type: 'Error', message: /^x{1000}…$/, cause: { message: /^x{1000}…$/ } } })
})

t.test('writes fifty lines at once, fewer after a moment or on release, and each once', async (t) => {
  const texts: string[] = []
  const lines = linesTogether({ write: (text: string) => void texts.push(text) })
  const log = createLog('info', lines)
  const written = () =>
    texts
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).number)
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  for (let number = 1; number < 50; number += 1) log.info({ number }, 'together')
  t.strictSame(texts, [], 'not yet')
  log.info({ number: 50 }, 'together')
  t.equal(texts.length, 1)
  t.strictSame(written(), upTo(50))
  for (const number of [51, 52]) log.info({ number }, 'together')
  t.equal(texts.length, 1, 'not yet')
  await eventually(() => texts.length > 1)
  t.strictSame(written(), upTo(52))
  log.info({ number: 53 }, 'last words')
  lines.release()
  lines.release()
  t.strictSame(written(), upTo(53))
})
