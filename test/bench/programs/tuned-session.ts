// What the gateway is compared with as a whole: a session, one check of a role in it, the token of the session upstream, by
// @fastify/session and @fastify/http-proxy. The same pools as the gateway's, and no line in a log for a call.
import fastifyHttpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'
import { tunedSession } from '../tuned-session.ts'

const { PORT, UPSTREAM_URL = '', REDIS_URL = '', SESSION_SECRET = '' } = process.env
const ROLE = 'partner_user'

const app = Fastify()
await app.register(tunedSession, { redisUrl: REDIS_URL, secret: SESSION_SECRET })
await app.register(fastifyHttpProxy, {
  upstream: UPSTREAM_URL,
  undici: { connections: 64, pipelining: 1 },
  disableRequestLogging: true,
  async preHandler(request, reply) {
    const { person } = request.session
    if (!person?.user.roleAssignments.some(({ role }) => role === ROLE)) return reply.code(403).send()
  },
  replyOptions: {
    rewriteRequestHeaders: ({ session }, headers) => ({
      ...headers,
      authorization: `Bearer ${session.tokens?.access}`
    })
  }
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
