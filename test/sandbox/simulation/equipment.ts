// The points and alarms of each kind of equipment, from equipment.tsv: `#` begins a kind of equipment, `!` is an alarm, and
// `+` begins the points of a unit that the equipment has several times.
import { readFileSync } from 'node:fs'
import type { EquipmentName } from '../seed/names.ts'
import { bits } from './chance.ts'
import { SIGNALS, type Signal } from './signals.ts'

interface CommonFields {
  name: string
  writable?: boolean
  unrecorded?: boolean
  onChange?: boolean
  tags?: Record<string, string>
}

export type Template = CommonFields &
  (
    | { kind: 'Numeric'; units: string; low: number; high: number; precision: number; signal: Signal }
    | { kind: 'Boolean'; falseText: string; trueText: string; signal: Signal }
    | { kind: 'Enum'; texts: string[]; signal: Signal }
    | { kind: 'String'; text: (seed: number) => string }
  )

export interface AlarmDefinition {
  source: string
  state: 'offnormal' | 'fault' | 'alert'
  alarmClass: string
  /** 1 to 255; 1 is the most urgent. */
  priority: number
  message: string
  limit?: { side: 'high' | 'low'; value: number }
}

export interface Equipment {
  alarms: AlarmDefinition[]
  points: Template[]
  units?: { name: string; atLeast: number; atMost: number; points: Template[] }
}

const [, ...LINES] = readFileSync(new URL('equipment.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

const text = (name: string, value: (seed: number) => string): Template => ({
  kind: 'String',
  name,
  text: value,
  unrecorded: true
})

export const EQUIPMENT_OF = readTable() as Record<EquipmentName | 'Every station', Equipment>

EQUIPMENT_OF['Every station'].points.push(
  text('Station Name', (seed) => `station_${(seed % 9000) + 1000}`),
  text('IP Address', (seed) => `10.${bits(seed) % 200}.${bits(seed, 1) % 250}.${(bits(seed, 2) % 250) + 2}`),
  text('Niagara Version', (seed) => `4.${10 + (seed % 5)}.${bits(seed) % 4}.${20 + (bits(seed, 1) % 80)}`)
)

function readTable(): Record<string, Equipment> {
  const equipmentByName: Record<string, Equipment> = {}
  let equipment: Equipment = { alarms: [], points: [] }
  for (const line of LINES) {
    const [, names] = /^# (.+)$/.exec(line) ?? []
    const [, unit = '', atLeast, atMost] = /^\+ (\w+) (\d+)\.\.(\d+)$/.exec(line) ?? []
    if (names !== undefined) {
      equipment = { alarms: [], points: [] }
      for (const name of names.split(', ')) equipmentByName[name] = equipment
    } else if (line.startsWith('! ')) equipment.alarms.push(readAlarm(line.slice(2)))
    else if (unit !== '')
      equipment.units = { name: unit, atLeast: Number(atLeast), atMost: Number(atMost), points: [] }
    else (equipment.units ?? equipment).points.push(readPoint(line))
  }
  return equipmentByName
}

function readAlarm(line: string): AlarmDefinition {
  const [source = '', state, alarmClass = '', priority, message = '', limit] = line.split('\t')
  return {
    source,
    state: state as AlarmDefinition['state'],
    alarmClass,
    priority: Number(priority),
    message,
    ...(limit && { limit: { side: limit.startsWith('>') ? 'high' : 'low', value: Number(limit.slice(1)) } })
  }
}

function readPoint(line: string): Template {
  const [name = '', units = '', values = '', decimals = '', signalText = '', options = ''] = line.split('\t')
  const [signalName = '', ...numbers] = signalText.split(' ')
  const makeSignal = SIGNALS[signalName]
  if (!makeSignal) throw new Error(`no signal in "${line}"`)
  const signal = makeSignal(...numbers.map(Number))
  const words = options.split(', ').filter((word) => word !== '')
  const tags = words.filter((word) => word.includes('=')).map((word) => word.split('='))
  const common = {
    name,
    ...(words.includes('writable') && { writable: true }),
    ...(words.includes('onChange') && { onChange: true }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) })
  }
  const [low, high] = values.split('..').map(Number)
  if (low !== undefined && high !== undefined)
    return { ...common, kind: 'Numeric', units, low, high, precision: Number(decimals), signal }
  const [falseText = '', trueText] = values.split(' / ')
  if (trueText !== undefined) return { ...common, kind: 'Boolean', falseText, trueText, signal }
  return { ...common, kind: 'Enum', texts: values.split(', '), signal }
}
