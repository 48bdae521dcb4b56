const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** "84 MB", "1.2 GB"; units of a thousand. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const value = bytes / 1000 ** step
  const digits = step > 0 && value < 10 ? 1 : 0
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[step]}`
}
