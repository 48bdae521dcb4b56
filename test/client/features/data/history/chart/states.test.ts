// The shares and colours of states, and the bounds of points.
import t from 'tap'
import { boundsOf } from '#client/features/data/history/chart/chart-lines.ts'
import { colorOfState, shareText, statesIn, statesText } from '#client/features/data/history/chart/states.ts'
import { chartPoint, FAN, lineOf } from '#test/support/client/history.ts'
import { type Pairs, samplesOf } from '#test/support/samples.ts'

const VIEW = { fromMs: 100, toMs: 200 }
const fan = (pairs: Pairs) => statesIn(lineOf(0, samplesOf(pairs, 200), FAN), VIEW)

t.test('the legend lists each state with its text, colour and share, longest first', async (t) => {
  t.same(fan([50, 0, 110, 1, 140, 0, 150, Number.NaN, 190, 1]).times, [
    { value: 1, text: 'Running', color: 2, ms: 40, share: 2 / 3 },
    { value: 0, text: 'Off', color: null, ms: 20, share: 1 / 3 }
  ])
  t.same([0.58, 1, 0.004].map(shareText), ['58 %', '100 %', '< 1 %'])
})

t.test('names states with or without their shares', async (t) => {
  const { times } = fan([50, 0, 120, 1])
  t.equal(statesText(times, true), 'Running 80 %, Off 20 %')
  t.equal(statesText(times, false), 'Running, Off')
})

t.test('counts a start at each change from rest within the view', async (t) => {
  t.equal(fan([50, 1, 120, 0]).starts, 0)
  t.equal(fan([50, 0, 120, 1, 130, 0, 140, 1]).starts, 2)
  t.equal(fan([110, 1]).starts, 0, 'the earlier state is unknown')
  t.equal(fan([50, 0, 120, Number.NaN, 130, 1]).starts, 0)
})

for (const [name, units, range, bounds] of [
  ['a valve', '%', '0..100', [0, 100]],
  ['a humidity', '%RH', '0..100', [0, 100]],
  ['a set point of 30 to 60 %', '%RH', '30..60', null],
  ['a percentage without a range', '%', undefined, null],
  ['a temperature', '°C', '0..100', null]
] as const)
  t.test(`${name} has an axis ${bounds ? 'from 0 to 100' : 'that fits its values'}`, async (t) => {
    t.same(boundsOf(chartPoint({ units, ...(range ? { range } : {}) })), bounds)
  })

t.test('states of the same meaning have the same colour at every point', async (t) => {
  const [REST, WARM, COLD, ALARM] = [null, 1, 0, 4]
  const mode = chartPoint({ dataType: 'Enum', range: '0=Off,1=Heating,2=Cooling,3=Cooling Trip,4=Stage 4' })
  t.same(
    [0, 1, 2, 3].map((value) => colorOfState(mode, value)),
    [REST, WARM, COLD, ALARM]
  )
  t.same(
    [0, 1].map((value) => colorOfState(chartPoint(FAN), value)),
    [REST, 2]
  )
  const smoke = chartPoint({ dataType: 'Boolean', trueText: 'Alarm', falseText: 'No alarm' })
  t.same(
    [0, 1].map((value) => colorOfState(smoke, value)),
    [REST, ALARM]
  )
})

t.test('states with unknown words have different colours, none of them grey', async (t) => {
  const step = chartPoint({ dataType: 'Enum', range: '0=A,1=B,2=C,3=D' })
  const colors = [1, 2, 3].map((value) => colorOfState(step, value))
  t.equal(colorOfState(step, 0), null)
  t.equal(new Set(colors).size, 3)
  t.notOk(colors.includes(null))
  t.type(colorOfState(step, 99), 'number', 'an ordinal without a text has a colour')
})
