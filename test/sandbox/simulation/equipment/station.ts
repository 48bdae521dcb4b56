// Points of the controller, which every device has.
import { bits } from '../chance.ts'
import { always, counter, outdoors, rarely, stages, steady, withPeople } from '../signals.ts'
import { boolean, choice, numeric, type Template, text, WRITABLE } from './template.ts'

const STATION = { tags: { equip: 'Controller' } }

export const STATION_POINTS: Template[] = [
  numeric('CPU Usage', '%', [0, 100], withPeople(14, 38, 0.2), STATION),
  numeric('Heap Used', 'MB', [0, 1024], steady(412, 90), { ...STATION, precision: 0 }),
  numeric('Disk Free', 'MB', [0, 8192], steady(5210, 300), { ...STATION, precision: 0 }),
  numeric('Engine Scan Time', 'ms', [0, 500], steady(42, 14), STATION),
  numeric('Uptime', 'h', [0, 1_000_000], counter(1), { ...STATION, precision: 0 }),
  numeric('Battery Voltage', 'V', [0, 15], steady(13.2, 0.3), { ...STATION, precision: 2 }),
  numeric('Outdoor Air Temp', '°C', [-40, 60], outdoors, {
    tags: { medium: 'air', quantity: 'temp', function: 'sensor', place: 'outdoor' }
  }),
  boolean('Station Fault', ['Normal', 'Fault'], rarely(1), STATION),
  boolean('Maintenance Mode', ['Off', 'On'], always(0), { ...WRITABLE, ...STATION }),
  choice('Occupancy', ['Unoccupied', 'Occupied', 'Standby'], stages(2, 12), { ...WRITABLE, ...STATION }),
  text('Station Name', (seed) => `station_${(seed % 9000) + 1000}`),
  text('IP Address', (seed) => `10.${bits(seed) % 200}.${bits(seed, 1) % 250}.${(bits(seed, 2) % 250) + 2}`),
  text('Niagara Version', (seed) => `4.${10 + (seed % 5)}.${bits(seed) % 4}.${20 + (bits(seed, 1) % 80)}`)
]
