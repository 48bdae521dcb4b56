import t from 'tap'
import {
  DEVICE_SORTS,
  expiresWithin,
  filterDevices,
  isActive,
  pageOf,
  searchDevices,
  searchForm,
  sortDevices,
  unsearchableCharacters,
  withoutUnsearchable
} from '#shared/devices.ts'
import type { Device } from '#shared/entities.ts'

function device(fields: Partial<Device>): Device {
  return Object.freeze({
    id: 'd-1',
    deviceUuid: 'u-1',
    deviceName: 'AHU-1',
    hostId: 'Qnx-JACE-0001',
    location: 'Level 1',
    projectId: 'p-1',
    projectName: 'East Wing',
    systemGuid: 'g-1',
    createdDate: null,
    subscriptions: [],
    ...fields
  })
}

const names = (devices: readonly Device[]) => devices.map(({ deviceName }) => deviceName)
const uuids = (devices: readonly Device[]) => devices.map(({ deviceUuid }) => deviceUuid)

const REFUSED = [...`*<>"'%()&+/^|?[]\\`]
const SEARCHED = Object.freeze([
  device({ deviceUuid: 'u-1', deviceName: `Mixed *<>"'%()&+/^|?[]\\ Name.`, hostId: 'H-1' }),
  device({ deviceUuid: 'u-2', deviceName: 'Chiller 12', hostId: 'Qnx-JACE-A82A', projectName: 'Pump House' }),
  device({ deviceUuid: 'u-3', deviceName: 'Boiler', hostId: 'H-3', location: 'Level 12', projectName: null })
])

t.test('a keyword with a special character finds nothing, even where the text holds it', async (t) => {
  for (const character of REFUSED) {
    t.strictSame(searchDevices(SEARCHED, character), [], character)
    t.strictSame(searchDevices(SEARCHED, `mixed${character}`), [], `mixed${character}`)
    t.strictSame(searchDevices(SEARCHED, ` ${character} `), [], `blanks around ${character}`)
    t.strictSame(unsearchableCharacters(`a${character}b${character}`), [character])
    t.equal(withoutUnsearchable(`a${character}b${character}c`), 'abc')
  }
  t.strictSame(unsearchableCharacters('*a<b*>'), ['*', '<', '>'], 'each once, in order')
})

t.test('characters that names are made of are searched for', async (t) => {
  for (const character of [...'-_,.`:;@#$!{}~=äß0']) {
    const holder = [device({ location: `x${character}y` })]
    t.strictSame(unsearchableCharacters(character), [], character)
    t.equal(withoutUnsearchable(character), character)
    t.equal(searchDevices(holder, character).length, 1, character)
  }
})

t.test('the search ignores white space and case, in the keyword and in the text', async (t) => {
  for (const keyword of ['chiller12', 'CHILLER 12', ' c h i l l e r\t1\n2 ', 'Chiller\u00a012'])
    t.strictSame(uuids(searchDevices(SEARCHED, keyword)), ['u-2'], JSON.stringify(keyword))
  t.equal(searchForm(' Level\t 1\n'), 'level1')
})

t.test('an empty keyword finds everything', async (t) => {
  for (const keyword of ['', ' ', '\t\n\u00a0'])
    t.equal(searchDevices(SEARCHED, keyword).length, 3, JSON.stringify(keyword))
})

t.test('host id, name, project and location are searched, and nothing else', async (t) => {
  const one = [
    device({
      id: 'secret-id',
      deviceUuid: 'secret-uuid',
      systemGuid: 'secret-guid',
      projectId: 'secret-project',
      createdDate: 'secret-date',
      deviceName: 'field-a',
      hostId: 'field-b',
      projectName: 'field-c',
      location: 'field-d'
    })
  ]
  t.equal(searchDevices(one, 'secret').length, 0)
  t.equal(searchDevices(one, 'field-afield-b').length, 0, 'never across two fields')
  for (const keyword of ['field-a', 'field-b', 'field-c', 'field-d'])
    t.equal(searchDevices(one, keyword).length, 1, keyword)
  t.equal(searchDevices([device({ projectName: null })], 'null').length, 0, 'a missing project has no name')
})

t.test('devices sort as people read', async (t) => {
  const devices = Object.freeze(
    ['AHU-10', 'AHU-2', 'ahu-1', 'Éclair', 'Zone', 'eclair 2'].map((deviceName, index) =>
      device({ deviceName, deviceUuid: `u-${index}` })
    )
  )
  const ascending = ['ahu-1', 'AHU-2', 'AHU-10', 'Éclair', 'eclair 2', 'Zone']
  t.strictSame(names(sortDevices(devices, 'deviceName', 'asc')), ascending)
  t.strictSame(names(sortDevices(devices, 'deviceName', 'desc')), [...ascending].reverse())
})

t.test('each column sorts by itself; a missing project comes first', async (t) => {
  const low = device({ deviceUuid: 'low', deviceName: 'A2', hostId: 'A2', projectName: null, location: 'A2' })
  const high = device({
    deviceUuid: 'high',
    deviceName: 'A10',
    hostId: 'A10',
    projectName: 'A',
    location: 'A10'
  })
  for (const sort of DEVICE_SORTS) {
    t.strictSame(uuids(sortDevices([high, low], sort, 'asc')), ['low', 'high'], `${sort} ascending`)
    t.strictSame(uuids(sortDevices([low, high], sort, 'desc')), ['high', 'low'], `${sort} descending`)
  }
})

t.test('equal rows keep one order by name, then uuid, whichever way the column is sorted', async (t) => {
  const devices = [
    device({ deviceName: 'B', deviceUuid: '1' }),
    device({ deviceName: 'A', deviceUuid: '3' }),
    device({ deviceName: 'a', deviceUuid: '2' })
  ]
  for (const order of ['asc', 'desc'] as const)
    for (const arrival of [devices, [...devices].reverse()])
      t.strictSame(uuids(sortDevices(arrival, 'location', order)), ['2', '3', '1'], order)
  const frozen = Object.freeze([...devices])
  sortDevices(frozen, 'location', 'desc')
  t.strictSame(uuids(frozen), ['1', '3', '2'], 'the given list stays as it is')
})

t.test('a page is cut at its size, numbered from 0, with the true totals', async (t) => {
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

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000

t.test('a subscription counts from its start until just before its end', async (t) => {
  const term = { startMs: NOW, endMs: NOW + DAY_MS }
  t.notOk(isActive(term, NOW - 1))
  t.ok(isActive(term, NOW))
  t.ok(isActive(term, NOW + DAY_MS - 1))
  t.notOk(isActive(term, NOW + DAY_MS))
  for (const unreadable of [
    { startMs: Number.NaN, endMs: NOW + 1 },
    { startMs: NOW, endMs: Number.NaN }
  ])
    t.notOk(isActive(unreadable, NOW))
})

t.test('a day begun counts as one of the days left; what has ended does not expire', async (t) => {
  const ends = (days: number) => ({ startMs: NOW - DAY_MS, endMs: NOW + days * DAY_MS })
  for (const limit of [7, 30]) {
    t.ok(expiresWithin(ends(limit), limit, NOW), `${limit} days`)
    t.ok(expiresWithin(ends(0.001), limit, NOW))
    t.notOk(expiresWithin({ ...ends(limit), endMs: NOW + limit * DAY_MS + 1 }, limit, NOW), 'a moment more')
    t.notOk(expiresWithin(ends(0), limit, NOW), 'ended now')
    t.notOk(expiresWithin({ ...ends(3), startMs: NOW + 1 }, limit, NOW), 'not begun')
  }
})

t.test('devices are chosen by service, by expiry, and by both of one subscription', async (t) => {
  const held = (offeringCode: string, days: number) => ({
    offeringCode,
    startDate: new Date(NOW - DAY_MS).toISOString(),
    endDate: new Date(NOW + days * DAY_MS).toISOString()
  })
  const devices = [
    device({ deviceUuid: 'none' }),
    device({ deviceUuid: 'ended', subscriptions: [held('NDS', -1)] }),
    device({ deviceUuid: 'nds', subscriptions: [held('NDS', 400), held('Remote', 5)] }),
    device({ deviceUuid: 'soon', subscriptions: [held('NDS', 20)] })
  ]
  const chosen = (filter: Parameters<typeof filterDevices>[1]) => uuids(filterDevices(devices, filter, NOW))
  t.strictSame(chosen({ service: 'Recover' }), [])
  t.strictSame(chosen({ service: 'NDS', expires: 7 }), [], 'the one that ends is another service')
  t.strictSame(chosen({ service: 'NDS', expires: 30 }), ['soon'])
  t.strictSame(chosen({ expires: 7 }), ['nds'])
  t.strictSame(chosen({ expires: 30 }), ['nds', 'soon'])
  t.strictSame(chosen({ service: 'NDS' }), ['nds', 'soon'])
  t.equal(chosen({}).length, 4)
})
