// Response headers that keep the browser strict: data runs nothing and is framed by nobody. The client's page alone, with
// its files, gets a policy that lets our own scripts and styles run; whoever sends it says so.
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { DATA_HEADERS } from '../errors.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Gives the answer the policy of the client's page. Nothing else may be answered with it. */
    asPage(): FastifyReply
  }
}

const HSTS = 'strict-transport-security'

/** Must come before whatever may refuse a request. */
export const securityPlugin = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const ofPages = await headersBy(rules(config))
  const { [HSTS]: hsts } = ofPages
  const ofData = hsts === undefined ? DATA_HEADERS : { ...DATA_HEADERS, [HSTS]: hsts }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(ofData)
    done()
  })
  app.decorateReply('asPage', function asPage(this: FastifyReply) {
    return this.headers(ofPages)
  })
})

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
