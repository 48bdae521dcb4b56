/** The usual BACnet bands of the priorities 1 to 255; 1 is the most urgent. */
export const BANDS = [
  { id: 'critical', label: 'Critical', from: 1, to: 63 },
  { id: 'high', label: 'High', from: 64, to: 127 },
  { id: 'medium', label: 'Medium', from: 128, to: 191 },
  { id: 'low', label: 'Low', from: 192, to: 255 }
] as const

export function bandOf(priority: number): (typeof BANDS)[number] | null {
  return BANDS.find(({ from, to }) => priority >= from && priority <= to) ?? null
}
