// Calls that another site makes a browser send are refused (RFC 10017 §6.1, ASVS 3.5): with a cookie, unsafe methods
// need our header and proof of origin, and every other call under /api our header or proof that it is our own page.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Problem } from '../errors.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** The header cannot be set across origins without a preflight, which is never answered. */
export const CSRF_HEADER = 'x-portal-csrf'

export const csrfPlugin = fp(async (app: FastifyInstance, { publicUrl }: { publicUrl: string }) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.caller?.kind === 'bearer') return done()
    const guarded = request.routeOptions.config.access !== 'public' || !SAFE_METHODS.includes(request.method)
    done(guarded && !isOurPage(request, publicUrl) ? crossSite() : undefined)
  })
})

function crossSite(): Problem {
  return new Problem(403, 'cross_site', {
    title: 'Not allowed',
    detail: 'This call did not come from the portal.'
  })
}

function isOurPage(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  const header = request.headers[CSRF_HEADER] === '1'
  if (SAFE_METHODS.includes(request.method)) return header || site === 'same-origin'
  const foreign =
    (origin !== undefined && origin !== publicUrl) || (site !== undefined && site !== 'same-origin')
  return header && !foreign && (origin === publicUrl || site === 'same-origin')
}
