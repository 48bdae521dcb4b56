// Reads when the certificates of the public address, the authority and the upstreams expire, for an alert.
import { connect } from 'node:tls'
import type { Config } from '../config/settings.ts'
import type { Clock } from '../types.ts'
import { upstreamAddresses } from '../upstreams/transport/addresses.ts'

const LOOK_EVERY_MS = 60 * 60_000
const CONNECT_TIMEOUT_MS = 5_000
const HTTPS_PORT = 443

/** Returns certificate expiries in milliseconds since 1970 by `host:port`. Reads them again once an hour, without waiting. */
export function watchedCertificates(config: Config, clock: Clock): () => ReadonlyMap<string, number> {
  const addresses = [config.PUBLIC_URL, config.OIDC_ISSUER, ...upstreamAddresses(config).keys()]
  const urls = addresses.map((address) => new URL(address)).filter(({ protocol }) => protocol === 'https:')
  const servers = new Map(
    urls.map(({ hostname, port }) => [`${hostname}:${port || HTTPS_PORT}`, { hostname, port }])
  )
  const expiries = new Map<string, number>()
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (Math.abs(clock() - lookedAt) >= LOOK_EVERY_MS) {
      lookedAt = clock()
      for (const [name, { hostname, port }] of servers)
        expiryOf(hostname, Number(port) || HTTPS_PORT).then(
          (expiry) => expiries.set(name, expiry),
          () => expiries.delete(name)
        )
    }
    return expiries
  }
}

/** The expiry of a server's certificate, which may be untrusted or expired. Rejects if the server does not answer. */
function expiryOf(hostname: string, port: number): Promise<number> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host, port, servername: host, rejectUnauthorized: false, timeout: CONNECT_TIMEOUT_MS },
      () => {
        resolve(Date.parse(socket.getPeerCertificate().valid_to))
        socket.destroy()
      }
    )
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
  })
}
