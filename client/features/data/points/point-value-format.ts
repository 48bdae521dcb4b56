// The status flags of a point as people read them.
import type { FLAG_ORDER } from '#shared/history/point-value.ts'

type StatusTone = 'plain' | 'danger' | 'warn' | 'info'

/** The flags in Niagara's order of priority, with name and tone. */
export const STATUS_FLAGS = [
  { flag: 'disabled', name: 'Disabled', tone: 'plain' },
  { flag: 'fault', name: 'Fault', tone: 'danger' },
  { flag: 'down', name: 'Down', tone: 'danger' },
  { flag: 'alarm', name: 'Alarm', tone: 'danger' },
  { flag: 'stale', name: 'Stale', tone: 'warn' },
  { flag: 'overridden', name: 'Overridden', tone: 'info' },
  { flag: 'null', name: 'Null', tone: 'plain' },
  { flag: 'unackedAlarm', name: 'Unacked alarm', tone: 'warn' }
] as const satisfies readonly { flag: (typeof FLAG_ORDER)[number]; name: string; tone: StatusTone }[]

export function statusName(flag: string): { name: string; tone: StatusTone } {
  return STATUS_FLAGS.find((entry) => entry.flag === flag) ?? { name: flag, tone: 'plain' }
}
