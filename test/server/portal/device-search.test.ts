import t from 'tap'
import type { Column } from '#server/portal/columns.ts'
import { columnWriter } from '#server/portal/columns.ts'
import { createDeviceSearch } from '#server/portal/device-search.ts'
import { createTurns } from '#server/upstreams/turns.ts'
import { compareTexts, DEVICE_SORTS, type DeviceSort } from '#shared/devices.ts'

const turns = createTurns()

/** Three devices, and how often their columns were asked for. */
function scene() {
  const rows: Record<DeviceSort, string[]> = {
    deviceName: ['AHU-1', 'Boiler', 'Chiller'],
    hostId: ['qnx-1', 'qnx-2', 'qnx-3'],
    projectName: ['East Wing', 'East Wing', 'West Wing'],
    location: ['', 'Roof', 'roof, level 9']
  }
  const columns = Object.fromEntries(
    DEVICE_SORTS.map((sort) => {
      const writer = columnWriter(3)
      for (const value of rows[sort]) writer.add(value)
      return [sort, writer.finish(compareTexts, turns)]
    })
  ) as Record<DeviceSort, Column>
  let searched = 0
  const search = createDeviceSearch(async () => {
    searched += 1
    return columns
  }, 3)
  return { searched: () => searched, search: async (wanted: string) => [...(await search(wanted))] }
}

t.test('a device is found by any of its columns, and by none of another', async (t) => {
  const { search } = scene()
  t.strictSame(await search('nothing'), [0, 0, 0])
  t.strictSame(await search('ahu'), [1, 0, 0])
  t.strictSame(await search('qnx-'), [1, 1, 1])
  t.strictSame(await search('east'), [1, 1, 0])
  t.strictSame(await search('roof'), [0, 1, 1])
  t.strictSame(await search('wingroof'), [0, 0, 0], 'columns are not one text')
})

t.test('the last sixteen searches are remembered, and no more', async (t) => {
  const { search, searched } = scene()
  for (const time of [1, 2]) t.strictSame(await search('roof'), [0, 1, 1], `time ${time}`)
  t.equal(searched(), 1)
  for (let other = 0; other < 15; other += 1) await search(`other ${other}`)
  await search('roof')
  t.equal(searched(), 16, 'sixteen of them are there')
  for (let other = 0; other < 16; other += 1) await search(`more ${other}`)
  await search('roof')
  t.equal(searched(), 33, 'a seventeenth takes the place of the one that was not asked for the longest')
})

t.test('two who search for the same at the same time search once', async (t) => {
  const { search, searched } = scene()
  await Promise.all([search('roof'), search('roof')])
  t.equal(searched(), 1)
})
