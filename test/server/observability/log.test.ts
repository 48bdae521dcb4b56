import t from 'tap'
import { createLog } from '#server/observability/log.ts'

const HUGE = 'x'.repeat(1_000_000)

/** The one line that some work writes. */
function lineOf(
  work: (log: ReturnType<typeof createLog>) => void
): Record<string, unknown> & { length: number } {
  const lines: string[] = []
  work(createLog('info', { write: (line: string) => void lines.push(line) }))
  return { ...JSON.parse(lines.join('')), length: lines.join('').length }
}

t.test(
  'why a call was refused is told in a line that a person can read, whatever the call named',
  async (t) => {
    const line = lineOf((log) => log.info({ reason: `customers:view at /organizations/${HUGE}` }, 'refused'))
    t.ok(line.length < 600, `${line.length} characters`)
    t.match(line.reason, /^customers:view at \/organizations\/x+…$/)
    const child = lineOf((log) => log.child({ requestId: '1' }).info({ reason: HUGE }, 'refused'))
    t.ok(child.length < 600, `${child.length} characters`)
    const forged = lineOf((log) => log.info({ reason: 'a\r\n{"level":60}\u202e' }, 'refused'))
    t.equal(forged.reason, 'a {"level":60} ')
  }
)

t.test('an error is told up to a limit, and so are its causes', async (t) => {
  const error = new Error(HUGE, { cause: new Error(HUGE, { cause: new TypeError(HUGE) }) })
  const line = lineOf((log) => log.error({ err: error }, 'unexpected failure'))
  t.ok(line.length < 20_000, `${line.length} characters`)
  t.match(line.err, { type: 'Error', message: /^x{1000}…$/, cause: { message: /^x{1000}…$/ } })
})
