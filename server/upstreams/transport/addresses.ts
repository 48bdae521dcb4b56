import type { Api, Config } from '../../config/settings.ts'

interface Address {
  /** The settings that contain the address. */
  settings: string[]
  /** At least one. */
  apis: [Api, ...Api[]]
}

/** The distinct addresses of the upstream APIs. */
export function upstreamAddresses({ UPSTREAMS, UPSTREAM_URL }: Config): Map<string, Address> {
  const addresses = new Map<string, Address>()
  for (const [api, address] of Object.entries(UPSTREAMS) as [Api, string][]) {
    const setting = address === UPSTREAM_URL ? 'UPSTREAM_URL' : `UPSTREAM_${api}_URL`
    const known = addresses.get(address)
    if (known === undefined) addresses.set(address, { settings: [setting], apis: [api] })
    else {
      known.apis.push(api)
      if (!known.settings.includes(setting)) known.settings.push(setting)
    }
  }
  return addresses
}
