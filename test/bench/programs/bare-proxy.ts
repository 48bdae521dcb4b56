// The baseline for the gateway: @fastify/http-proxy alone, with pools like the gateway's.
import fastifyHttpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'

const { PORT, UPSTREAM_URL = '' } = process.env

const app = Fastify()
await app.register(fastifyHttpProxy, {
  upstream: UPSTREAM_URL,
  undici: { connections: 64, pipelining: 1 },
  disableRequestLogging: true
})
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
