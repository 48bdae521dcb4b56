import type { Config } from '../../config/settings.ts'

/** The distinct addresses of the upstream APIs, each with the settings that contain it. */
export function upstreamAddresses({ UPSTREAMS, UPSTREAM_URL }: Config): Map<string, string[]> {
  const addresses = new Map<string, string[]>()
  for (const [api, address] of Object.entries(UPSTREAMS)) {
    const setting = address === UPSTREAM_URL ? 'UPSTREAM_URL' : `UPSTREAM_${api}_URL`
    const settings = addresses.get(address) ?? []
    if (!settings.includes(setting)) addresses.set(address, [...settings, setting])
  }
  return addresses
}
