// Warns once for each address whose X-Forwarded-For is ignored: mostly TRUST_PROXY names the wrong network, and then the log and
// the rate limits take the proxy for every client.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** Clients can send the header themselves, from many addresses. */
const WARNINGS_MAX = 20

export const ignoredProxies = fp(async (app: FastifyInstance) => {
  const peers = new Set<string>()
  app.addHook('onRequest', (request, _reply, done) => {
    const forwardedFor = request.headers['x-forwarded-for']
    const peer = request.socket.remoteAddress
    // The address of a trusted peer is replaced by that of its client.
    const isIgnored = forwardedFor !== undefined && peer !== undefined && request.ip === peer
    if (isIgnored && peers.size < WARNINGS_MAX && !peers.has(peer) && !endsWith(forwardedFor, peer)) {
      peers.add(peer)
      app.log.warn(
        { peer },
        'ignores X-Forwarded-For of this address: if it is your proxy, add it to TRUST_PROXY'
      )
    }
    done()
  })
})

/** Whether a trusted proxy reports itself as the client. */
const endsWith = (forwardedFor: string | string[], peer: string) =>
  [forwardedFor].flat().join(',').split(',').at(-1)?.trim() === peer
