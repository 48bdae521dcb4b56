import t from 'tap'
import type { Device, DevicePage } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'

const DEVICES = `/api/portal/v1/customers/${NOTABLE.northwind}/devices`
const COLUMNS = ['deviceName', 'hostId', 'projectName', 'location'] as const

const portal = await startPortal(t)
const { state, calls } = portal.sandbox
const browser = await portal.as('customer.user')

const pageOf = (query: string) => browser.json<DevicePage>(`${DEVICES}?${query}`)
const ids = ({ items }: { items: Device[] }) => items.map(({ id }) => id)

/** The devices as the sandbox has them, joined here in the plainest way. */
const projectNames = new Map(
  state.projects.of(NOTABLE.northwind).map(({ id, projectName }) => [id, projectName])
)
const all = state.devices.of(NOTABLE.northwind).map((device) => ({
  ...device,
  projectName: projectNames.get(device.projectId) ?? ''
}))

async function everyPage(query: string, size: number): Promise<Device[]> {
  const found: Device[] = []
  for (let number = 0; ; number += 1) {
    const { items, page } = await pageOf(`${query}&size=${size}&page=${number}`)
    found.push(...items)
    if (number + 1 >= page.totalPages) return found
  }
}

t.test('all devices are reachable through pages of any size, each once', async (t) => {
  for (const size of [1000, 997, 100]) {
    const found = await everyPage('', size)
    t.equal(found.length, 1240)
    t.strictSame(new Set(found.map(({ id }) => id)), new Set(all.map(({ id }) => id)), `pages of ${size}`)
  }
  t.match(await pageOf(''), {
    page: { number: 0, size: 15, totalPages: 83, totalElements: 1240 },
    partial: []
  })
  t.match(await pageOf('page=82'), { items: { length: 10 } })
  t.match(await pageOf('page=83'), { items: [], page: { number: 83, totalElements: 1240 } })
  t.match(await pageOf('page=1000000000'), { items: [] })
})

t.test('the upstream’s list was followed to its end, in pages of a thousand', async (t) => {
  const pages = calls.filter(({ url }) => url.includes(`/organizations/${NOTABLE.northwind}/devices`))
  const queries = pages.map(({ url }) => new URL(url, portal.sandbox.url).searchParams)
  t.strictSame(queries.map((query) => `${query.get('page')} of ${query.get('size')}`).sort(), [
    '0 of 1000',
    '1 of 1000'
  ])
})

t.test('a device carries its project and its services', async (t) => {
  const found = new Map((await everyPage('', 1000)).map((device) => [device.id, device]))
  const subscriptions = state.subscriptions.get(NOTABLE.northwind) ?? []
  const wrong: string[] = []
  for (const device of all) {
    const given = found.get(device.id)
    const own = subscriptions.filter(({ deviceUuid }) => deviceUuid === device.deviceUuid)
    const same =
      given?.deviceName === device.deviceName &&
      given.hostId === device.hostId &&
      given.location === device.location &&
      given.systemGuid === device.systemGuid &&
      given.projectId === device.projectId &&
      given.projectName === device.projectName &&
      given.subscriptions.map(({ offeringCode }) => offeringCode).join() ===
        own.map(({ offeringCode }) => offeringCode).join()
    if (!same) wrong.push(device.id)
  }
  t.strictSame(wrong, [])
  const [some] = all
  t.strictSame(await browser.json(`${DEVICES}/${some?.deviceUuid}`), found.get(some?.id ?? ''))
})

t.test(
  'the search goes over host id, name, project and location, without white space and case',
  async (t) => {
    const [some] = all
    const words = [
      'chiller',
      'CHILLER 1',
      'c h i l l e r 1',
      some?.hostId ?? '',
      some?.projectName ?? '',
      some?.location ?? '',
      'level',
      'zzzz',
      '.'
    ]
    for (const word of words) {
      const wanted = word.replaceAll(' ', '').toLowerCase()
      const refused = /[*<>"'%()&+/^|?[\\]/.test(word)
      const expected = all.filter((device) =>
        COLUMNS.some((column) => device[column].replaceAll(' ', '').toLowerCase().includes(wanted))
      )
      const found = await everyPage(`q=${encodeURIComponent(word)}`, 1000)
      t.equal(found.length, refused ? 0 : expected.length, word)
    }
  }
)

t.test('a search with a special character finds nothing', async (t) => {
  for (const character of `*<>"'%()&+/^|?[\\`) {
    const { page } = await pageOf(`q=${encodeURIComponent(character)}`)
    t.equal(page.totalElements, 0, character)
  }
})

t.test('devices are sorted by each column both ways, as people read', async (t) => {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  for (const sort of COLUMNS) {
    const ascending = await everyPage(`sort=${sort}`, 1000)
    const descending = await everyPage(`sort=${sort}&order=desc`, 1000)
    const outOfOrder = (devices: Device[], sign: number) =>
      devices.filter(
        (device, at) =>
          at > 0 && sign * collator.compare(devices[at - 1]?.[sort] ?? '', device[sort] ?? '') > 0
      )
    t.strictSame(outOfOrder(ascending, 1), [], `${sort} ascending`)
    t.strictSame(outOfOrder(descending, -1), [], `${sort} descending`)
  }
  t.strictSame(
    ids(await pageOf('')),
    ids(await pageOf('sort=deviceName&order=asc&page=0&size=15')),
    'by name, unless asked'
  )
})

t.test('pages of one order do not overlap, even where rows are equal', async (t) => {
  const found = await everyPage('sort=projectName&order=desc', 50)
  t.equal(new Set(found.map(({ id }) => id)).size, 1240)
})

t.test('the devices of one project', async (t) => {
  const [project] = state.projects.of(NOTABLE.northwind)
  const expected = all.filter(({ projectId }) => projectId === project?.id)
  const found = await everyPage(`projectId=${project?.id}`, 1000)
  t.strictSame(found.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort())
  const word = expected[0]?.deviceName ?? ''
  const searched = await everyPage(`projectId=${project?.id}&q=${encodeURIComponent(word)}`, 1000)
  t.ok(searched.length > 0 && searched.every(({ projectId }) => projectId === project?.id))
  for (const unknown of ['none', state.projects.of(NOTABLE.otherPartnersCustomer)[0]?.id ?? ''])
    t.equal(
      (await pageOf(`projectId=${unknown}`)).page.totalElements,
      0,
      `project "${unknown}" is none of theirs`
    )
  t.equal((await browser.call(`${DEVICES}?projectId=`)).status, 400, 'an empty id is none')
})
