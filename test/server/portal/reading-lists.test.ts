// Lists over readings of many customers: they stay sorted when readings change, and make their keys once for each reading.
import t from 'tap'
import { createReadingLists, type RowQuery } from '#server/portal/reading-lists.ts'
import type { CustomerName } from '#shared/answers/customers.ts'
import { chance } from '../../support/chance.ts'

interface Item {
  name: string
  priority: number
  time: number
}
interface Reading {
  items: Item[]
}

const customerOf = (id: number): CustomerName => ({
  id: `${id}`,
  orgName: `Customer ${id}`,
  scope: `/c/${id}`
})

/** A list of items that counts how often the texts of its rows were made. */
function startList() {
  const made = { texts: 0, filtered: 0 }
  const lists = createReadingLists<Reading, Item>({
    itemsOf: ({ items }) => items,
    searched(item, customer) {
      made.texts += 1
      return [item.name, customer.orgName]
    },
    tie: ({ time }) => time,
    id: ({ name }) => name,
    sortKey: (sort, { item }) => (sort === 'name' ? item.name : item.priority)
  })
  const query: RowQuery<Item> = {
    sort: 'name',
    order: 'asc',
    keyword: '',
    filter: () => {
      made.filtered += 1
      return true
    },
    filterName: '',
    page: 0,
    size: 1_000_000
  }
  return { lists, made, query }
}

const random = chance(7)
const newReading = (count = 100): Reading => ({
  items: Array.from({ length: count }, () => ({
    name: `${['AHU', 'ahu', 'Boiler'][random(3)]}-${random(40)}`,
    priority: 1 + random(5),
    time: random(1_000_000_000)
  }))
})

function sortedNames(readings: readonly Reading[]): Item[] {
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return readings.flatMap(({ items }) => items).sort((a, b) => compare(a.name, b.name) || b.time - a.time)
}

t.test('sorts texts as people read them, and equal ones by time, the newest first', async (t) => {
  const { lists, query } = startList()
  const readings = Array.from({ length: 30 }, () => newReading())
  const read = readings.map((reading, id) => ({ reading, customer: customerOf(id) }))
  const { items, page } = await lists.page('a', read, query)
  t.strictSame(
    items.map(({ item }) => item),
    sortedNames(readings)
  )
  t.equal(page.totalElements, 3_000)
  const descending = await lists.page('a', read, { ...query, sort: 'priority', order: 'desc' })
  t.strictSame(
    descending.items.map(({ item }) => item),
    readings.flatMap((reading) => reading.items).sort((a, b) => b.priority - a.priority || b.time - a.time)
  )
})

t.test('texts that differ by case only are equal, so that their rows are sorted by time', async (t) => {
  const { lists, query } = startList()
  const spellings = Array.from({ length: 1_024 }, (_, bits) =>
    [...'ventilator'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('')
  )
  const items = spellings.map((name) => ({ name, priority: 1, time: random(1_000_000) }))
  const read = [
    { reading: { items: [...items, { name: 'a', priority: 1, time: 0 }] }, customer: customerOf(1) }
  ]
  for (const order of ['asc', 'desc'] as const) {
    const page = await lists.page('a', read, { ...query, order })
    const times = page.items.filter(({ item }) => item.name !== 'a').map(({ item }) => item.time)
    t.strictSame(
      times,
      items.map(({ time }) => time).sort((a, b) => b - a)
    )
    t.equal(page.items.at(order === 'asc' ? 0 : -1)?.item.name, 'a')
  }
})

t.test('stays sorted while readings come, change and go', async (t) => {
  const { lists, query, made } = startList()
  let read = Array.from({ length: 40 }, (_, id) => ({ reading: newReading(20), customer: customerOf(id) }))
  for (let round = 0; round < 20; round += 1) {
    const { items } = await lists.page('a', read, { ...query, keyword: 'customer' })
    const expected = sortedNames(read.map(({ reading }) => reading))
    t.strictSame(
      items.map(({ item }) => item),
      expected
    )
    const changed = random(read.length)
    read = read.map((entry, at) => (at === changed ? { ...entry, reading: newReading(random(30)) } : entry))
    if (round % 3 === 0) read = read.filter((_, at) => at !== random(read.length))
    if (round % 4 === 0) read = [...read, { reading: newReading(20), customer: customerOf(100 + round) }]
  }
  t.ok(made.texts < 40 * 20 + 20 * 60, 'only texts of changed readings are made')
})

t.test('makes no texts until somebody searches', async (t) => {
  const { lists, query, made } = startList()
  const read = [{ reading: newReading(5), customer: customerOf(1) }]
  await lists.page('a', read, query)
  t.equal(made.texts, 0)
  await lists.page('a', read, { ...query, keyword: 'ahu' })
  t.equal(made.texts, 5)
})

t.test('makes the texts of a reading once, and again when its customer is renamed', async (t) => {
  const { lists, query, made } = startList()
  const reading = newReading(5)
  const find = (orgName: string, keyword: string) =>
    lists.page('a', [{ reading, customer: { ...customerOf(1), orgName } }], { ...query, keyword })
  t.equal((await find('North', 'NORTH ')).page.totalElements, 5)
  t.equal(
    (await find('North', 'ahu')).page.totalElements,
    reading.items.filter(({ name }) => /ahu/i.test(name)).length
  )
  t.equal(made.texts, 5)
  t.equal((await find('South', 'north')).page.totalElements, 0)
  t.equal((await find('South', 'south')).page.totalElements, 5)
  t.equal(made.texts, 10)
})

t.test('equal calls share one computation, also on other pages', async (t) => {
  const { lists, query, made } = startList()
  const read = [{ reading: newReading(), customer: customerOf(1) }]
  const filtered = { ...query, filterName: 'all', size: 10 }
  const pages = await Promise.all(
    [0, 0, 3, 9, 10].map((page) => lists.page('a', read, { ...filtered, page }))
  )
  t.equal(made.filtered, 100)
  t.strictSame(
    pages.map(({ items }) => items.length),
    [10, 10, 10, 10, 0]
  )
  t.match(pages[4]?.page, { number: 10, size: 10, totalPages: 10, totalElements: 100 })
})

t.test('the answer to a failed filter is not kept', async (t) => {
  const { lists, query } = startList()
  const read = [{ reading: newReading(), customer: customerOf(1) }]
  const failing = {
    ...query,
    filterName: 'fails',
    filter: () => {
      throw new Error('broken')
    }
  }
  await t.rejects(lists.page('a', read, failing), /broken/)
  t.equal((await lists.page('a', read, { ...failing, filter: () => true })).page.totalElements, 100)
})

t.test('other work runs while a long list is sorted', async (t) => {
  const { lists, query } = startList()
  const read = Array.from({ length: 200 }, (_, id) => ({ reading: newReading(), customer: customerOf(id) }))
  let turns = 0
  let isRunning = true
  const count = () => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await lists.page('a', read, query)
  isRunning = false
  t.ok(turns > 10, `${turns} turns`)
})
