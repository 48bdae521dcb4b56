// The data of an alarm in people's words. Identifiers are listed apart.
import type { Alarm } from '#shared/answers/alarms.ts'
import { capitalized } from '../../../lib/format.ts'
import { type Point, valueText, withUnits } from '../../data/points/point.ts'

export interface NamedText {
  name: string
  text: string
}

const NAMES: Readonly<Record<string, string>> = {
  alarmValue: 'Value at the alarm',
  highLimit: 'High limit',
  lowLimit: 'Low limit',
  slotPath: 'Path',
  cloudId: 'Cloud id'
}
const VALUES = ['alarmValue', 'highLimit', 'lowLimit']
/** Part of the values above. */
const UNITS = 'units'
const IDENTIFIER = /(^slotPath|Id|Guid|Uuid)$/

/** The facts and the identifiers in `alarmData`. @param point the alarm's point, if known: its words name a state */
export function alarmFacts(
  { alarmData }: Pick<Alarm, 'alarmData'>,
  point: Point | null
): { facts: NamedText[]; identifiers: NamedText[] } {
  const entries = Object.entries(alarmData ?? {}).flatMap(([key, value]) =>
    value === null || value === '' || key === UNITS ? [] : [[key, value] as const]
  )
  const units = String(alarmData?.[UNITS] ?? '')
  const named = entries.map(([key, value]) => ({
    key,
    name: NAMES[key] ?? wordsOf(key),
    text: VALUES.includes(key) ? withUnits(wordOf(value, point), units) : String(value)
  }))
  const isIdentifier = ({ key }: { key: string }) => IDENTIFIER.test(key)
  const textOf = ({ name, text }: NamedText): NamedText => ({ name, text })
  return {
    facts: named.filter((entry) => !isIdentifier(entry)).map(textOf),
    identifiers: named.filter(isIdentifier).map(textOf)
  }
}

/** "Running" for "true" at a fan; without a point "True". */
function wordOf(value: string | number, point: Point | null): string {
  if (point?.kind === 'Numeric') {
    const number = Number(value)
    return Number.isFinite(number) ? valueText(point, number) : String(value)
  }
  return point ? valueText(point, value) : capitalized(String(value))
}

/** "presentValue" → "Present value". */
const wordsOf = (key: string) => capitalized(key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
