import '../../../../support/client/dom.ts'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import { endTexts, RangeEnds } from '#client/features/data/history/range-bar.tsx'
import type { TimeRange } from '#shared/time/date-ranges.ts'

t.afterEach(() => cleanup())

const NOW = Date.parse('2026-11-20T12:00Z')
const NEXT_RANGE = { fromMs: Date.parse('2026-11-01T00:00Z'), toMs: NOW }

interface EndsProps {
  start: TimeRange | null
  isFollowed: boolean
  onCustom: (range: TimeRange) => void
}

function Ends({ start, isFollowed, onCustom }: EndsProps) {
  const [range, setRange] = useState(start)
  return (
    <>
      <RangeEnds
        {...{ range }}
        zone="Europe/Berlin"
        nowMs={NOW}
        isFollowed={isFollowed}
        onCustom={(custom) => {
          onCustom(custom)
          setRange(custom)
        }}
      />
      <button type="button" onClick={() => setRange({ ...NEXT_RANGE })}>
        Next range
      </button>
    </>
  )
}

/** The range from the second 02:30 to the end of the day on which the clock is set back. */
const AUTUMN = { fromMs: Date.parse('2026-10-25T01:30:20Z'), toMs: Date.parse('2026-10-25T23:00Z') }

function openEnds(start: TimeRange | null = AUTUMN, isFollowed = false) {
  const ranges: string[][] = []
  const onCustom = ({ fromMs, toMs }: TimeRange) => {
    ranges.push([fromMs, toMs].map((ms) => new Date(ms).toISOString()))
  }
  const view = render(<Ends {...{ start, isFollowed, onCustom }} />)
  const field = (name: string) => view.getByRole('textbox', { name }) as HTMLInputElement
  const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } })
  const applyButton = () => view.queryByRole('button', { name: 'Apply' })
  const pressApply = () => {
    const button = view.getByRole('button', { name: 'Apply' })
    button.focus()
    fireEvent.click(button)
  }
  return { ...view, ranges, field, type, applyButton, pressApply }
}

const descriptionOf = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent

const BAD_RANGES: [name: string, from: string, to: string, fieldName: 'From' | 'To', message: string][] = [
  ['without beginning and end', '', '', 'From', 'Enter the day and time at which it begins.'],
  ['without an end', '01-Nov-2026 00:00', '', 'To', 'Enter the day and time at which it ends.'],
  [
    'that ends when it begins',
    '01-Nov-2026 00:00',
    '01-Nov-2026 00:00',
    'To',
    'The range must end after it begins.'
  ],
  ['in the future', '21-Nov-2026 00:00', '22-Nov-2026 00:00', 'To', 'The range lies in the future.'],
  [
    'with an invalid beginning',
    '11/13/2026 2:05 PM',
    '01-Nov-2026 00:00',
    'From',
    'Enter a day and time, as in 01-Jun-2026 14:05.'
  ]
]
for (const [name, from, to, fieldName, message] of BAD_RANGES)
  t.test(`rejects a range ${name} with a message at ${fieldName}`, async (t) => {
    const { ranges, field, type, pressApply } = openEnds(null)
    type('From', from)
    fireEvent.keyDown(field('From'), { key: 'Enter' })
    type('To', to)
    pressApply()
    t.same(ranges, [])
    t.equal(field(fieldName).getAttribute('aria-invalid'), 'true')
    t.equal(descriptionOf(field(fieldName)), message)
    t.equal(field(fieldName === 'From' ? 'To' : 'From').getAttribute('aria-invalid'), null)
    t.same([field('From').value, field('To').value], [from, to], 'keeps the typed text')
  })

t.test('an unchanged end stays exact, also in a repeated hour', async (t) => {
  const { ranges, field, type, applyButton, pressApply } = openEnds()
  t.equal(field('From').value, '25-Oct-2026 02:30 (UTC+1)')
  t.equal(field('To').value, '26-Oct-2026 00:00')
  t.equal(applyButton(), null, 'shows no Apply button')
  type('To', '26-Oct-2026 12:00')
  pressApply()
  t.same(ranges, [['2026-10-25T01:30:20.000Z', '2026-10-26T11:00:00.000Z']])
  t.equal(applyButton(), null)
  t.ok(document.activeElement?.contains(field('From')), 'the focus stays in the form')
  t.ok(document.activeElement !== document.body)
})

t.test('Enter applies the range, and the field keeps the focus', async (t) => {
  const { ranges, field, type } = openEnds()
  const from = field('From')
  from.focus()
  type('From', '24-Oct-2026 8:00')
  fireEvent.keyDown(from, { key: 'Enter' })
  fireEvent.submit(from)
  t.same(ranges, [['2026-10-24T06:00:00.000Z', '2026-10-25T23:00:00.000Z']])
  t.ok(document.activeElement === field('From'))
  t.equal(field('From').value, '24-Oct-2026 08:00')
})

t.test('another range replaces typed text', async (t) => {
  const { field, type, applyButton, getByRole } = openEnds()
  type('From', 'soon')
  fireEvent.blur(field('From'))
  t.ok(applyButton())
  fireEvent.click(getByRole('button', { name: 'Next range' }))
  t.same([field('From').value, field('To').value], ['01-Nov-2026 01:00', '20-Nov-2026 13:00'])
  t.equal(field('From').getAttribute('aria-invalid'), null)
  t.equal(applyButton(), null)
})

t.test('a followed range that moves on does not replace typed text', async (t) => {
  const { field, type, getByRole } = openEnds(AUTUMN, true)
  fireEvent.click(getByRole('button', { name: 'Next range' }))
  t.equal(field('To').value, '20-Nov-2026 13:00', 'the range moves on while nothing is typed')
  type('From', '02-Nov-2026 00:00')
  fireEvent.blur(field('From'))
  fireEvent.click(getByRole('button', { name: 'Next range' }))
  t.equal(field('From').value, '02-Nov-2026 00:00')
})

t.test('a range within a year is short, and another one has its years', async (t) => {
  const textsOf = (from: string, to: string) =>
    endTexts({ fromMs: Date.parse(from), toMs: Date.parse(to) }, 'Europe/Berlin')
  t.same(textsOf('2026-10-01T00:00+02:00', '2026-11-01T00:00+01:00'), ['01-Oct 00:00', '01-Nov 00:00'])
  t.same(textsOf('2025-11-28T11:40+01:00', '2026-11-28T11:40+01:00'), [
    '28-Nov-2025 11:40',
    '28-Nov-2026 11:40'
  ])
})
