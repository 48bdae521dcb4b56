import {
  always,
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
  WHOLE,
  WRITABLE
} from './template.ts'

const temp = tempOf('water')
const target = targetOf('water')

const pump: Template[] = [
  boolean('Pump Command', ON, running, COMMAND),
  boolean('Pump Status', ON, running, STATUS),
  numeric('Pump Speed', '%', [0, 100], withPeople(30, 82), COMMAND),
  numeric('Pump Power', 'kW', [0, 30], withPeople(1, 7.5), { precision: 2 }),
  boolean('Pump Fault', ALARM, rarely(2), STATUS),
  numeric('Pump Run Hours', 'h', [0, 500_000], counter(0.5), WHOLE)
]

export const CHILLER: Equipment = {
  points: [
    numeric('Chilled Water Supply Temp', '°C', [0, 30], withCold(9.5, 6.4, 0.1), temp('supply')),
    numeric('Chilled Water Return Temp', '°C', [0, 35], withCold(11, 13.2, 0.1), temp('return')),
    numeric('Chilled Water Setpoint', '°C', [4, 15], setpoint(6.5, 9), target('supply')),
    numeric('Condenser Water Supply Temp', '°C', [5, 50], withCold(20, 29.5, 0.1), temp('condenser')),
    numeric('Condenser Water Return Temp', '°C', [5, 55], withCold(21, 34.8, 0.1), temp('condenser')),
    numeric('Chilled Water Flow', 'l/s', [0, 200], withCold(12, 96)),
    numeric('Cooling Load', 'kW', [0, 3000], withCold(60, 1850), WHOLE),
    numeric('Compressor Power', 'kW', [0, 800], withCold(12, 410)),
    numeric('Demand Limit', '%', [40, 100], setpoint(100, 80, 5), COMMAND),
    numeric('Coefficient of Performance', '', [0, 12], steady(5.1, 0.9), { precision: 2 }),
    numeric('Evaporator Pressure', 'kPa', [0, 1000], steady(352, 20)),
    numeric('Condenser Pressure', 'kPa', [0, 2000], withCold(720, 980)),
    numeric('Oil Temp', '°C', [0, 90], steady(51, 4)),
    numeric('Oil Pressure', 'kPa', [0, 900], steady(240, 25)),
    numeric('Vibration', 'mm/s', [0, 20], steady(2.1, 0.7), { precision: 2 }),
    boolean('Chiller Enable', ['Disabled', 'Enabled'], runningForCold, COMMAND),
    boolean('Compressor 1 Status', ON, runningForCold, STATUS),
    boolean('Compressor 2 Status', ON, runningForCold, STATUS),
    boolean('High Pressure Cut-out', ALARM, rarely(1), STATUS),
    boolean('Evaporator Flow Switch', ['No Flow', 'Flow'], runningForCold, STATUS),
    choice('Chiller State', ['Off', 'Starting', 'Running', 'Unloading', 'Fault'], stages(3, 5), STATUS),
    numeric('Starts Today', '', [0, 50], steady(4, 3), WHOLE),
    numeric('Compressor Run Hours', 'h', [0, 500_000], counter(0.45), WHOLE),
    numeric('Energy', 'kWh', [0, 100_000_000], counter(180), WHOLE)
  ]
}

export const BOILERS: Equipment = {
  points: [
    numeric('Supply Water Temp', '°C', [0, 110], withHeat(42, 78), temp('supply')),
    numeric('Return Water Temp', '°C', [0, 100], withHeat(36, 60), temp('return')),
    numeric('Supply Water Setpoint', '°C', [35, 90], setpoint(72, 55, 1), target('supply')),
    numeric('System Pressure', 'bar', [0, 10], steady(1.9, 0.2), { precision: 2 }),
    numeric('Gas Meter', 'm³', [0, 100_000_000], counter(14), WHOLE),
    numeric('Flow Rate', 'l/s', [0, 120], withHeat(6, 44)),
    boolean('Plant Enable', ['Disabled', 'Enabled'], runningForHeat, COMMAND),
    boolean('Low Water', ALARM, rarely(0.6), STATUS),
    choice('Lead Boiler', ['Boiler 1', 'Boiler 2', 'Boiler 3'], stages(3, 168), COMMAND)
  ],
  units: {
    name: 'Boiler',
    atLeast: 2,
    atMost: 4,
    points: [
      numeric('Outlet Temp', '°C', [0, 110], withHeat(40, 80), temp('outlet')),
      numeric('Firing Rate', '%', [0, 100], withHeat(0, 96), COMMAND),
      numeric('Flue Gas Temp', '°C', [0, 250], withHeat(45, 118)),
      numeric('Flame Signal', 'µA', [0, 10], withHeat(0.2, 4.6), { precision: 2 }),
      boolean('Flame', ON, runningForHeat, STATUS),
      boolean('Lockout', ALARM, rarely(1.5), STATUS),
      numeric('Run Hours', 'h', [0, 500_000], counter(0.4), WHOLE),
      choice('Mode', ['Off', 'Auto', 'Hand'], always(1), COMMAND)
    ]
  }
}

export const TOWER: Equipment = {
  points: [
    numeric('Leaving Water Temp', '°C', [0, 50], withCold(16, 28.5, 0.1), temp('leaving')),
    numeric('Entering Water Temp', '°C', [0, 55], withCold(18, 34, 0.1), temp('entering')),
    numeric('Leaving Water Setpoint', '°C', [15, 32], setpoint(27, 24), target('leaving')),
    numeric('Basin Level', '%', [0, 100], steady(74, 9)),
    numeric('Basin Temp', '°C', [0, 45], withCold(9, 26)),
    numeric('Conductivity', 'µS/cm', [0, 4000], steady(1320, 260), WHOLE),
    numeric('Make-up Water', 'm³', [0, 1_000_000], counter(0.9)),
    boolean('Basin Heater', ON, runningForHeat, COMMAND),
    boolean('Low Level', ALARM, rarely(1), STATUS)
  ],
  units: {
    name: 'Cell',
    atLeast: 2,
    atMost: 3,
    points: [
      boolean('Fan Command', ON, runningForCold, COMMAND),
      boolean('Fan Status', ON, runningForCold, STATUS),
      numeric('Fan Speed', '%', [0, 100], withCold(0, 100), COMMAND),
      numeric('Fan Vibration', 'mm/s', [0, 25], steady(3, 1.2), { precision: 2 }),
      boolean('Vibration Trip', ALARM, rarely(1), STATUS),
      numeric('Run Hours', 'h', [0, 500_000], counter(0.4), WHOLE)
    ]
  }
}

export const PUMPS: Equipment = {
  points: [
    numeric('Differential Pressure', 'kPa', [0, 400], withPeople(60, 180)),
    numeric('Differential Pressure Setpoint', 'kPa', [50, 300], setpoint(170, 90, 5), WRITABLE),
    numeric('Flow', 'l/s', [0, 150], withPeople(10, 62)),
    boolean('Set Enable', ['Disabled', 'Enabled'], running, COMMAND),
    choice('Lead Pump', ['Pump 1', 'Pump 2'], stages(2, 168), COMMAND)
  ],
  units: { name: 'Pump', atLeast: 2, atMost: 4, points: pump }
}

export const HEAT_PUMP: Equipment = {
  points: [
    numeric('Source Supply Temp', '°C', [-15, 40], withHeat(12, 5), temp('source')),
    numeric('Source Return Temp', '°C', [-15, 40], withHeat(10, 2), temp('source')),
    numeric('Load Supply Temp', '°C', [0, 75], withHeat(28, 52), temp('supply')),
    numeric('Load Return Temp', '°C', [0, 70], withHeat(25, 43), temp('return')),
    numeric('Load Setpoint', '°C', [20, 60], setpoint(45, 35), target('supply')),
    numeric('Compressor Speed', '%', [0, 100], withHeat(0, 95), COMMAND),
    numeric('Electrical Power', 'kW', [0, 200], withHeat(1, 68)),
    numeric('Thermal Power', 'kW', [0, 700], withHeat(3, 260)),
    numeric('Coefficient of Performance', '', [0, 8], steady(3.7, 0.6), { precision: 2 }),
    boolean('Compressor Status', ON, runningForHeat, STATUS),
    boolean('Reversing Valve', ['Heating', 'Cooling'], runningForCold, STATUS),
    boolean('Low Pressure', ALARM, rarely(1), STATUS),
    boolean('Enable', ['Disabled', 'Enabled'], always(1), COMMAND),
    choice('Mode', ['Off', 'Heating', 'Cooling', 'Defrost'], stages(3, 6), COMMAND),
    numeric('Energy', 'kWh', [0, 100_000_000], counter(22), WHOLE),
    ...pump
  ]
}

export const EXCHANGER: Equipment = {
  points: [
    numeric('Primary Supply Temp', '°C', [0, 130], withHeat(62, 92), temp('primary')),
    numeric('Primary Return Temp', '°C', [0, 120], withHeat(40, 55), temp('primary')),
    numeric('Secondary Supply Temp', '°C', [0, 100], withHeat(35, 66), temp('secondary')),
    numeric('Secondary Return Temp', '°C', [0, 90], withHeat(28, 45), temp('secondary')),
    numeric('Secondary Setpoint', '°C', [25, 80], setpoint(60, 42, 1), target('secondary')),
    numeric('Primary Valve', '%', [0, 100], withHeat(0, 94), COMMAND),
    numeric('Primary Flow', 'l/s', [0, 80], withHeat(1, 22)),
    numeric('Heat Output', 'kW', [0, 2500], withHeat(20, 940), WHOLE),
    numeric('Heat Meter', 'kWh', [0, 100_000_000], counter(140), WHOLE),
    numeric('Static Pressure', 'bar', [0, 10], steady(2.2, 0.2), { precision: 2 }),
    numeric('Condensate Temp', '°C', [0, 120], withHeat(40, 84)),
    boolean('Condensate High Level', ALARM, rarely(1), STATUS),
    boolean('High Limit', ALARM, rarely(0.7), STATUS),
    choice('Mode', ['Off', 'Auto', 'Hand'], always(1), COMMAND),
    ...pump
  ]
}

export const DOMESTIC: Equipment = {
  points: [
    numeric('Hot Water Supply Temp', '°C', [0, 90], steady(58.5, 2), temp('supply')),
    numeric('Circulation Return Temp', '°C', [0, 80], steady(53.2, 2), temp('return')),
    numeric('Hot Water Setpoint', '°C', [50, 70], setpoint(60, 58, 1), target('supply')),
    numeric('Cold Water Temp', '°C', [0, 30], steady(12.4, 2), temp('cold')),
    numeric('Tank Top Temp', '°C', [0, 95], steady(61, 2), temp('tank')),
    numeric('Tank Bottom Temp', '°C', [0, 95], withPeople(54, 38), temp('tank')),
    numeric('Consumption', 'l/min', [0, 600], withPeople(4, 130)),
    numeric('Water Meter', 'm³', [0, 10_000_000], counter(1.4)),
    numeric('Charging Valve', '%', [0, 100], withPeople(10, 75), COMMAND),
    boolean('Anti-legionella Cycle', ['Idle', 'Active'], rarely(14), COMMAND),
    boolean('Scald Alarm', ALARM, rarely(0.5), STATUS),
    choice('Mode', ['Off', 'Comfort', 'Economy'], stages(3, 8), COMMAND),
    ...pump
  ]
}

export const HUMIDIFIER: Equipment = {
  points: [
    numeric('Supply Humidity', '%RH', [0, 100], steady(46, 6)),
    numeric('Return Humidity', '%RH', [0, 100], steady(42, 7)),
    numeric('Humidity Setpoint', '%RH', [30, 60], setpoint(45, 38, 1), WRITABLE),
    numeric('High Limit Setpoint', '%RH', [60, 95], setpoint(85, 85, 1), WRITABLE),
    numeric('Steam Output', 'kg/h', [0, 120], withHeat(0, 64)),
    numeric('Output Demand', '%', [0, 100], withHeat(0, 90), COMMAND),
    numeric('Cylinder Current', 'A', [0, 80], withHeat(1, 38)),
    numeric('Water Conductivity', 'µS/cm', [0, 2000], steady(480, 120), WHOLE),
    numeric('Power', 'kW', [0, 90], withHeat(0.5, 42)),
    numeric('Cylinder Hours', 'h', [0, 50_000], counter(0.3), WHOLE),
    boolean('Enable', ['Disabled', 'Enabled'], runningForHeat, COMMAND),
    boolean('Steam Status', ON, runningForHeat, STATUS),
    boolean('Drain Valve', ['Closed', 'Open'], rarely(30), STATUS),
    boolean('Air Flow Proven', ['No', 'Yes'], running, STATUS),
    boolean('High Humidity', ALARM, rarely(1), STATUS),
    boolean('Cylinder Exhausted', ALARM, rarely(1), STATUS),
    choice('State', ['Idle', 'Filling', 'Boiling', 'Draining', 'Fault'], stages(4, 2), STATUS),
    numeric('Energy', 'kWh', [0, 10_000_000], counter(9), WHOLE)
  ]
}
