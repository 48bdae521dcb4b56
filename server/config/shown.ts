// The settings for the log or a terminal, without secrets and passwords.
import { APIS, type Config, SETTINGS } from './settings.ts'

const MASK = '(set)'

/** All settings that have a value; the address of an API only if it differs from `UPSTREAM_URL`. */
export function shownConfig(config: Config): Record<string, unknown> {
  const output: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const value = config[name as keyof typeof SETTINGS]
    if (value !== undefined) output[name] = 'secret' in setting || 'file' in setting ? mask(value) : value
  }
  for (const api of APIS)
    if (config.UPSTREAMS[api] !== config.UPSTREAM_URL) output[`UPSTREAM_${api}_URL`] = config.UPSTREAMS[api]
  return output
}

/** Hides a value. Keeps the host of a Redis address, which helps to find mistakes. */
function mask(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} ${MASK}`
  if (typeof value !== 'string' || !URL.canParse(value)) return MASK
  const { protocol, host, pathname } = new URL(value)
  return /^rediss?:$/.test(protocol) ? `${protocol}//${host}${pathname}` : MASK
}
