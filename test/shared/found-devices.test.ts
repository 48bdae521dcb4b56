import t from 'tap'
import type { FoundDevice } from '#shared/entities.ts'
import { mergeFound } from '#shared/found-devices.ts'

t.test('what several customers found is merged as if it were one, whatever the parts', async (t) => {
  const found = (match: FoundDevice['match'], deviceName: string, orgName: string): FoundDevice => ({
    match,
    device: {
      id: 'd',
      deviceUuid: `${deviceName} ${orgName}`,
      deviceName,
      hostId: 'H-1',
      location: '',
      projectId: null,
      projectName: null,
      systemGuid: 'g',
      createdDate: null
    },
    customer: { id: orgName, orgName, scope: '/' }
  })
  const all = [
    found('whole', 'AHU-2', 'A'),
    found('whole', 'AHU-10', 'B'),
    found('start', 'AHU-1', 'A'),
    found('start', 'AHU-1', 'B'),
    found('part', 'AHU-1', 'A')
  ]
  t.strictSame(mergeFound([], [], 3), [])
  for (const first of all.keys()) {
    const apart = [...all.slice(first), ...all.slice(0, first)]
    const merged = apart.reduce<readonly FoundDevice[]>((best, one) => mergeFound(best, [one], 3), [])
    t.strictSame(merged, all.slice(0, 3))
    t.strictSame(mergeFound([], apart, 9), all)
  }
})
