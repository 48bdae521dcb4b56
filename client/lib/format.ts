const numbers = new Intl.NumberFormat('en')

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** "1 device", "1,240 devices". */
export function count(value: number, noun: string): string {
  return `${numbers.format(value)} ${noun}${value === 1 ? '' : 's'}`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** DD-MMM-YYYY (§9), in the browser's time zone. */
export function formatDate(iso: string): string {
  const date = new Date(iso)
  const day = String(date.getDate()).padStart(2, '0')
  return `${day}-${MONTHS[date.getMonth()]}-${date.getFullYear()}`
}

export function initials(fullName: string): string {
  const words = fullName.split(/[\s._@-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => word?.[0]?.toUpperCase() ?? '').join('') || '?'
}

// §9: truncation lengths.
const CLIP_CHARACTERS = { mobile: 35, desktop: 39 } as const

/** The text as it shows when it is longer than §9 allows; null when it fits. */
export function clipped(text: string, layout: keyof typeof CLIP_CHARACTERS): string | null {
  const characters = [...text]
  const limit = CLIP_CHARACTERS[layout]
  return characters.length > limit ? `${characters.slice(0, limit).join('').trimEnd()}…` : null
}

/** A device in a list to choose from: names are not unique, so its project and host go with it. */
export function deviceOption(device: {
  deviceUuid: string
  deviceName: string
  projectName: string | null
  hostId: string
}) {
  const { deviceUuid: id, deviceName, projectName, hostId } = device
  return { id, name: [deviceName, projectName, hostId].filter(Boolean).join(' · ') }
}
