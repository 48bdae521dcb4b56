const UNITS: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000]
]

/** "28 h", "2 d 3 h", "8 min", "45 s", "120 ms". Days are used from two days on. */
export function durationText(ms: number): string {
  const first = UNITS.findIndex(([name, size]) => ms >= (name === 'd' ? 2 : 1) * size)
  const unit = UNITS[first]
  if (!unit) return `${Math.round(ms)} ms`
  const next = UNITS[first + 1]
  if (!next) return `${Math.round(ms / unit[1])} ${unit[0]}`
  const rounded = Math.round(ms / next[1]) * next[1]
  const [whole, rest] = [Math.floor(rounded / unit[1]), Math.round((rounded % unit[1]) / next[1])]
  return rest === 0 ? `${whole} ${unit[0]}` : `${whole} ${unit[0]} ${rest} ${next[0]}`
}
