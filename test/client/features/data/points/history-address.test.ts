import t from 'tap'
import {
  colored,
  type HistoryView,
  keyOfPoint,
  readHistoryView,
  writeHistoryView
} from '#client/features/data/points/history-address.ts'
import { CHART_POINTS_MAX } from '#client/lib/limits.ts'

const ms = (iso: string) => Date.parse(iso)

const ref = (number: number) => ({ deviceUuid: `device-${number}`, cloudId: `point-${number}` })
const view = (rest: Partial<HistoryView> = {}): HistoryView => ({
  points: [ref(1), ref(2)],
  filter: 'Month-To-Date',
  custom: null,
  hidden: [],
  zoom: null,
  compare: null,
  paper: false,
  live: true,
  separate: false,
  reportId: null,
  zone: null,
  tab: 'summary',
  alarm: null,
  axes: {},
  ...rest
})

t.test('ignores invalid parameters of an address', async (t) => {
  const parameters =
    'axes=~1~2,kW~a~b,x&points=,~,a,b~,~c&range=never&from=x&to=y&zoom=5_2&hidden=0,9,x&zone=Moon/Sea&tab=z&compare=maybe'
  t.same(readHistoryView(new URLSearchParams(parameters)), { ...view({ points: [] }), tooMany: 0 })
})

t.test('leaves out and counts an eleventh point, and merges duplicates', async (t) => {
  const points = Array.from({ length: CHART_POINTS_MAX + 1 }, (_, index) => keyOfPoint(ref(index)))
  const historyView = readHistoryView(new URLSearchParams({ points: [points[0], ...points].join(',') }))
  t.equal(historyView.points.length, CHART_POINTS_MAX)
  t.equal(historyView.tooMany, 1)
})

const views: [name: string, rest: Partial<HistoryView>][] = [
  ['with defaults', {}],
  [
    'of a named range',
    { filter: 'Last Month', compare: 'before', hidden: [keyOfPoint(ref(2))], tab: 'data' }
  ],
  [
    'of a custom range',
    { filter: 'Custom Range', custom: { fromMs: ms('2028-02-29T00:00Z'), toMs: ms('2028-03-01T00:00Z') } }
  ],
  [
    'on paper, compared with a period',
    {
      filter: 'Custom Range',
      custom: { fromMs: ms('2026-11-01T00:00Z'), toMs: ms('2026-11-09T10:00Z') },
      compare: { fromMs: ms('2026-10-01T00:00Z'), toMs: ms('2026-10-09T10:00Z') },
      paper: true
    }
  ],
  ['compared with the year before', { compare: 'year' }],
  [
    'with chosen colours',
    {
      points: [
        { ...ref(1), color: 4 },
        { ...ref(2), color: 0 }
      ],
      alarm: 'a-1'
    }
  ],
  [
    'with manual axes',
    { axes: { '°C': { min: -5, max: 30.5, log: false }, 'm³/h, dry': { min: null, max: null, log: true } } }
  ],
  [
    'of a report, with zoom and zone',
    { zoom: { fromMs: 1000, toMs: 2000 }, zone: 'Europe/Berlin', reportId: 'r-1' }
  ]
]
for (const [name, rest] of views)
  t.test(`writes a history ${name} to the address and reads it back`, async (t) => {
    const query = writeHistoryView(view(rest), new URLSearchParams('deviceUuid=x&zoom=1_2'))
    t.same(readHistoryView(new URLSearchParams(String(query))), { ...view(rest), tooMany: 0 })
    t.equal(query.get('deviceUuid'), 'x')
  })

t.test('ignores unknown and duplicate colours of an address', async (t) => {
  const query = { points: [1, 2, 3].map((index) => keyOfPoint(ref(index))).join(), colors: '99,2,2' }
  const { points } = readHistoryView(new URLSearchParams(query))
  t.same(
    colored(points).map(({ color }) => color),
    [0, 1, 2]
  )
})

t.test(
  'points keep their colours when other points are removed, and a new point takes the first free colour',
  async (t) => {
    const [first, second, third] = colored([ref(1), ref(2), ref(3)])
    if (!first || !second || !third) throw new Error('three points have three colours')
    t.same(
      colored([first, third, ref(4), ref(5)]).map(({ color }) => color),
      [0, 2, 1, 3]
    )
    const query = writeHistoryView(view({ points: [third] }))
    t.equal(query.get('colors'), '3')
    t.equal(writeHistoryView(view({ points: [first, second] })).get('colors'), null)
  }
)
