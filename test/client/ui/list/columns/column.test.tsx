// A column is declared once for tables, cards and files.
import '../../../../support/client/dom.ts'
import { cleanup, fireEvent, render, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { pageNumber } from '#client/lib/use-list-query.ts'
import {
  cardFacts,
  csvColumns,
  fileColumn,
  type ListColumn,
  sortChoices
} from '#client/ui/list/columns/column.ts'
import { List } from '#client/ui/list/list.tsx'
import { ListTable } from '#client/ui/list/list-table.tsx'
import { pageOf } from '#client/ui/list/pager.tsx'

interface Tool {
  name: string
  weight: number
  note: string | null
}

const COLUMNS: ListColumn<Tool>[] = [
  { id: 'name', header: 'Name', sort: 'name', value: ({ name }) => name, card: 'heading' },
  {
    id: 'weight',
    header: 'Weight',
    sort: 'weight',
    value: ({ weight }) => weight,
    csv: 'Grams',
    card: 'fact'
  },
  { id: 'note', header: 'Note', value: ({ note }) => note, cell: ({ note }) => note ?? '–' },
  { id: 'picture', header: 'Picture', cell: () => 'a picture', card: false, table: 'on-demand' },
  fileColumn('Letters', ({ name }) => name.length)
]
const hammer: Tool = { name: 'Hammer', weight: 500, note: null }
const saw: Tool = { name: 'Saw', weight: 300, note: 'blunt' }

t.test('a column without a plain value, or with `csv: false`, is not in the file', async (t) => {
  const headers = (columns: ListColumn<Tool>[]) => csvColumns(columns).map(({ header }) => header)
  t.strictSame(headers(COLUMNS), ['Name', 'Grams', 'Note', 'Letters'])
  t.strictSame(headers([{ id: 'name', header: 'Name', value: ({ name }) => name, csv: false }]), [])
})

t.test('a file-only column is not on cards and cannot be sorted', async (t) => {
  const columns = [fileColumn<Tool>('Letters', ({ name }) => name.length)]
  t.strictSame(cardFacts(columns, ['more'], hammer), [])
  t.strictSame(sortChoices(columns), [])
})

t.test('an on-demand column is on the card only if its `card` property says so', async (t) => {
  const column: ListColumn<Tool> = { id: 'a', header: 'A', value: () => 1, table: 'on-demand' }
  t.strictSame(cardFacts([column], ['more'], hammer), [])
  t.strictSame(cardFacts([{ ...column, card: 'more' }], ['more'], hammer), [{ name: 'A', value: 1 }])
})

t.test('a card omits a null cell and may replace the header and the cell', async (t) => {
  const note: ListColumn<Tool> = {
    id: 'note',
    header: 'Note',
    cell: () => 'in the table',
    card: { as: 'more', header: 'Remark', cell: ({ note }) => note }
  }
  t.strictSame(cardFacts([note], ['more'], hammer), [])
  t.strictSame(cardFacts([note], ['more'], saw), [{ name: 'Remark', value: 'blunt' }])
  t.strictSame(cardFacts([note], ['fact'], saw), [])
})

t.test('a page past the end is the last page; an invalid page is the first page', async (t) => {
  const rows = ['a', 'b', 'c']
  t.strictSame(pageOf(rows, '3', 2).items, ['c'])
  t.strictSame(pageOf(rows, '3', 2).page, { number: 1, size: 2, totalPages: 2, totalElements: 3 })
  t.strictSame(pageOf([], '2', 2).page, { number: 0, size: 2, totalPages: 1, totalElements: 0 })
  for (const [text, number] of [
    ['', 0],
    ['-1', 0],
    ['1.5', 0],
    ['x', 0],
    ['1', 0],
    ['2', 1]
  ] as const)
    t.equal(pageNumber(text), number, text)
})

t.test('renders the cells of a row again only if the columns or the row change', async (t) => {
  t.teardown(cleanup)
  let renders = 0
  const columns: ListColumn<Tool>[] = [
    {
      id: 'name',
      header: 'Name',
      sort: 'name',
      cell: ({ name }) => {
        renders += 1
        return name
      }
    }
  ]
  const nameOf = ({ name }: Tool) => name
  const view = (rows: Tool[], tableColumns = columns, order: 'asc' | 'desc' = 'asc') => (
    <ListTable
      noun="tool"
      label="Tools"
      columns={tableColumns}
      shown={tableColumns}
      rows={rows}
      total={1_200}
      rowKey={nameOf}
      nameOf={nameOf}
      busy={false}
      sort="name"
      order={order}
      onSort={() => {}}
    />
  )
  const { rerender, getByRole } = render(view([hammer, saw]))
  t.equal(renders, 2)
  t.equal(getByRole('status').textContent, '2 of 1,200 tools, sorted by name ascending')
  rerender(view([hammer, saw], columns, 'desc'))
  t.equal(renders, 2)
  t.equal(getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'descending')
  rerender(view([hammer, { ...saw }]))
  t.equal(renders, 3)
  rerender(view([hammer, saw], [...columns]))
  t.equal(renders, 5)
})

function openToolList(t: Test) {
  t.teardown(() => {
    cleanup()
    localStorage.clear()
  })
  const defaults = { sort: 'name', order: 'asc', page: '1' }
  const list = (
    <List
      noun="tool"
      load={{ data: [hammer], error: undefined, isFetching: false, refetch: () => {} }}
      page={pageOf([hammer], '1', 15)}
      size={15}
      query={{ values: defaults, defaults, change: () => {}, clear: () => {} }}
      columns={COLUMNS}
      rows={{
        rowKey: ({ name }) => name,
        nameOf: ({ name }) => name,
        actions: () => [{ label: 'Lend', onSelect: () => {} }]
      }}
      empty={null}
    />
  )
  const view = render(list)
  fireEvent.click(view.getByRole('button', { name: /^Columns/ }))
  return { ...view, reopen: () => render(list) }
}

t.test('all columns but the first one can be hidden', async (t) => {
  const view = openToolList(t)
  const boxes = within(view.getByRole('group')).getAllByRole('checkbox') as HTMLInputElement[]
  t.strictSame(
    boxes.map((box) => [box.labels?.[0]?.textContent, box.checked]),
    [
      ['Weight', true],
      ['Note', true],
      ['Picture', false],
      ['Higher rows', false]
    ]
  )
})

t.test('a hidden column stays hidden', async (t) => {
  const view = openToolList(t)
  fireEvent.click(view.getByRole('checkbox', { name: 'Weight' }))
  t.equal(localStorage.getItem('portal.columns.tools'), '"-weight,note,-picture"')
  view.unmount()
  const nextView = view.reopen()
  t.notOk(nextView.queryByRole('columnheader', { name: 'Weight' }))
  nextView.getByRole('button', { name: 'Actions for Hammer' })
})
