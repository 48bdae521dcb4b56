// Texts that name the zone of a time.
import { offsetText, withOffset } from '#shared/time/zones.ts'
import { formatMoment } from './time.ts'

/** Creating a format takes a millisecond. */
const nameFormats = new Map<string, Intl.DateTimeFormat>()

function nameFormatOf(zone: string): Intl.DateTimeFormat {
  const format =
    nameFormats.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
  nameFormats.set(zone, format)
  return format
}

/** "CET (UTC+1)": the name and the offset of the zone at that time. */
export function zoneText(ms: number, zone: string): string {
  const offset = offsetText(ms, zone)
  const parts = nameFormatOf(zone).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return /^(GMT|UTC)/.test(name) && (offset !== 'UTC' || name === 'UTC') ? offset : `${name} (${offset})`
}

/** DD-MMM-YYYY HH:mm, with the zone's offset if the clock shows that time twice. */
export function momentWithOffset(ms: number, zone: string): string {
  return withOffset(formatMoment(ms, zone), ms, zone)
}
