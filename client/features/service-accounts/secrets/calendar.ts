// A calendar entry (RFC 5545) that reminds of something ahead of time.

interface CalendarEntry {
  /** The same for the same thing, so that a newer file replaces the entry. */
  uid: string
  title: string
  text: string
  url: string
  /** ISO 8601 UTC. */
  at: string
  remindDaysBefore: number
}

export function calendarFile(entry: CalendarEntry, nowMs: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//portal//secret expiry//EN',
    'BEGIN:VEVENT',
    `UID:${escaped(entry.uid)}`,
    `DTSTAMP:${stamp(nowMs)}`,
    `DTSTART:${stamp(Date.parse(entry.at))}`,
    'DURATION:PT15M',
    `SUMMARY:${escaped(entry.title)}`,
    `DESCRIPTION:${escaped(entry.text)}`,
    `URL:${entry.url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(entry.title)}`,
    `TRIGGER:-P${entry.remindDaysBefore}D`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR'
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
}

/** RFC 5545, section 3.3.11: characters that a text must escape. */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
}

/** RFC 5545, section 3.1: a line has at most 75 octets and continues after a space. */
function folded(line: string): string {
  const pieces = ['']
  let octets = 0
  for (const character of line) {
    const size = new TextEncoder().encode(character).length
    if (octets + size > 74) {
      pieces.push('')
      octets = 0
    }
    pieces[pieces.length - 1] += character
    octets += size
  }
  return pieces.join('\r\n ')
}
