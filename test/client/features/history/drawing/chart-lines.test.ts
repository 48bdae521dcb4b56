// What of a point decides how it is drawn: its bounds, and the colours of its states.
import t from 'tap'
import { boundsOf } from '#client/features/history/drawing/chart-lines.ts'
import { stateColor } from '#client/features/history/drawing/state-colors.ts'
import { pointOf } from '#client/features/points/point.ts'

const point = (tags: Record<string, unknown>) =>
  pointOf({ cloudId: 'c', displayName: 'x', systemGuid: 'g', tags: { dataType: 'Numeric', ...tags } })

for (const [name, units, range, bounds] of [
  ['a valve', '%', '0..100', [0, 100]],
  ['a humidity', '%RH', '0..100', [0, 100]],
  ['a set point of a part of it', '%RH', '30..60', null],
  ['a share without a range', '%', undefined, null],
  ['a temperature', '°C', '0..100', null]
] as const)
  t.test(`${name} is drawn ${bounds ? 'on 0 to 100' : 'where its values are'}`, async (t) => {
    t.same(boundsOf(point({ units, ...(range ? { range } : {}) })), bounds)
  })

t.test('states that mean the same have the same colour, whichever point says them', async (t) => {
  const [REST, WARM, COLD, ALARM] = [null, 1, 0, 4]
  const mode = point({ dataType: 'Enum', range: '0=Off,1=Heating,2=Cooling,3=Cooling Trip,4=Stage 4' })
  t.same(
    [0, 1, 2, 3].map((value) => stateColor(mode, value)),
    [REST, WARM, COLD, ALARM]
  )
  const fan = point({ dataType: 'Boolean', trueText: 'Running', falseText: 'Stopped' })
  t.equal(stateColor(fan, 0), REST)
  t.equal(stateColor(fan, 1), 2)
  const smoke = point({ dataType: 'Boolean', trueText: 'Alarm', falseText: 'No alarm' })
  t.same([stateColor(smoke, 0), stateColor(smoke, 1)], [REST, ALARM])
})

t.test(
  'states whose words say nothing have colours by their ordinals, none of them that of rest',
  async (t) => {
    const step = point({ dataType: 'Enum', range: '0=A,1=B,2=C,3=D' })
    const colors = [1, 2, 3].map((value) => stateColor(step, value))
    t.equal(stateColor(step, 0), null)
    t.equal(new Set(colors).size, 3)
    t.notOk(colors.includes(null))
    t.type(stateColor(step, 99), 'number', 'an ordinal that nobody has named')
  }
)
