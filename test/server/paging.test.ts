import t from 'tap'
import { pageOf } from '#server/paging.ts'

t.test('cuts a list into pages, numbered from 0, with totals', async (t) => {
  const items = Array.from({ length: 31 }, (_, index) => index)
  const cases: [number: number, size: number, first: number | undefined, length: number, pages: number][] = [
    [0, 15, 0, 15, 3],
    [1, 15, 15, 15, 3],
    [2, 15, 30, 1, 3],
    [3, 15, undefined, 0, 3],
    [1e9, 15, undefined, 0, 3],
    [0, 31, 0, 31, 1],
    [0, 30, 0, 30, 2],
    [0, 32, 0, 31, 1],
    [30, 1, 30, 1, 31],
    [0, 1000, 0, 31, 1]
  ]
  for (const [number, size, first, length, totalPages] of cases) {
    const page = pageOf(items, number, size)
    t.equal(page.items[0], first, `first of page ${number} of ${size}`)
    t.equal(page.items.length, length)
    t.strictSame(page.page, { number, size, totalPages, totalElements: 31 })
  }
  t.strictSame(pageOf([], 0, 15), {
    items: [],
    page: { number: 0, size: 15, totalPages: 0, totalElements: 0 }
  })
})
