import t from 'tap'
import {
  NO_PLACEMENT,
  placementOf,
  registrationLink
} from '#client/features/sites/registration/link-panel.tsx'

t.test('a registration link restores only the placement', async (t) => {
  const placement = { ...NO_PLACEMENT, customerId: '9', deviceName: 'AHU & 3 ', location: 'Roof, #2' }
  const link = registrationLink('https://portal.example', placement)
  t.match(link, /^https:\/\/portal\.example\/registerdevice\?/)
  t.strictSame(placementOf(new URL(link).searchParams), { ...placement, deviceName: 'AHU & 3' })
  t.equal(registrationLink('https://portal.example', NO_PLACEMENT), 'https://portal.example/registerdevice')
})
