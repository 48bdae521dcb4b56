// Refuses cross-site request forgery (RFC 10017, section 6.1, ASVS 3.5): unsafe methods need our header and proof of origin,
// other calls under /api need our header or proof of our own page. Calls without a session cookie need no check: access/
// refuses them.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config/settings.ts'
import { Problem } from '../errors.ts'
import { isSafe } from '../route-facts.ts'
import type { CookieRules } from './sessions/cookies.ts'

/** A header that other origins cannot set without a preflight, which the gateway never answers. */
export const CSRF_HEADER = 'x-portal-csrf'

interface Options {
  config: Pick<Config, 'PUBLIC_URL'>
  cookies: CookieRules
}

export const csrfPlugin = fp(async (app: FastifyInstance, { config, cookies }: Options) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.caller?.kind === 'bearer') return done()
    const isPublic = request.routeOptions.config.access === 'public'
    const needsCheck = isPublic ? !isSafe(request.method) : carriesSession(request)
    done(needsCheck && !isOurPage(request, config.PUBLIC_URL) ? crossSite() : undefined)
  })

  /** Also true for invalid cookies: another site must not learn which cookies are valid. */
  function carriesSession({ headers, caller }: FastifyRequest): boolean {
    return caller != null || (headers.cookie ?? '').includes(`${cookies.names.session}=`)
  }
})

function crossSite(): Problem {
  return new Problem(403, 'cross_site', {
    title: 'Not allowed',
    detail: 'This call did not come from the portal.'
  })
}

function isOurPage(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  const hasHeader = request.headers[CSRF_HEADER] === '1'
  if (isSafe(request.method)) {
    // Browsers send `none` for an address that the person typed or pasted, or a bookmark: no other page can cause that.
    const isOpened = site === 'none' && request.routeOptions.config.opensInBrowser === true
    return hasHeader || site === 'same-origin' || isOpened
  }
  const isForeign =
    (origin !== undefined && origin !== publicUrl) || (site !== undefined && site !== 'same-origin')
  return hasHeader && !isForeign && (origin === publicUrl || site === 'same-origin')
}
