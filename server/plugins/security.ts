// Response headers that keep the browser strict: only our own scripts and styles, never inside a foreign frame.
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'

export const securityPlugin = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const ofPages = await headersBy(rules(config))
  const ofData = Object.fromEntries(
    Object.entries({ ...ofPages, 'content-security-policy': DATA_POLICY }).filter(([name]) =>
      DATA_HEADERS.includes(name)
    )
  )
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/api/') ? ofData : ofPages)
    done()
  })
})

/** What is no page needs to be kept from being taken for one; the other headers say nothing about it. */
const DATA_HEADERS = [
  'content-security-policy',
  'cross-origin-resource-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options'
]
const DATA_POLICY = "default-src 'none';frame-ancestors 'none'"

function rules(config: Config): FastifyHelmetOptions {
  const https = config.PUBLIC_URL.startsWith('https:')
  const logoutPages = (config.LOGOUT_URLS ?? []).map(sourceOf)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: logoutPages.length > 0 ? logoutPages : ["'none'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"]
      }
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' }
  }
}

/** An address as the policy names it: without its query, which policies do not compare, and without what would end the name (CSP3 §2.3.1). */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

/** What helmet answers with, asked once: it depends on no request. */
async function headersBy(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const asked = Fastify()
  await asked.register(helmet, options)
  asked.get('/', (_request, reply) => reply.send(reply.getHeaders()))
  const headers = (await asked.inject('/')).json()
  await asked.close()
  return headers
}
