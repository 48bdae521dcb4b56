import t from 'tap'
import { createTurns, pacedViewer } from '#server/portal/attention/pace.ts'

const GAP_MS = 30
/** Timers and clocks differ by so much. */
const TIMER_MS = 3
const open = new AbortController().signal
const user = { id: 'u-1', roleAssignments: [], organizationId: null, userType: 'PARTNER' as const }

t.test('turns of one name follow each other with the gap, however many ask at once', async (t) => {
  const turn = createTurns(GAP_MS, Date.now)
  const at: number[] = []
  // A busy machine lets any of them be late, never early.
  const begun = Date.now()
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await turn('a', open)
      at.push(Date.now())
    })
  )
  t.ok(
    at.every((time, index) => time - begun >= index * GAP_MS - TIMER_MS),
    `${begun}: ${at}`
  )
})

t.test('another name has its own turn at once', async (t) => {
  const turn = createTurns(60_000, Date.now)
  await turn('a', open)
  await turn('b', open)
  t.pass()
})

t.test('a clock that is set back does not stop the turns', async (t) => {
  let nowMs = 1e12
  const turn = createTurns(0, () => nowMs)
  await turn('a', open)
  nowMs -= 1e9
  await turn('a', open)
  t.pass()
})

t.test('whoever is given up waits no longer, and takes no turn', async (t) => {
  const turn = createTurns(60_000, Date.now)
  const gone = new AbortController()
  await turn('a', gone.signal)
  const waiting = turn('a', gone.signal)
  gone.abort()
  await t.rejects(waiting, { name: 'AbortError' })
  await t.rejects(turn('b', gone.signal), { name: 'AbortError' })
})

t.test('a viewer waits for a turn before each token, the second one as well', async (t) => {
  const seen: string[] = []
  const viewer = {
    user,
    accessToken: async () => `${seen.push('token')}`,
    replaceToken: async (refused: string) => `${seen.push(`instead of ${refused}`)}`
  }
  const paced = pacedViewer(viewer, async () => void seen.push('turn'))
  await paced.accessToken()
  await paced.replaceToken('old')
  t.strictSame(seen, ['turn', 'token', 'turn', 'instead of old'])
})
