// Serves the built client: hashed files that never change, and index.html for every address of a screen, prepared by page.ts.
// Answers 404 to an unknown address: browsers get the client's page, other callers a problem.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { ALL_SCREENS } from '#shared/first-calls.ts'
import { problems } from '../errors.ts'
import { type PageOptions, pagePreparer } from './page.ts'

/** First segments of screens that need no session. */
export const PUBLIC_SEGMENTS = ['logout', 'signed-out', 'signin-failed']
/** First segments of the client's screens. */
export const SCREEN_SEGMENTS = [
  ...new Set(ALL_SCREENS.map(({ path }) => path.split('/')[1] ?? '')),
  ...PUBLIC_SEGMENTS,
  'errors',
  'unsubscribe-email'
]
/** First segments of the gateway's own routes, on this port or the operators' port. */
const OWN_SEGMENTS = ['api', 'auth', 'callback', 'healthz', 'metrics', 'readyz']
/** Files of Vite, whose names change with their content. */
const HASHED = /^assets[/\\]/
/** Options for files that never change and so need no validators. Saves 100 bytes of headers per file. */
const WITHOUT_VALIDATORS = { etag: false, lastModified: false, acceptRanges: false }
const FILE = /\.\w+$/
/** An HTML file, plain or compressed. */
const PAGE = /\.html(?:\.\w+)?$/

export const staticPlugin = fp(async (app: FastifyInstance, options: PageOptions) => {
  const { root } = options
  const prepare = pagePreparer(app, options)
  await app.register(fastifyStatic, {
    root,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isImmutable = HASHED.test(relative(root, path))
      reply.header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (PAGE.test(path)) reply.asPage()
    }
  })

  const config = { id: 'client', access: 'public' } as const
  app.route({ method: ['GET', 'HEAD'], url: '/*', config, handler: sendFile })

  async function sendFile(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*']
    const [firstSegment = ''] = path.split('/', 1)
    if (OWN_SEGMENTS.includes(firstSegment)) throw problems.notFound()
    if (FILE.test(path)) return reply.sendFile(path, HASHED.test(path) ? WITHOUT_VALIDATORS : {})
    if (!SCREEN_SEGMENTS.includes(firstSegment)) {
      if (!request.headers.accept?.includes('text/html')) throw problems.notFound()
      reply.code(404)
    }
    if (!existsSync(join(root, 'index.html'))) throw new Error('The client is not built. Run npm run build.')
    const page = PUBLIC_SEGMENTS.includes(firstSegment) ? null : await prepare(request)
    if (page === null) return reply.sendFile('index.html')
    reply.asPage().type('text/html; charset=utf-8').header('cache-control', 'no-store')
    if (!new Negotiator(request.raw).encoding(['br'])) return reply.send(page)
    return reply.header('content-encoding', 'br').send(await compress(page))
  }
})

/**
 * Compression is safe although the page contains parts of its address and personal data (BREACH): it contains no token, and
 * the session cookie is SameSite=Strict, so other sites cannot request prepared pages to compare their lengths.
 */
function compress(page: string): Promise<Buffer> {
  return promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}
