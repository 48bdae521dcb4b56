import '../../../../../support/client/dom.ts'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import { picturesOf } from '#client/features/data/history/chart/chart-lines.ts'
import { NOTHING_DRAWN } from '#client/features/data/history/chart/decimation.ts'
import { axisProblem, PanelHead } from '#client/features/data/history/chart/panel-head.tsx'
import { lastReadings } from '#client/features/data/history/chart/readings.ts'
import { readHistoryView, writeHistoryView } from '#client/features/data/points/history-address.ts'
import type { AxisChoice } from '#client/ui/chart/chart-series.ts'
import { lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'

t.afterEach(() => cleanup())

t.test('a manual axis ends above its start, and a logarithmic axis is above 0', async (t) => {
  const problem = (min: number | null, max: number | null, log = false) => axisProblem({ min, max, log })
  t.equal(problem(Number.NaN, 1), 'Enter numbers.')
  t.equal(problem(5, 5), 'The axis must end above its beginning.')
  t.equal(problem(0, 5, true), 'A logarithmic axis needs values above 0.')
  t.same(
    [problem(null, null), problem(5, null), problem(0, 5), problem(0.1, 5, true)],
    [null, null, null, null]
  )
})

type Axes = Readonly<Record<string, AxisChoice>>
const VIEW = { fromMs: 0, toMs: 100 }
const lines = [lineOf(0, samplesOf([10, 1])), lineOf(1, samplesOf([10, 2]), { units: 'Pa' })]
const pictures = picturesOf(lines).map((picture) => ({ ...picture, drawn: NOTHING_DRAWN, segments: [] }))

/** Opens the axis menu of a chart of °C and Pa. `applied` has the axes after each Apply. */
function openAxes() {
  const applied: Axes[] = []
  function Head() {
    const [axes, setAxes] = useState<Axes>({})
    return (
      <PanelHead
        picture={pictures[0] as (typeof pictures)[number]}
        hiddenKeys={[]}
        readings={lastReadings(pictures, VIEW)}
        tools={null}
        isAtCursor={false}
        picked={[]}
        onPicked={() => {}}
        zone="UTC"
        view={VIEW}
        axes={axes}
        onAxes={(choices) => {
          const chosen = Object.entries({ ...axes, ...choices }).filter(([, choice]) => choice !== null)
          const newAxes = Object.fromEntries(chosen) as Axes
          applied.push(newAxes)
          setAxes(newAxes)
        }}
      />
    )
  }
  const view = render(<Head />)
  fireEvent.click(view.getByRole('button', { name: 'Axis of °C and Pa' }))
  const type = (name: string, value: string) =>
    fireEvent.change(view.getByRole('textbox', { name }), { target: { value } })
  return { ...view, applied, type, apply: () => fireEvent.click(view.getByRole('button', { name: 'Apply' })) }
}

t.test('one Apply sets both axes, unless one of them is wrong', async (t) => {
  const { applied, type, apply, getAllByRole, getByText } = openAxes()
  t.equal(getAllByRole('button', { name: 'Apply' }).length, 1)
  type('From (°C)', '5')
  type('To (°C)', '5')
  type('From (Pa)', '1')
  apply()
  getByText('The axis must end above its beginning.')
  t.same(applied, [], 'neither axis changes')
  type('To (°C)', '30,5')
  apply()
  t.same(applied, [{ '°C': { min: 5, max: 30.5, log: false }, Pa: { min: 1, max: null, log: false } }])
})

t.test('a click on the word “Logarithmic” works before and after Apply', async (t) => {
  const { applied, type, apply, getByText, getByRole } = openAxes()
  type('From (Pa)', '1')
  fireEvent.click(getByText('Logarithmic (Pa)'))
  apply()
  t.same(applied.at(-1), { Pa: { min: 1, max: null, log: true } })
  fireEvent.click(getByText('Logarithmic (°C)'))
  fireEvent.click(getByText('Logarithmic (Pa)'))
  t.equal((getByRole('checkbox', { name: 'Logarithmic (Pa)' }) as HTMLInputElement).checked, false)
  apply()
  t.same(applied.at(-1), {
    '°C': { min: null, max: null, log: true },
    Pa: { min: 1, max: null, log: false }
  })
})

t.test('the axes of two units are encoded once in the address', async (t) => {
  const { applied, type, apply } = openAxes()
  type('From (°C)', '0')
  type('To (Pa)', '250')
  apply()
  const axes = applied[0] ?? {}
  const query = writeHistoryView({ ...readHistoryView(new URLSearchParams()), axes }, new URLSearchParams())
  t.match(String(query), /axes=%C2%B0C%7E0%7E(%2C|$)/, 'a degree sign is not encoded twice')
  t.same(readHistoryView(new URLSearchParams(String(query))).axes, axes)
})
