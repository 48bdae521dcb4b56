const UNITS: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000]
]

/** "28 h", "2 d 3 h", "8 min", "45 s", "120 ms". Uses days from two days on. */
export function durationText(ms: number): string {
  const unitIndex = UNITS.findIndex(([name, size]) => ms >= (name === 'd' ? 2 : 1) * size)
  const unit = UNITS[unitIndex]
  if (!unit) return `${Math.round(ms)} ms`
  const smallerUnit = UNITS[unitIndex + 1]
  if (!smallerUnit) return `${Math.round(ms / unit[1])} ${unit[0]}`
  const roundedMs = Math.round(ms / smallerUnit[1]) * smallerUnit[1]
  const [wholeUnits, remainder] = [
    Math.floor(roundedMs / unit[1]),
    Math.round((roundedMs % unit[1]) / smallerUnit[1])
  ]
  return remainder === 0
    ? `${wholeUnits} ${unit[0]}`
    : `${wholeUnits} ${unit[0]} ${remainder} ${smallerUnit[0]}`
}
