// Whether the upstream APIs can be reached: any HTTP answer will do, for nobody's token is at hand to ask for more.
import type { Config } from '../config.ts'

/** A network failure in few words. */
export function reasonOf(error: unknown): string {
  const { cause, name, message } = error as { cause?: { code?: string; message?: string } } & Error
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? cause?.message ?? message
}

/** The distinct addresses of the upstream APIs, each with the settings that lead there. */
export function upstreamAddresses({ UPSTREAMS, UPSTREAM_URL }: Config): Map<string, string[]> {
  const addresses = new Map<string, string[]>()
  for (const [api, address] of Object.entries(UPSTREAMS)) {
    const setting = address === UPSTREAM_URL ? 'UPSTREAM_URL' : `UPSTREAM_${api}_URL`
    const known = addresses.get(address) ?? []
    if (!known.includes(setting)) addresses.set(address, [...known, setting])
  }
  return addresses
}

/** Null when the address answers, otherwise why it does not. Never rejects. */
export async function whyUnreachable(address: string, timeoutMs: number): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(address, { method: 'HEAD', redirect: 'manual', signal })
    await answer.body?.cancel()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}
