// Alarms of each kind of equipment, by the point that raises them.
import type { EquipmentName } from '../seed/names.ts'

export interface AlarmDefinition {
  source: string
  state: 'offnormal' | 'fault' | 'alert'
  alarmClass: 'Critical' | 'HVAC' | 'Energy' | 'Life Safety' | 'Maintenance'
  /** 1 to 255; 1 is the most urgent. */
  priority: number
  message: string
  limit?: { side: 'high' | 'low'; value: number }
}

type Row = [
  source: string,
  state: AlarmDefinition['state'],
  alarmClass: AlarmDefinition['alarmClass'],
  priority: number,
  message: string,
  /** Such as `>21` or `<1.2`. */
  limit?: string
]

const AIR: Row[] = [
  ['Supply Air Temp', 'offnormal', 'HVAC', 100, 'Supply air temperature is above its high limit', '>21'],
  ['Filter Dirty', 'alert', 'Maintenance', 220, 'Filter is dirty, replace it'],
  ['Supply Fan Fault', 'fault', 'HVAC', 60, 'Supply fan has failed to prove flow'],
  ['Smoke Detector', 'offnormal', 'Life Safety', 1, 'Smoke detected in the supply duct'],
  ['Return Air CO2', 'offnormal', 'HVAC', 150, 'CO2 is above 1,100 ppm', '>1100']
]
const BOILER: Row[] = [
  ['Boiler-1 Lockout', 'fault', 'Critical', 40, 'Boiler 1 has locked out'],
  ['Low Water', 'offnormal', 'Critical', 10, 'Low water cut-off'],
  ['System Pressure', 'offnormal', 'HVAC', 120, 'System pressure is below its low limit', '<1.2']
]
const EXHAUSTS: Row[] = [
  ['Fan Fault', 'fault', 'HVAC', 80, 'Exhaust fan has failed'],
  ['Exhaust Air Flow', 'offnormal', 'HVAC', 140, 'Exhaust air flow is below its low limit']
]
const EXCHANGERS: Row[] = [
  ['High Limit', 'offnormal', 'Critical', 30, 'Temperature high limit has tripped'],
  ['Condensate High Level', 'offnormal', 'HVAC', 110, 'Condensate level is high'],
  ['Pump Fault', 'fault', 'HVAC', 90, 'Circulation pump has failed']
]

const ROWS: Record<EquipmentName, Row[]> = {
  AHU: AIR,
  'Make-up Air Unit': AIR,
  Chiller: [
    [
      'Chilled Water Supply Temp',
      'offnormal',
      'HVAC',
      70,
      'Chilled water is warmer than its high limit',
      '>12'
    ],
    ['High Pressure Cut-out', 'fault', 'Critical', 20, 'High pressure cut-out has tripped'],
    ['Vibration', 'alert', 'Maintenance', 200, 'Compressor vibration is rising']
  ],
  'Boiler Plant': BOILER,
  'Hot Water Plant': BOILER,
  'Cooling Tower': [
    ['Low Level', 'offnormal', 'HVAC', 120, 'Basin level is low'],
    ['Cell-1 Vibration Trip', 'fault', 'Critical', 50, 'Cell 1 has tripped on vibration'],
    ['Conductivity', 'alert', 'Maintenance', 230, 'Conductivity is high, bleed the basin']
  ],
  'VAV Floor': [
    ['VAV-1 Zone Temp', 'offnormal', 'HVAC', 170, 'Zone temperature is outside its limits'],
    ['VAV-3 CO2', 'offnormal', 'HVAC', 180, 'CO2 is above 1,000 ppm', '>1000'],
    ['Duct Static Pressure', 'alert', 'Maintenance', 210, 'Duct static pressure is low']
  ],
  'Heat Pump': [
    ['Low Pressure', 'fault', 'HVAC', 80, 'Low pressure cut-out has tripped'],
    ['Coefficient of Performance', 'alert', 'Energy', 240, 'Coefficient of performance is low'],
    ['Pump Fault', 'fault', 'HVAC', 90, 'Load pump has failed']
  ],
  'Exhaust Fan': EXHAUSTS,
  "Kitchen Hood 'B'": EXHAUSTS,
  'Pump Set': [
    ['Pump-1 Pump Fault', 'fault', 'HVAC', 90, 'Pump 1 has failed'],
    ['Pump-2 Pump Fault', 'fault', 'HVAC', 90, 'Pump 2 has failed'],
    ['Differential Pressure', 'offnormal', 'HVAC', 130, 'Differential pressure is below its low limit']
  ],
  'Heat Exchanger': EXCHANGERS,
  'Steam & Condensate': EXCHANGERS,
  'Fan Coil Group': [
    ['FCU-1 Condensate Alarm', 'offnormal', 'HVAC', 160, 'Condensate tray is full'],
    ['FCU-2 Room Temp', 'offnormal', 'HVAC', 190, 'Room temperature is outside its limits'],
    ['FCU-3 Window Contact', 'alert', 'Energy', 250, 'A window is open while the room is heated']
  ],
  'Lighting Panel': [['Circuit-1 Power', 'alert', 'Energy', 245, 'Circuit 1 uses power while it is off']],
  'Energy Meter': [
    ['Phase Loss', 'fault', 'Critical', 15, 'A phase is lost'],
    ['Peak Demand', 'alert', 'Energy', 200, 'Demand is close to its limit'],
    ['Voltage Distortion', 'offnormal', 'Energy', 185, 'Voltage distortion is above its high limit']
  ],
  Generator: [
    ['Common Alarm', 'fault', 'Critical', 5, 'Generator common alarm'],
    ['Low Fuel', 'offnormal', 'Critical', 60, 'Fuel level is low'],
    ['Starter Battery', 'alert', 'Maintenance', 205, 'Starter battery voltage is low']
  ],
  Humidifier: [
    ['High Humidity', 'offnormal', 'HVAC', 125, 'Humidity is above its high limit'],
    ['Cylinder Exhausted', 'alert', 'Maintenance', 215, 'Steam cylinder is exhausted, replace it']
  ],
  'CRAC Unit': [
    ['Cold Aisle Temp', 'offnormal', 'Critical', 25, 'Cold aisle temperature is above its high limit', '>27'],
    ['Water Under Floor', 'offnormal', 'Critical', 3, 'Water detected under the floor'],
    ['Fan Fault', 'fault', 'HVAC', 65, 'Fan has failed']
  ],
  'Domestic Water': [
    ['Scald Alarm', 'offnormal', 'Life Safety', 35, 'Hot water is too hot to be safe'],
    ['Hot Water Supply Temp', 'offnormal', 'HVAC', 135, 'Hot water is colder than its low limit', '<50'],
    ['Pump Fault', 'fault', 'HVAC', 90, 'Circulation pump has failed']
  ]
}

export const ALARMS_OF = Object.fromEntries(
  Object.entries(ROWS).map(([equipment, rows]) => [
    equipment,
    rows.map(([source, state, alarmClass, priority, message, limit]) => ({
      source,
      state,
      alarmClass,
      priority,
      message,
      ...(limit && { limit: { side: limit[0] === '>' ? 'high' : 'low', value: Number(limit.slice(1)) } })
    }))
  ])
) as Record<EquipmentName, AlarmDefinition[]>
