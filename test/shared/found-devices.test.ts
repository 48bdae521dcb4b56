import t from 'tap'
import type { FoundDevice } from '#shared/answers/customers.ts'
import { mergeFound } from '#shared/found-devices.ts'

const DEVICE: FoundDevice['device'] = {
  id: 'd-1',
  deviceUuid: 'u-1',
  deviceName: 'AHU-1',
  hostId: 'Qnx-JACE-0001',
  location: 'Level 1',
  projectId: 'p-1',
  projectName: 'East Wing',
  systemGuid: 'g-1',
  createdDate: null
}

t.test('merges the results of customers in any order', async (t) => {
  const foundDevice = (match: FoundDevice['match'], deviceName: string, orgName: string): FoundDevice => ({
    match,
    device: { ...DEVICE, deviceUuid: `${deviceName} ${orgName}`, deviceName },
    customer: { id: orgName, orgName, scope: '/' }
  })
  const ranked = [
    foundDevice('whole', 'AHU-2', 'A'),
    foundDevice('whole', 'AHU-10', 'B'),
    foundDevice('start', 'AHU-1', 'A'),
    foundDevice('start', 'AHU-1', 'B'),
    foundDevice('part', 'AHU-1', 'A')
  ]
  t.strictSame(mergeFound([], [], 3), [])
  for (const first of ranked.keys()) {
    const rotated = [...ranked.slice(first), ...ranked.slice(0, first)]
    const result = rotated.reduce<readonly FoundDevice[]>((best, item) => mergeFound(best, [item], 3), [])
    t.strictSame(result, ranked.slice(0, 3))
    t.strictSame(mergeFound([], rotated, 9), ranked)
  }
})
