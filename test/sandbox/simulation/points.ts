// Computes the points of a device from its equipment.
import { LRUCache } from 'lru-cache'
import type { DeviceRecord } from '../records/sites.ts'
import { bits, chance, seedOf } from './chance.ts'
import { EQUIPMENT_OF, type Template } from './equipment.ts'

export type PointValue = number | boolean | string

export interface Point {
  cloudId: string
  telemetryId: string
  displayName: string
  slotPath: string
  /** Null if the point is not recorded. */
  historyName: string | null
  template: Template
  seed: number
  device: DeviceRecord
}

/** More than the largest customer has, because a search of a customer computes the points of all its devices. */
const CACHED_DEVICES = 2_000
const cachedPoints = new LRUCache<DeviceRecord, readonly Point[]>({
  max: CACHED_DEVICES,
  memoMethod: (device) => slotsOf(device).map((slot) => toPoint(device, slot))
})

/** Every point of the device, in the order of the device's station. */
export function pointsOf(device: DeviceRecord): readonly Point[] {
  return cachedPoints.memo(device)
}

/** The first recorded points of the device, without computing the other points. */
export function firstRecordedPoints(device: DeviceRecord, count: number): Point[] {
  const points: Point[] = []
  for (const slot of slotsOf(device)) {
    if (points.length === count) break
    const point = toPoint(device, slot)
    if (point.historyName !== null) points.push(point)
  }
  return points
}

export function pointNamed(device: DeviceRecord, displayName: string): Point | undefined {
  const slot = slotsOf(device).find((candidate) => displayNameOf(candidate) === displayName)
  return slot && toPoint(device, slot)
}

export function unitsOf(device: DeviceRecord): number {
  const { units } = EQUIPMENT_OF[device.equipment]
  if (!units) return 0
  return units.atLeast + (bits(seedOf(device.deviceUuid), 7) % (units.atMost - units.atLeast + 1))
}

interface Slot {
  template: Template
  unit: string | null
  parent: string
}

function slotsOf(device: DeviceRecord): Slot[] {
  const { points, units } = EQUIPMENT_OF[device.equipment]
  const count = unitsOf(device)
  const parent = `BacnetNetwork/${device.equipment.replace(/\W+/g, '')}`
  const slots = points.map((template): Slot => ({ template, unit: null, parent }))
  for (let number = 1; number <= count; number++)
    for (const template of units?.points ?? [])
      slots.push({ template, unit: `${units?.name}-${number}`, parent })
  for (const template of EQUIPMENT_OF['Every station'].points)
    slots.push({ template, unit: null, parent: 'NiagaraNetwork/Station' })
  return slots
}

function displayNameOf({ template, unit }: Slot): string {
  return unit === null ? template.name : `${unit} ${template.name}`
}

function toPoint(device: DeviceRecord, slot: Slot): Point {
  const { template, unit, parent } = slot
  const displayName = displayNameOf(slot)
  const folder = unit === null ? parent : `${parent}/${unit.replace(/\W+/g, '_')}`
  const slotPath = `slot:/Drivers/${folder}/points/${template.name.replace(/\W+/g, '')}`
  const seed = bits(seedOf(device.deviceUuid), seedOf(slotPath))
  const digits = seed.toString(16).padStart(8, '0')
  const history = `/${stationName(device)}/${displayName.replace(/\W+/g, '_')}`
  return {
    // The device's identifier makes the point's identifier unique.
    cloudId: `${device.deviceUuid.slice(0, 24)}${bits(seed).toString(16).padStart(8, '0').slice(4)}${digits}`,
    telemetryId: `${device.systemGuid.slice(0, 16)}${digits}`,
    displayName,
    slotPath,
    historyName: isRecorded(template, seed) ? history : null,
    template,
    seed,
    device
  }
}

// One point in twelve has no history.
function isRecorded(template: Template, seed: number): boolean {
  return !template.unrecorded && chance(seed, 11) > 1 / 12
}

// Independent of the device's name, because a history keeps its name when the device is renamed.
function stationName({ equipment, id }: DeviceRecord): string {
  return `${equipment.replace(/\W+/g, '')}_${id.replace(/\W+/g, '_')}`
}
