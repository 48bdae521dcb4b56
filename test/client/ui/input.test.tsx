import '../../support/client/dom.ts'
import { mock } from 'node:test'
import { cleanup, fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import { Combobox } from '#client/ui/input/combobox.tsx'
import { DateField, DateTimeField } from '#client/ui/input/date-field.tsx'
import { MenuButton } from '#client/ui/input/menu-button.tsx'
import { SearchField } from '#client/ui/input/search-field.tsx'
import { rangeText } from '#client/ui/list/pager.tsx'

t.afterEach(() => cleanup())

const key = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
const focused = () => document.activeElement?.textContent

function openMenu() {
  const chosen: string[] = []
  const items = ['Light', 'Dark', 'Log out'].map((label) => ({ label, onSelect: () => chosen.push(label) }))
  const view = render(
    <MenuButton label="Account" className="" items={items}>
      Account
    </MenuButton>
  )
  const button = view.getByRole('button', { name: 'Account' })
  button.focus()
  return { ...view, button, chosen }
}

t.test('Escape closes a menu without a choice and restores the focus', async (t) => {
  const { button, chosen, queryByRole } = openMenu()
  fireEvent.click(button)
  t.equal(focused(), 'Light')
  key('Escape')
  t.equal(queryByRole('menu'), null)
  t.equal(document.activeElement, button)
  t.same(chosen, [])
})

t.test('a click outside, focus elsewhere and a second click close a menu', async (t) => {
  const { button, queryByRole } = openMenu()
  const ways = [
    () => fireEvent.pointerDown(document.body),
    () => fireEvent.focusIn(document.body),
    () => fireEvent.click(button)
  ]
  for (const close of ways) {
    fireEvent.click(button)
    t.ok(queryByRole('menu'))
    close()
    t.equal(queryByRole('menu'), null)
  }
})

t.test('arrows, ends and letters move through a menu', async (t) => {
  const { button } = openMenu()
  key('ArrowUp')
  t.equal(focused(), 'Log out', 'ArrowUp opens the menu at its last item')
  key('Escape')
  key('ArrowDown')
  t.equal(button.getAttribute('aria-expanded'), 'true')
  const moves: [key: string, arrives: string][] = [
    ['ArrowUp', 'Log out'],
    ['ArrowDown', 'Light'],
    ['ArrowDown', 'Dark'],
    ['End', 'Log out'],
    ['Home', 'Light'],
    ['d', 'Dark'],
    ['l', 'Log out'],
    ['l', 'Light'],
    ['z', 'Light'],
    [' ', 'Light']
  ]
  for (const [name, arrives] of moves) {
    key(name)
    t.equal(focused(), arrives, `${name} leads to ${arrives}`)
  }
})

function openCombobox(options = ['Alder', 'Birch', 'Beech'].map((name) => ({ id: name, name }))) {
  const chosen: string[] = []
  const view = render(
    <Combobox
      label="Tree"
      placeholder="Choose"
      options={options}
      chosen={options[1] ?? null}
      emptyText="No tree."
      onChoose={({ name }) => chosen.push(name)}
    />
  )
  const box = view.getByRole('combobox', { name: 'Tree' }) as HTMLInputElement
  box.focus()
  const active = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent
  return { ...view, box, chosen, active }
}

t.test('leaving a combobox restores the chosen option', async (t) => {
  const { box, chosen } = openCombobox()
  for (const leave of [() => key('Escape'), () => fireEvent.blur(box)]) {
    fireEvent.change(box, { target: { value: 'al' } })
    leave()
    t.equal(box.value, 'Birch')
    t.equal(box.getAttribute('aria-expanded'), 'false')
  }
  t.same(chosen, [])
})

t.test('a combobox without a match shows a text and ignores Enter', async (t) => {
  const { box, chosen, getByText } = openCombobox()
  fireEvent.change(box, { target: { value: 'x' } })
  getByText('No tree.')
  key('ArrowUp')
  key('ArrowDown')
  key('Enter')
  t.same(chosen, [])
})

t.test('a combobox opens at the chosen option; arrows wrap, Enter chooses', async (t) => {
  const { chosen, active } = openCombobox()
  key('ArrowDown')
  t.equal(active(), 'Birch')
  key('ArrowDown')
  key('ArrowDown')
  t.equal(active(), 'Alder')
  key('ArrowUp')
  t.equal(active(), 'Beech')
  key('Enter')
  t.same(chosen, ['Beech'])
})

t.test('a combobox filters, and a click chooses', async (t) => {
  const { box, chosen, getAllByRole, getByRole } = openCombobox()
  fireEvent.change(box, { target: { value: 'B' } })
  t.same(
    getAllByRole('option').map((option) => option.textContent),
    ['Birch', 'Beech']
  )
  fireEvent.click(getByRole('option', { name: 'Beech' }))
  t.same(chosen, ['Beech'])
})

t.test('a search field follows its value', async (t) => {
  const said: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} onSearch={(word) => said.push(word)} />
  )
  const { getByRole, rerender } = render(field('one'))
  const input = getByRole('searchbox', { name: 'Find' }) as HTMLInputElement
  rerender(field('two'))
  t.equal(input.value, 'two')
  fireEvent.change(input, { target: { value: 'three' } })
  t.same(said, [], 'reports nothing while the person types')
  fireEvent.keyDown(input, { key: 'Enter' })
  t.same(said, ['three'], 'Enter reports at once')
  rerender(field('three'))
  fireEvent.keyDown(input, { key: 'Escape' })
  t.same(said, ['three', ''])
  fireEvent.keyDown(input, { key: 'Escape' })
  t.same(said, ['three', ''], 'Escape does not clear an empty field again')
})

t.test('a search field reports once per pause', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const said: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} onSearch={(word) => said.push(word)} />
  )
  const { getByRole, rerender } = render(field(''))
  const type = (text: string) => fireEvent.change(getByRole('searchbox'), { target: { value: text } })
  type('p')
  mock.timers.tick(299)
  type('pu')
  type('pum')
  mock.timers.tick(299)
  t.same(said, [], 'reports nothing while the person types')
  mock.timers.tick(1)
  t.same(said, ['pum'])
  mock.timers.tick(1_000)
  t.same(said, ['pum'])
  type('pump')
  type('pum')
  mock.timers.tick(300)
  t.same(said, ['pum'], 'does not report the same text again')
  type('pumps')
  rerender(field('fan'))
  mock.timers.tick(300)
  t.same(said, ['pum'], 'does not report text that was replaced meanwhile')
})

function Dates() {
  const [[day, ms], choose] = useState<[string, number | null]>(['2026-03-01', Date.UTC(2026, 2, 1, 8, 5)])
  return (
    <>
      <DateField label="Day" value={day} onChange={(next) => choose([next, ms])} />
      <DateTimeField label="Time" value={ms} onChange={(next) => choose([day, next])} zone="Europe/Berlin" />
      <output>{`${day} ${ms === null ? 'none' : new Date(ms).toISOString()}`}</output>
      <button type="button" onClick={() => choose(['2026-05-04', Date.UTC(2026, 4, 4)])}>
        Elsewhere
      </button>
    </>
  )
}

function openDates() {
  const view = render(<Dates />)
  const field = (name: string) => view.getByRole('textbox', { name }) as HTMLInputElement
  return {
    ...view,
    dayField: field('Day'),
    timeField: field('Time'),
    chosen: () => view.container.querySelector('output')?.textContent,
    type: (box: HTMLInputElement, value: string) => fireEvent.change(box, { target: { value } })
  }
}

const descriptionOf = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent

t.test('keeps an invalid date as typed and shows the format', async (t) => {
  const { chosen, dayField, timeField, type } = openDates()
  for (const box of [dayField, timeField]) {
    type(box, '02/31/2026')
    t.equal(box.getAttribute('aria-invalid'), null, 'shows no error while the person types')
  }
  t.equal(chosen(), '2026-03-01 2026-03-01T08:05:00.000Z')
  fireEvent.blur(dayField)
  fireEvent.keyDown(timeField, { key: 'Enter' })
  t.equal(chosen(), ' none')
  for (const box of [dayField, timeField]) {
    t.equal(box.value, '02/31/2026')
    t.equal(box.getAttribute('aria-invalid'), 'true')
  }
  t.equal(descriptionOf(dayField), 'Enter a day, as in 01-Jun-2026.')
  t.equal(descriptionOf(timeField), 'Enter a day and time, as in 01-Jun-2026 14:05.')
})

t.test('a value set elsewhere replaces an invalid date', async (t) => {
  const { dayField, timeField, type, getByRole } = openDates()
  for (const box of [dayField, timeField]) {
    type(box, 'soon')
    fireEvent.blur(box)
  }
  fireEvent.click(getByRole('button', { name: 'Elsewhere' }))
  t.same([dayField.value, timeField.value], ['04-May-2026', '04-May-2026 02:00'])
  t.same([dayField.getAttribute('aria-invalid'), timeField.getAttribute('aria-invalid')], [null, null])
})

t.test('accepts a freely typed date and formats it on blur', async (t) => {
  const { chosen, dayField, timeField, type } = openDates()
  type(dayField, '2 jan 2026')
  type(timeField, '25-Oct-2026 2:30')
  t.equal(chosen(), '2026-01-02 2026-10-25T00:30:00.000Z')
  t.same([dayField.value, timeField.value], ['2 jan 2026', '25-Oct-2026 2:30'])
  for (const box of [dayField, timeField]) fireEvent.blur(box)
  t.same([dayField.value, timeField.value], ['02-Jan-2026', '25-Oct-2026 02:30 (UTC+2)'])
  for (const box of [dayField, timeField]) {
    type(box, ' ')
    fireEvent.blur(box)
    t.equal(box.value, '', 'an empty field is valid')
    t.equal(box.getAttribute('aria-invalid'), null)
  }
  t.equal(chosen(), ' none')
})

t.test('the calendar changes only the day and starts at midnight', async (t) => {
  const { container, timeField, type } = openDates()
  const [, picker] = container.querySelectorAll<HTMLInputElement>('.date-picker')
  if (!picker) throw new Error('no calendar')
  t.equal(picker.value, '2026-03-01')
  fireEvent.change(picker, { target: { value: '2026-03-29' } })
  t.equal(timeField.value, '29-Mar-2026 09:05')
  fireEvent.change(picker, { target: { value: '' } })
  t.equal(timeField.value, '')
  type(timeField, 'soon')
  fireEvent.blur(timeField)
  fireEvent.change(picker, { target: { value: '2026-03-29' } })
  t.equal(timeField.value, '29-Mar-2026 00:00')
})

const ranges: [number: number, total: number, text: string][] = [
  [0, 0, '0–0 of 0'],
  [0, 1, '1–1 of 1'],
  [0, 15, '1–15 of 15'],
  [1, 16, '16–16 of 16'],
  [82, 1240, '1,231–1,240 of 1,240']
]
for (const [number, totalElements, text] of ranges) {
  t.test(`page ${number} of ${totalElements} rows reads ${text}`, async (t) => {
    const totalPages = Math.ceil(totalElements / 15)
    t.equal(rangeText({ number, size: 15, totalPages, totalElements }), text)
  })
}
