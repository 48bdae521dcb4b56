// The table of the lines below the chart.
import '../../../../support/client/dom.ts'
import { cleanup, fireEvent, render } from '@testing-library/react'
import t from 'tap'
import { Legend } from '#client/features/data/history/legend.tsx'
import type { History } from '#client/features/data/history/use-history.ts'
import { lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'
import { textsOf } from '../../../../support/client/dom.ts'

t.afterEach(() => cleanup())

/** The legend of measured points, whose range ends now. */
function openLegend(names: readonly string[]) {
  const lines = names.map((name, index) => ({ ...lineOf(index, samplesOf([10, index])), name }))
  const history = {
    histories: { lines },
    view: { hidden: [] },
    zoom: null,
    previous: null,
    zone: 'UTC',
    asOf: 100
  } as unknown as History
  return render(<Legend history={history} view={{ fromMs: 0, toMs: 100 }} onPick={() => {}} />)
}

t.test('sorts points by name with numbers by value', async (t) => {
  const legend = openLegend(['Zone 10', 'zone 2', 'Zone 1'])
  fireEvent.click(legend.getByRole('button', { name: 'Point' }))
  const names = textsOf(legend.container.querySelectorAll('tbody .legend-name > span:last-child'))
  t.same(names, ['Zone 1', 'zone 2', 'Zone 10'])
})

t.test('names the last value so also in a range that ends now: it may be old', async (t) => {
  const legend = openLegend(['Zone 1'])
  t.ok(legend.getByRole('columnheader', { name: 'Last' }))
})
