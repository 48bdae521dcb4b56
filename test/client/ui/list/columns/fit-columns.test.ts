// The widths of a table's columns.
import t from 'tap'
import { type ColumnNeed, fitColumns } from '#client/ui/list/columns/fit-columns.ts'

const column = (need: number, fields: Partial<ColumnNeed> = {}): ColumnNeed => ({
  need,
  min: 0,
  grows: true,
  ...fields
})
const rounded = (columns: readonly ColumnNeed[], available: number) =>
  fitColumns(columns, available).map(Math.round)

t.test('only the widest columns are cut, all at the same width', async (t) => {
  t.same(rounded([column(50), column(300), column(120), column(900)], 570), [50, 200, 120, 200])
})

t.test('a column never gets less than its minimum', async (t) => {
  t.same(rounded([column(300, { min: 250 }), column(300)], 400), [250, 150])
  t.same(rounded([column(40, { min: 100 }), column(300)], 300), [100, 200])
})

t.test('columns whose minimums do not fit are wider than the table', async (t) => {
  t.same(rounded([column(300, { min: 300 }), column(300, { min: 200 })], 400), [300, 200])
})

t.test('columns that fit exactly get what they need', async (t) => {
  t.same(rounded([column(100), column(200)], 300), [100, 200])
  t.same(rounded([column(100), column(200)], 299), [100, 199])
})

t.test('the rest is shared in proportion to the content; columns of controls do not grow', async (t) => {
  const controls = { min: 44, grows: false }
  t.same(rounded([column(44, controls), column(100), column(200)], 644), [44, 200, 400])
  t.same(rounded([column(44, controls)], 300), [44])
})

t.test('the widths fill the table, whatever the columns need', async (t) => {
  for (let available = 200; available <= 2_000; available += 37) {
    const widths = fitColumns(
      [column(80, { min: 80 }), column(310, { min: 60 }), column(540, { min: 60 })],
      available
    )
    const total = widths.reduce((sum, width) => sum + width, 0)
    t.ok(Math.abs(total - available) < 0.1, `${total} of ${available}`)
  }
})
