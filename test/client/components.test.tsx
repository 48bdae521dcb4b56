import './dom.ts'
import { mock } from 'node:test'
import { cleanup, fireEvent, render } from '@testing-library/react'
import t from 'tap'
import { Combobox } from '#client/components/combobox.tsx'
import { MenuButton } from '#client/components/menu-button.tsx'
import { rangeText } from '#client/components/pager.tsx'
import { SearchField } from '#client/components/search-field.tsx'

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

t.test('a menu that is closed by Escape gives the focus back and chooses nothing', async (t) => {
  const { button, chosen, queryByRole } = openMenu()
  fireEvent.click(button)
  t.equal(focused(), 'Light')
  key('Escape')
  t.equal(queryByRole('menu'), null)
  t.equal(document.activeElement, button)
  t.same(chosen, [])
})

t.test('a click elsewhere, Tab and a second click close a menu', async (t) => {
  const { button, queryByRole } = openMenu()
  const ways = [() => fireEvent.pointerDown(document.body), () => key('Tab'), () => fireEvent.click(button)]
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
  t.equal(focused(), 'Log out', 'which opens at its end by the upper arrow')
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

t.test('a combobox that is left shows what was chosen before', async (t) => {
  const { box, chosen } = openCombobox()
  for (const leave of [() => key('Escape'), () => fireEvent.blur(box)]) {
    fireEvent.change(box, { target: { value: 'al' } })
    leave()
    t.equal(box.value, 'Birch')
    t.equal(box.getAttribute('aria-expanded'), 'false')
  }
  t.same(chosen, [])
})

t.test('a combobox without a match says so, and Enter chooses nothing', async (t) => {
  const { box, chosen, getByText } = openCombobox()
  fireEvent.change(box, { target: { value: 'x' } })
  getByText('No tree.')
  key('ArrowUp')
  key('ArrowDown')
  key('Enter')
  t.same(chosen, [])
})

t.test('a combobox opens at what is chosen; arrows go round, Enter chooses', async (t) => {
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

t.test('a search field follows its value when that changes elsewhere', async (t) => {
  const said: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} onSearch={(word) => said.push(word)} />
  )
  const { getByRole, rerender } = render(field('one'))
  const input = getByRole('searchbox', { name: 'Find' }) as HTMLInputElement
  rerender(field('two'))
  t.equal(input.value, 'two')
  fireEvent.change(input, { target: { value: 'three' } })
  t.same(said, [], 'and says nothing while one types')
  fireEvent.keyDown(input, { key: 'Enter' })
  t.same(said, ['three'], 'but at once by Enter')
  rerender(field('three'))
  fireEvent.keyDown(input, { key: 'Escape' })
  t.same(said, ['three', ''])
  fireEvent.keyDown(input, { key: 'Escape' })
  t.same(said, ['three', ''], 'and an empty field has nothing to clear')
})

t.test('a field that follows typing says the first key at once, and no more often than it may', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const said: string[] = []
  const field = (value: string) => (
    <SearchField label="Find" value={value} throttleMs={50} onSearch={(word) => said.push(word)} />
  )
  const { getByRole, rerender } = render(field(''))
  const type = (text: string) => fireEvent.change(getByRole('searchbox'), { target: { value: text } })
  type('p')
  t.same(said, ['p'])
  type('pu')
  type('pum')
  t.same(said, ['p'], 'the next ones wait')
  mock.timers.tick(49)
  t.same(said, ['p'])
  mock.timers.tick(1)
  t.same(said, ['p', 'pum'], 'and only what was typed last is said')
  mock.timers.tick(50)
  t.same(said, ['p', 'pum'], 'once')
  type('pump')
  t.same(said, ['p', 'pum', 'pump'], 'after a rest at once again')
  type('pumps')
  rerender(field('fan'))
  mock.timers.tick(50)
  t.same(said, ['p', 'pum', 'pump'], 'what was replaced from elsewhere meanwhile is not said')
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
