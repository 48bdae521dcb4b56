import { PRIORITY_BANDS } from '#shared/alarms.ts'

const [critical, high, medium, low] = PRIORITY_BANDS
/** The bands of the priorities 1 to 255. */
export const BANDS = [
  { ...critical, label: 'Critical' },
  { ...high, label: 'High' },
  { ...medium, label: 'Medium' },
  { ...low, label: 'Low' }
] as const

export function bandOf(priority: number): (typeof BANDS)[number] | null {
  return BANDS.find(({ from, to }) => priority >= from && priority <= to) ?? null
}
