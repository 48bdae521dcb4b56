import { always, counter, rarely, running, setpoint, stages, steady, withPeople } from '../signals.ts'
import {
  ALARM,
  boolean,
  COMMAND,
  choice,
  type Equipment,
  numeric,
  ON,
  STATUS,
  type Template,
  WHOLE,
  WRITABLE
} from './template.ts'

const phases = (quantity: string, units: string, limits: [number, number], base: number, spread: number) =>
  ['L1', 'L2', 'L3'].map((phase) => {
    const tags = { medium: 'electricity', quantity: quantity.toLowerCase(), function: 'sensor', phase }
    return numeric(`${quantity} ${phase}`, units, limits, steady(base, spread), {
      tags,
      precision: units === '' ? 2 : 1
    })
  })

export const METER: Equipment = {
  points: [
    ...phases('Voltage', 'V', [0, 300], 231, 3),
    ...phases('Current', 'A', [0, 1200], 240, 110),
    ...phases('Active Power', 'kW', [0, 300], 52, 24),
    ...phases('Power Factor', '', [0, 1], 0.94, 0.04),
    numeric('Total Active Power', 'kW', [0, 900], withPeople(48, 310)),
    numeric('Total Reactive Power', 'kvar', [0, 400], withPeople(12, 74)),
    numeric('Frequency', 'Hz', [45, 65], steady(50, 0.03), { precision: 3 }),
    numeric('Peak Demand', 'kW', [0, 1000], steady(322, 18)),
    numeric('Active Energy Import', 'kWh', [0, 1_000_000_000], counter(165), WHOLE),
    numeric('Active Energy Export', 'kWh', [0, 1_000_000_000], counter(4), WHOLE),
    numeric('Reactive Energy', 'kvarh', [0, 1_000_000_000], counter(31), WHOLE),
    numeric('Voltage Distortion', '%', [0, 100], steady(2.4, 0.8)),
    numeric('Current Distortion', '%', [0, 100], steady(8.2, 2.5)),
    boolean('Breaker Status', ['Open', 'Closed'], always(1), STATUS),
    boolean('Phase Loss', ALARM, rarely(0.4), STATUS),
    numeric('Demand Limit', 'kW', [100, 900], setpoint(600, 600, 10), WRITABLE)
  ]
}

const circuit: Template[] = [
  boolean('Command', ON, running, COMMAND),
  boolean('Status', ON, running, STATUS),
  numeric('Level', '%', [0, 100], withPeople(0, 85), COMMAND),
  numeric('Power', 'kW', [0, 12], withPeople(0.05, 2.6), { precision: 2 }),
  numeric('Burn Hours', 'h', [0, 200_000], counter(0.4), WHOLE)
]

export const LIGHTING: Equipment = {
  points: [
    numeric('Daylight', 'lx', [0, 120_000], withPeople(2, 14_000), WHOLE),
    boolean('Master Off', ['Inactive', 'Active'], always(0), COMMAND),
    choice('Scene', ['Off', 'Work', 'Cleaning', 'Night', 'Presentation'], stages(5, 4), COMMAND),
    numeric('Panel Energy', 'kWh', [0, 10_000_000], counter(6), WHOLE)
  ],
  units: { name: 'Circuit', atLeast: 6, atMost: 18, points: circuit }
}

export const GENERATOR: Equipment = {
  points: [
    numeric('Engine Speed', 'rpm', [0, 2000], always(0), WHOLE),
    numeric('Coolant Temp', '°C', [0, 130], steady(41, 3)),
    numeric('Oil Pressure', 'bar', [0, 10], always(0)),
    numeric('Fuel Level', '%', [0, 100], steady(82, 8)),
    numeric('Fuel Low Setpoint', '%', [10, 50], setpoint(25, 25, 1), WRITABLE),
    numeric('Starter Battery', 'V', [0, 32], steady(27.1, 0.3), { precision: 2 }),
    numeric('Output Power', 'kW', [0, 900], always(0)),
    ...phases('Generator Voltage', 'V', [0, 300], 0, 0),
    ...phases('Mains Voltage', 'V', [0, 300], 231, 3),
    boolean('Mains Healthy', ['Failed', 'Healthy'], always(1), STATUS),
    boolean('Engine Running', ON, rarely(4), STATUS),
    boolean('Common Alarm', ALARM, rarely(1), STATUS),
    boolean('Low Fuel', ALARM, rarely(0.6), STATUS),
    boolean('Test Start', ['Idle', 'Start'], always(0), COMMAND),
    choice('Selector', ['Off', 'Manual', 'Auto', 'Test'], always(2), STATUS),
    numeric('Run Hours', 'h', [0, 100_000], counter(0.01)),
    numeric('Starts', '', [0, 10_000], counter(0.004), WHOLE)
  ]
}
