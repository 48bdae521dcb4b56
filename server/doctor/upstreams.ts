// Checks whether the upstream APIs can be reached. Accepts any answer below 500, because the check has no token.
import type { Config } from '../config/settings.ts'
import { upstreamAddresses } from '../upstreams/transport/addresses.ts'
import { networkRemedy } from './remedies.ts'

/** Status from a server that does not support HEAD (RFC 9110, section 15.6.2). */
const NOT_IMPLEMENTED = 501

/** For each address, the problem and its fix, or null if the address can be reached. Never rejects. */
export async function probeUpstreams(config: Config, timeoutMs: number): Promise<Map<string, string | null>> {
  const probes = [...upstreamAddresses(config)].map(
    async ([address, settings]) =>
      [address, await problemOf(address, timeoutMs, settings.join(', '))] as const
  )
  return new Map(await Promise.all(probes))
}

async function problemOf(address: string, timeoutMs: number, settings: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const { status, body } = await fetch(address, { method: 'HEAD', redirect: 'manual', signal })
    await body?.cancel()
    return status < 500 || status === NOT_IMPLEMENTED
      ? null
      : `it answers ${status}, or a proxy in front of it does: check ${settings}`
  } catch (error) {
    return networkRemedy(error, settings)
  }
}
