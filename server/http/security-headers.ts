// Sets security headers: answers run no scripts and cannot be framed. Only `asPage` allows our own scripts and styles, for the
// client's page.
import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config/settings.ts'
import { DATA_HEADERS } from '../errors.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sets the headers of the client's page. Must be used only for that page. */
    asPage(): FastifyReply
  }
}

/** Must be registered before hooks that may refuse a request. */
export const securityPlugin = fp(async (app: FastifyInstance, { config }: { config: Config }) => {
  const isHttps = config.PUBLIC_URL.startsWith('https:')
  const dataHeaders = {
    ...DATA_HEADERS,
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {})
  }
  const pageHeaders = {
    ...dataHeaders,
    'content-security-policy': pagePolicy(config.LOGOUT_URLS ?? []),
    'origin-agent-cluster': '?1',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0'
  }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(dataHeaders)
    done()
  })
  app.decorateReply('asPage', function asPage(this: FastifyReply) {
    return this.headers(pageHeaders)
  })
})

/** Content Security Policy Level 3. @param logoutUrls the only pages that are framed */
function pagePolicy(logoutUrls: readonly string[]): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-src': logoutUrls.length > 0 ? logoutUrls.map(sourceOf) : ["'none'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"]
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';')
}

/** An address as a policy source: without the query, which policies ignore, and without separators (CSP3, section 2.3.1). */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}
