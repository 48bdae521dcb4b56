export function formatNumber(value: number): string {
  return value.toLocaleString('en')
}

/** "1 device", "1,240 devices". */
export function count(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `SECRET_GENERATED` → "Secret generated". */
export const codeLabel = (code: string) => capitalized(code.toLowerCase().replaceAll('_', ' '))

export function initials(fullName: string): string {
  const words = fullName.split(/[\s._@-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => word?.[0]?.toUpperCase() ?? '').join('') || '?'
}

/** A device as an option. Its name includes project and host, because device names are not unique. */
export function deviceOption(device: {
  deviceUuid: string
  deviceName: string
  projectName: string | null
  hostId: string
}) {
  const { deviceUuid: id, deviceName, projectName, hostId } = device
  return { id, name: [deviceName, projectName, hostId].filter(Boolean).join(' · ') }
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** "84 MB", "1.2 GB", in decimal units. */
export function formatBytes(bytes: number): string {
  const unitIndex = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const value = bytes / 1000 ** unitIndex
  const digits = unitIndex > 0 && value < 10 ? 1 : 0
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[unitIndex]}`
}
