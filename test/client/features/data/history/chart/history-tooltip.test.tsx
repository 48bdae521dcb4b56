import '../../../../../support/client/dom.ts'
import { cleanup, render } from '@testing-library/react'
import t from 'tap'
import { HistoryTooltip } from '#client/features/data/history/chart/history-tooltip.tsx'
import { FAN, lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'

t.afterEach(() => cleanup())

const NOON = Date.UTC(2026, 4, 12, 12)

/** The tooltip at a span of averages of ten lines, the last of which is a state. */
function tooltipOfTen() {
  const lines = Array.from({ length: 10 }, (_, index) =>
    lineOf(index, samplesOf([NOON, index]), index === 9 ? FAN : {})
  )
  const readings = lines.map(
    ({ id }, index) => [id, { value: index, low: index - 1, high: index + 1, states: null }] as const
  )
  const view = render(
    <HistoryTooltip
      lines={lines}
      alarms={[]}
      readings={{ atMs: NOON, span: { fromMs: NOON, toMs: NOON + 3_600_000 }, of: new Map(readings) }}
      zone="UTC"
      cursorMs={NOON}
      left={300}
      width={1000}
      top={{ current: 0 }}
    />
  )
  return view.container
}

t.test('lists many lines in one narrow column: the highest first, then states', async (t) => {
  const tooltip = tooltipOfTen()
  t.equal(tooltip.querySelectorAll('table').length, 1)
  const names = [...tooltip.querySelectorAll('th')].map(({ textContent }) => textContent)
  t.strictSame(names, [...[9, 8, 7, 6, 5, 4, 3, 2, 1, 10].map((number) => `Line ${number}`)])
})

t.test('is about the time at the cursor only, not about the newest record', async (t) => {
  const paragraphs = [...tooltipOfTen().querySelectorAll('p')].map(({ textContent }) => textContent)
  t.strictSame(paragraphs, ['12-May-2026 12:00–13:00 average (min–max), UTC'])
})
