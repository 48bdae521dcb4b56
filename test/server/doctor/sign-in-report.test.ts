import t from 'tap'
import { reportSignIn } from '#server/doctor/sign-in-report.ts'

/** Runs the report with checks that return these problems in turn, then null. */
async function report(...problems: (string | null)[][]): Promise<{ logged: string[]; pauses: number[] }> {
  const logged: string[] = []
  const pauses: number[] = []
  const checks = problems.map((left) => async () => left.shift() ?? null)
  const write = (line: unknown) => void logged.push(String(line))
  await reportSignIn(checks, { error: write, info: write }, async (ms) => pauses.push(ms))
  return { logged, pauses }
}

t.test('reports nothing if all checks succeed within three attempts', async (t) => {
  t.strictSame(await report([], []), { logged: [], pauses: [] })
  t.strictSame(await report(['Redis: ETIMEDOUT', 'Redis: ETIMEDOUT'], []), {
    logged: [],
    pauses: [1_000, 1_000]
  })
})

t.test('reports each lasting problem once, and that sign-in works when none is left', async (t) => {
  const [refused, locked] = ['Redis: ECONNREFUSED', 'Redis: wrong password']
  const { logged, pauses } = await report(
    [refused, refused, refused, refused, locked, refused],
    Array.from({ length: 7 }, () => 'the authority: 500')
  )
  t.strictSame(logged, [
    `sign-in does not work yet: ${refused}`,
    'sign-in does not work yet: the authority: 500',
    `sign-in does not work yet: ${locked}`,
    'sign-in works now'
  ])
  t.strictSame(pauses, [1_000, 1_000, 5_000, 5_000, 5_000, 5_000, 5_000])
})
