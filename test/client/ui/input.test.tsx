import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import { useState } from 'react'
import t from 'tap'
import { Modal } from '#client/ui/dialog/modal.tsx'
import { Combobox } from '#client/ui/input/combobox.tsx'
import { CopyButton } from '#client/ui/input/copy-button.tsx'
import { DateField, DateTimeField } from '#client/ui/input/date-field.tsx'
import { MenuButton } from '#client/ui/input/menu-button.tsx'
import { RemoteChoice } from '#client/ui/input/remote-choice.tsx'
import { SearchField } from '#client/ui/input/search-field.tsx'
import { rangeText } from '#client/ui/list/pager.tsx'
import { toasts } from '#client/ui/state/toasts.ts'

t.afterEach(() => cleanup())

const pressKey = (name: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name })
const ignore = () => {}
const focusedText = () => document.activeElement?.textContent

function openMenu() {
  const choices: string[] = []
  const items = ['Light', 'Dark', 'Log out'].map((label) => ({ label, onSelect: () => choices.push(label) }))
  const view = render(
    <MenuButton label="Account" className="" items={items}>
      Account
    </MenuButton>
  )
  const button = view.getByRole('button', { name: 'Account' })
  button.focus()
  return { ...view, button, choices }
}

t.test('Escape closes a menu without a choice and restores the focus', async (t) => {
  const { button, choices, queryByRole } = openMenu()
  fireEvent.click(button)
  t.equal(focusedText(), 'Light')
  pressKey('Escape')
  t.notOk(queryByRole('menu'))
  t.ok(document.activeElement === button)
  t.same(choices, [])
})

t.test('a click outside, focus outside and a second click close a menu', async (t) => {
  const { button, queryByRole } = openMenu()
  const otherButton = document.body.appendChild(document.createElement('button'))
  t.teardown(() => otherButton.remove())
  const exits = [
    () => fireEvent.pointerDown(document.body),
    () => otherButton.focus(),
    () => fireEvent.click(button)
  ]
  for (const close of exits) {
    fireEvent.click(button)
    t.ok(queryByRole('menu'))
    close()
    t.notOk(queryByRole('menu'))
  }
})

t.test('a menu stays open when a press inside gives the focus to an element around it', async (t) => {
  const { button, queryByRole } = openMenu()
  fireEvent.click(button)
  fireEvent.focusIn(document.body)
  t.ok(queryByRole('menu'))
})

t.test('arrow keys, Home, End and letters move through a menu', async (t) => {
  const { button } = openMenu()
  pressKey('ArrowUp')
  t.equal(focusedText(), 'Log out', 'ArrowUp opens the menu at its last item')
  pressKey('Escape')
  pressKey('ArrowDown')
  t.equal(button.getAttribute('aria-expanded'), 'true')
  const moves: [key: string, target: string][] = [
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
  for (const [name, target] of moves) {
    pressKey(name)
    t.equal(focusedText(), target, `${name} leads to ${target}`)
  }
})

function openCombobox(options = ['Alder', 'Birch', 'Beech'].map((name) => ({ id: name, name }))) {
  const choices: string[] = []
  const view = render(
    <Combobox
      label="Tree"
      placeholder="Choose"
      options={options}
      chosen={options[1] ?? null}
      emptyText="No tree."
      onChoose={({ name }) => choices.push(name)}
    />
  )
  const box = view.getByRole('combobox', { name: 'Tree' }) as HTMLInputElement
  box.focus()
  const active = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent
  return { ...view, box, choices, active }
}

t.test('leaving a combobox restores the chosen option', async (t) => {
  const { box, choices } = openCombobox()
  for (const leave of [() => pressKey('Escape'), () => fireEvent.blur(box)]) {
    fireEvent.change(box, { target: { value: 'al' } })
    leave()
    t.equal(box.value, 'Birch')
    t.equal(box.getAttribute('aria-expanded'), 'false')
  }
  t.same(choices, [])
})

t.test('a combobox without matches shows a text and ignores Enter', async (t) => {
  const { box, choices, getByText } = openCombobox()
  fireEvent.change(box, { target: { value: 'x' } })
  getByText('No tree.')
  pressKey('ArrowUp')
  pressKey('ArrowDown')
  pressKey('Enter')
  t.same(choices, [])
})

t.test('Enter chooses none of the options that an earlier text has found', async (t) => {
  const choices: string[] = []
  const choice = (busy: boolean, name: string) => (
    <RemoteChoice
      label="Tree"
      placeholder="Choose"
      options={[{ id: name, name }]}
      busy={busy}
      chosen={null}
      onSearch={ignore}
      onChoose={(option) => choices.push(option?.name ?? '')}
    />
  )
  const view = render(choice(false, 'Alder'))
  const box = view.getByRole('combobox', { name: 'Tree' }) as HTMLInputElement
  box.focus()
  fireEvent.change(box, { target: { value: 'birch' } })
  pressKey('Enter')
  view.rerender(choice(true, 'Alder'))
  await waitFor(() => assert.ok(view.getByText('Alder')))
  pressKey('Enter')
  t.same(choices, [])
  view.rerender(choice(false, 'Birch'))
  await waitFor(() => assert.ok(box.getAttribute('aria-activedescendant')))
  pressKey('Enter')
  t.same(choices, ['Birch'])
})

t.test('a combobox opens at the chosen option; arrows wrap, Enter chooses', async (t) => {
  const { choices, active } = openCombobox()
  pressKey('ArrowDown')
  t.equal(active(), 'Birch')
  pressKey('ArrowDown')
  pressKey('ArrowDown')
  t.equal(active(), 'Alder')
  pressKey('ArrowUp')
  t.equal(active(), 'Beech')
  pressKey('Enter')
  t.same(choices, ['Beech'])
})

t.test('a combobox filters, and a click chooses', async (t) => {
  const { box, choices, getAllByRole, getByRole } = openCombobox()
  fireEvent.change(box, { target: { value: 'B' } })
  t.same(
    getAllByRole('option').map((option) => option.textContent),
    ['Birch', 'Beech']
  )
  fireEvent.click(getByRole('option', { name: 'Beech' }))
  t.same(choices, ['Beech'])
})

t.test('a search field shows its value and reports Enter and Escape', async (t) => {
  const searches: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} onSearch={(word) => searches.push(word)} />
  )
  const { getByRole, rerender } = render(field('one'))
  const input = getByRole('searchbox', { name: 'Find' }) as HTMLInputElement
  rerender(field('two'))
  t.equal(input.value, 'two')
  fireEvent.change(input, { target: { value: 'thre' } })
  fireEvent.change(input, { target: { value: 'three' } })
  t.same(searches, ['thre'])
  fireEvent.keyDown(input, { key: 'Enter' })
  t.same(searches, ['thre', 'three'], 'Enter reports at once')
  rerender(field('three'))
  fireEvent.keyDown(input, { key: 'Escape' })
  t.same(searches, ['thre', 'three', ''])
  fireEvent.keyDown(input, { key: 'Escape' })
  t.same(searches, ['thre', 'three', ''], 'Escape does not clear an empty field again')
})

t.test('a search field reports the first key at once, and later keys after a short pause', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const searches: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} onSearch={(word) => searches.push(word)} />
  )
  const { getByRole, rerender } = render(field(''))
  const type = (text: string) => fireEvent.change(getByRole('searchbox'), { target: { value: text } })
  const pass = (ms: number) => act(() => mock.timers.tick(ms))
  type('p')
  t.same(searches, ['p'])
  type('pu')
  type('pum')
  pass(49)
  t.same(searches, ['p'], 'reports nothing for 50 ms')
  pass(1)
  t.same(searches, ['p', 'pum'])
  type('pump')
  type('pum')
  pass(1_000)
  t.same(searches, ['p', 'pum'], 'does not report the same text again')
  type('pumps')
  type('pumpst')
  rerender(field('fan'))
  pass(1_000)
  t.same(searches, ['p', 'pum', 'pumps'], 'does not report text that was replaced meanwhile')
})

t.test('a search field keeps what is typed while a slow screen returns earlier keywords', async (t) => {
  const searches: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} onSearch={(word) => searches.push(word)} everyKey />
  )
  const { getByRole, rerender } = render(field(''))
  const input = getByRole('searchbox') as HTMLInputElement
  for (const value of ['p', 'pu', 'pum']) fireEvent.change(input, { target: { value } })
  t.same(searches, ['p', 'pu', 'pum'])
  for (const value of ['p', 'pu', 'pum']) {
    rerender(field(value))
    t.equal(input.value, 'pum')
  }
  rerender(field('p'))
  t.equal(input.value, 'p', 'shows a keyword that is set elsewhere, such as by “Back”')
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
    outputText: () => view.container.querySelector('output')?.textContent,
    type: (box: HTMLInputElement, value: string) => fireEvent.change(box, { target: { value } })
  }
}

const descriptionOf = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent

t.test('keeps an invalid date as typed and shows the format', async (t) => {
  const { outputText, dayField, timeField, type } = openDates()
  for (const box of [dayField, timeField]) {
    type(box, '02/31/2026')
    t.equal(box.getAttribute('aria-invalid'), null, 'shows no error while the person types')
  }
  t.equal(outputText(), '2026-03-01 2026-03-01T08:05:00.000Z')
  fireEvent.blur(dayField)
  fireEvent.keyDown(timeField, { key: 'Enter' })
  t.equal(outputText(), ' none')
  for (const box of [dayField, timeField]) {
    t.equal(box.value, '02/31/2026')
    t.equal(box.getAttribute('aria-invalid'), 'true')
  }
  t.equal(descriptionOf(dayField), 'Enter a day, as in 01-Jun-2026.')
  t.equal(descriptionOf(timeField), 'Enter a day and time, as in 01-Jun-2026 14:05.')
})

t.test('Enter in an invalid date does not apply the dialog around it', async (t) => {
  let applied = 0
  const view = render(
    <Modal
      title="Filters"
      onEnter={() => {
        applied += 1
      }}
    >
      <Dates />
    </Modal>
  )
  const field = view.getByRole('textbox', { name: 'Day' })
  fireEvent.change(field, { target: { value: 'soon' } })
  for (let times = 0; times < 2; times += 1) fireEvent.keyDown(field, { key: 'Enter' })
  t.equal(applied, 0)
  t.equal(field.getAttribute('aria-invalid'), 'true')
  fireEvent.change(field, { target: { value: '02-Jan-2026' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  t.equal(applied, 1)
})

t.test('a value set elsewhere replaces an invalid date', async (t) => {
  const { dayField, timeField, outputText, type, getByRole } = openDates()
  for (const box of [dayField, timeField]) {
    type(box, 'soon')
    fireEvent.blur(box)
  }
  fireEvent.click(getByRole('button', { name: 'Elsewhere' }))
  t.same([dayField.value, timeField.value], ['04-May-2026', '04-May-2026 02:00'])
  t.same([dayField.getAttribute('aria-invalid'), timeField.getAttribute('aria-invalid')], [null, null])
  for (const box of [dayField, timeField]) fireEvent.blur(box)
  t.equal(outputText(), '2026-05-04 2026-05-04T00:00:00.000Z', 'leaving the field again keeps the value')
})

t.test('accepts a freely typed date and formats it on blur', async (t) => {
  const { outputText, dayField, timeField, type } = openDates()
  type(dayField, '2 jan 2026')
  type(timeField, '25-Oct-2026 2:30')
  t.equal(outputText(), '2026-01-02 2026-10-25T00:30:00.000Z')
  t.same([dayField.value, timeField.value], ['2 jan 2026', '25-Oct-2026 2:30'])
  for (const box of [dayField, timeField]) fireEvent.blur(box)
  t.same([dayField.value, timeField.value], ['02-Jan-2026', '25-Oct-2026 02:30 (UTC+2)'])
  for (const box of [dayField, timeField]) {
    type(box, ' ')
    fireEvent.blur(box)
    t.equal(box.value, '', 'an empty field is valid')
    t.equal(box.getAttribute('aria-invalid'), null)
  }
  t.equal(outputText(), ' none')
})

t.test('the calendar changes only the day, or sets midnight for an invalid time', async (t) => {
  const { container, timeField, type } = openDates()
  const [, picker] = container.querySelectorAll<HTMLInputElement>('.date-picker')
  if (!picker) throw new Error('the calendar is missing')
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
  t.test(`page ${number} of ${totalElements} rows shows “${text}”`, async (t) => {
    const totalPages = Math.ceil(totalElements / 15)
    t.equal(rangeText({ number, size: 15, totalPages, totalElements }), text)
  })
}

t.test('all labels of a menu with icons are in line', async (t) => {
  const icon = <svg />
  const entry = (label: string, rest = {}) => ({ label, onSelect: () => {}, ...rest })
  for (const [edit, icons] of [
    [entry('Edit', { icon }), 2],
    [entry('Edit'), 0]
  ] as const) {
    const { getByRole, unmount } = render(
      <MenuButton label="Actions" className="" items={[edit, entry('Delete', { icon, inline: true })]}>
        Actions
      </MenuButton>
    )
    fireEvent.click(getByRole('button', { name: 'Actions' }))
    t.equal(getByRole('menu').querySelectorAll('svg').length, icons)
    unmount()
  }
})

t.test('a button that cannot copy, as at an address without TLS, says so', async (t) => {
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  const { getByRole } = render(<CopyButton text="s-1" label="Copy secret" />)
  fireEvent.click(getByRole('button', { name: 'Copy secret' }))
  await waitFor(() => assert.equal(toasts.read().shown.length, 1))
  t.equal(toasts.read().shown[0]?.text, 'Could not be copied. Select the text and copy it.')
})
