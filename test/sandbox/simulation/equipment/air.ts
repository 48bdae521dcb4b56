import {
  always,
  comfort,
  counter,
  rarely,
  running,
  runningForCold,
  runningForHeat,
  setpoint,
  stages,
  steady,
  withCold,
  withHeat,
  withPeople
} from '../signals.ts'
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
  target as targetOf,
  temp as tempOf,
  WRITABLE
} from './template.ts'

const temp = tempOf('air')
const target = targetOf('air')
const held = { ...WRITABLE, onChange: true }
const MODES = ['Off', 'Heating', 'Cooling', 'Ventilation', 'Economizer']

const fan = (name: string): Template[] => [
  boolean(`${name} Command`, ON, running, COMMAND),
  boolean(`${name} Status`, ON, running, STATUS),
  numeric(`${name} Speed`, '%', [0, 100], withPeople(25, 88), COMMAND),
  numeric(`${name} Current`, 'A', [0, 60], withPeople(4, 21)),
  boolean(`${name} Fault`, ALARM, rarely(2), STATUS)
]

export const AIR_HANDLER: Equipment = {
  points: [
    numeric('Supply Air Temp', '°C', [0, 50], comfort(17.2), temp('supply')),
    numeric('Supply Air Temp Setpoint', '°C', [12, 26], setpoint(17, 19), target('supply')),
    numeric('Return Air Temp', '°C', [0, 50], comfort(22.4), temp('return')),
    numeric('Mixed Air Temp', '°C', [-10, 45], comfort(18.9, 1.5), temp('mixed')),
    numeric('Exhaust Air Temp', '°C', [-10, 45], comfort(22.0), temp('exhaust')),
    numeric('Return Air Humidity', '%RH', [0, 100], steady(46, 8)),
    numeric('Humidity Setpoint', '%RH', [30, 60], setpoint(45, 40, 1), held),
    numeric('Return Air CO2', 'ppm', [350, 2000], withPeople(430, 890), { precision: 0 }),
    numeric('Supply Static Pressure', 'Pa', [0, 800], withPeople(60, 380)),
    numeric('Static Pressure Setpoint', 'Pa', [100, 500], setpoint(350, 150, 10), held),
    numeric('Supply Air Flow', 'm³/h', [0, 40000], withPeople(3200, 21500), { precision: 0 }),
    numeric('Filter Differential Pressure', 'Pa', [0, 500], steady(128, 40)),
    boolean('Filter Dirty', ALARM, rarely(3), STATUS),
    numeric('Heating Valve', '%', [0, 100], withHeat(0, 100), COMMAND),
    numeric('Cooling Valve', '%', [0, 100], withCold(0, 100), COMMAND),
    numeric('Outdoor Air Damper', '%', [0, 100], withPeople(12, 70), COMMAND),
    numeric('Heat Recovery Speed', '%', [0, 100], withHeat(0, 90)),
    ...fan('Supply Fan'),
    ...fan('Return Fan'),
    choice('Operating Mode', MODES, stages(5), COMMAND),
    choice('Frost Stage', ['None', 'Warning', 'Trip'], always(0), STATUS),
    boolean('Smoke Detector', ALARM, rarely(0.5), STATUS),
    boolean('Enable', ['Disabled', 'Enabled'], always(1), COMMAND),
    numeric('Run Hours', 'h', [0, 500_000], counter(0.6), { precision: 0 })
  ]
}

export const AIR_BOXES: Equipment = {
  points: [
    numeric('Average Zone Temp', '°C', [0, 40], comfort(21.8)),
    numeric('Duct Static Pressure', 'Pa', [0, 500], withPeople(40, 250)),
    boolean('Floor Occupied', ['Unoccupied', 'Occupied'], running, COMMAND)
  ],
  units: {
    name: 'VAV',
    atLeast: 5,
    atMost: 10,
    points: [
      numeric('Zone Temp', '°C', [0, 40], comfort(21.6, 1.2), temp('zone')),
      numeric('Zone Temp Setpoint', '°C', [16, 28], setpoint(21.5, 18), target('zone')),
      numeric('Air Flow', 'm³/h', [0, 2500], withPeople(120, 980), { precision: 0 }),
      numeric('Air Flow Setpoint', 'm³/h', [0, 2500], setpoint(900, 150, 50), held),
      numeric('Damper Position', '%', [0, 100], withPeople(10, 78), COMMAND),
      numeric('Reheat Valve', '%', [0, 100], withHeat(0, 85), COMMAND),
      numeric('CO2', 'ppm', [350, 2000], withPeople(420, 940), { precision: 0 }),
      boolean('Occupancy Sensor', ['Vacant', 'Occupied'], running, STATUS),
      choice('Mode', ['Off', 'Heating', 'Cooling', 'Ventilation'], stages(4), COMMAND)
    ]
  }
}

export const FAN_COILS: Equipment = {
  points: [boolean('Group Enable', ['Disabled', 'Enabled'], running, COMMAND)],
  units: {
    name: 'FCU',
    atLeast: 4,
    atMost: 9,
    points: [
      numeric('Room Temp', '°C', [0, 40], comfort(22, 1.4), temp('room')),
      numeric('Room Temp Setpoint', '°C', [16, 28], setpoint(22, 17), target('room')),
      numeric('Heating Valve', '%', [0, 100], withHeat(0, 100), COMMAND),
      numeric('Cooling Valve', '%', [0, 100], withCold(0, 100), COMMAND),
      choice('Fan Speed', ['Off', 'Low', 'Medium', 'High'], stages(4, 2), COMMAND),
      boolean('Window Contact', ['Closed', 'Open'], rarely(18), STATUS),
      boolean('Condensate Alarm', ALARM, rarely(1), STATUS)
    ]
  }
}

export const EXHAUST: Equipment = {
  points: [
    ...fan('Fan'),
    ...fan('Standby Fan'),
    numeric('Exhaust Air Flow', 'm³/h', [0, 12000], withPeople(700, 6400), { precision: 0 }),
    numeric('Air Flow Setpoint', 'm³/h', [0, 12000], setpoint(6000, 800, 100), held),
    numeric('Differential Pressure', 'Pa', [0, 400], withPeople(20, 145)),
    numeric('Exhaust Air Temp', '°C', [0, 90], comfort(24, 2), temp('exhaust')),
    numeric('Make-up Air Temp', '°C', [-10, 45], comfort(18, 1), temp('supply')),
    numeric('Duct Humidity', '%RH', [0, 100], steady(52, 10)),
    boolean('Damper End Switch', ['Closed', 'Open'], running, STATUS),
    choice('Mode', ['Off', 'Auto', 'Boost'], stages(3, 4), COMMAND),
    numeric('Run Hours', 'h', [0, 500_000], counter(0.5), { precision: 0 })
  ]
}

export const CLOSE_CONTROL: Equipment = {
  points: [
    numeric('Supply Air Temp', '°C', [5, 40], steady(15.8, 0.6), temp('supply')),
    numeric('Supply Air Temp Setpoint', '°C', [12, 24], setpoint(16, 16), target('supply')),
    numeric('Return Air Temp', '°C', [10, 50], steady(27.5, 1.4), temp('return')),
    numeric('Cold Aisle Temp', '°C', [10, 40], steady(22.1, 0.9), temp('cold aisle')),
    numeric('Hot Aisle Temp', '°C', [15, 55], steady(34.2, 2), temp('hot aisle')),
    numeric('Humidity', '%RH', [0, 100], steady(44, 5)),
    numeric('Humidity Setpoint', '%RH', [30, 60], setpoint(45, 45, 1), held),
    numeric('Cooling Capacity', '%', [0, 100], withCold(45, 92), COMMAND),
    numeric('Compressor 1 Current', 'A', [0, 60], withCold(9, 24)),
    numeric('Compressor 2 Current', 'A', [0, 60], withCold(0, 22)),
    boolean('Compressor 1 Status', ON, always(1), STATUS),
    boolean('Compressor 2 Status', ON, runningForCold, STATUS),
    boolean('Humidifier Status', ON, runningForHeat, STATUS),
    boolean('Water Under Floor', ALARM, rarely(1), STATUS),
    boolean('Unit Enable', ['Disabled', 'Enabled'], always(1), COMMAND),
    choice('Unit State', ['Off', 'Standby', 'Running', 'Fault'], always(2), STATUS),
    ...fan('Fan')
  ]
}
