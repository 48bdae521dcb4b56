// The table of the lines below the chart.
import '../../../../support/client/dom.ts'
import { cleanup, render } from '@testing-library/react'
import t from 'tap'
import { Legend } from '#client/features/data/history/legend.tsx'
import type { History } from '#client/features/data/history/use-history.ts'
import { lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'

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

t.test('names the last value so also in a range that ends now: it may be old', async (t) => {
  const legend = openLegend(['Zone 1'])
  t.ok(legend.getByRole('columnheader', { name: 'Last' }))
})
