// What devices are called and where they stand. Numbers repeat from project to project, as they do on sites.
import type { Random } from '../random.ts'

export const EQUIPMENT = [
  'AHU',
  'Chiller',
  'Boiler Plant',
  'Cooling Tower',
  'VAV Floor',
  'Heat Pump',
  'Exhaust Fan',
  'Pump Set',
  'Heat Exchanger',
  'Make-up Air Unit',
  'Fan Coil Group',
  'Lighting Panel',
  'Energy Meter',
  'Generator',
  'Humidifier',
  'Steam & Condensate',
  "Kitchen Hood 'B'",
  'Hot Water Plant',
  'CRAC Unit',
  'Domestic Water'
] as const
export type EquipmentName = (typeof EQUIPMENT)[number]

const LOCATIONS = [
  'Roof, level 9',
  'Roof, level 12',
  'Basement B1',
  'Basement B2',
  'Plant Room 1',
  'Plant Room 2',
  'Mechanical Room, level 3',
  'Level 4, riser cupboard',
  'Level 7, east corridor',
  'Ground floor, switch room',
  'Pump House',
  "Caretaker's Office",
  'Kitchen & Stores',
  'Mezzanine',
  'Penthouse plant deck',
  'Yard, container 2'
]

const MODELS = ['TITAN', 'JACE', 'ATLAS', 'EDGE', 'NX']

export function equipment(random: Random): EquipmentName {
  return random.pick(EQUIPMENT)
}

/** A device's name within its project: `AHU-3`, `Boiler Plant 2`. */
export function deviceName(kind: EquipmentName, index: number): string {
  return kind.length <= 4 ? `${kind}-${index + 1}` : `${kind} ${index + 1}`
}

export function location(random: Random): string {
  return random.pick(LOCATIONS)
}

/** Like `Qnx-TITAN-3A2F-91C0-7B4E-11D2`. */
export function hostId(random: Random): string {
  const digits = random.hex(16).toUpperCase()
  return `Qnx-${random.pick(MODELS)}-${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(8, 12)}-${digits.slice(12)}`
}

/** In the form of a version 4 UUID. */
export function uuid(random: Random): string {
  const digits = random.hex(32)
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}
