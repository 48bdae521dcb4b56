// The built client: hashed files for ever, index.html always anew, and index.html for every address of a screen. It
// alone is answered as a page; see security-headers.ts. An address that is none is 404: a person who asks for it gets
// the client's own page for that, everything else a problem.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problems } from '../errors.ts'

/** Where the addresses of the client's screens begin, without the first slash. */
export const SCREENS = [
  '',
  'auditlog',
  'customers',
  'errors',
  'exports',
  'integrators',
  'logout',
  'registerdevice',
  'reports',
  'signed-out',
  'signin-failed',
  'unsubscribe-email',
  'users'
]
/** Where nothing but the gateway answers, on this port or on the one of operators. */
const NEVER_SCREENS = ['api', 'auth', 'callback', 'healthz', 'metrics', 'readyz']
/** Vite puts files there whose name changes with their content. */
const HASHED = /^assets[/\\]/
const FILE = /\.\w+$/
/** As it is, or compressed. */
const PAGE = /\.html(?:\.\w+)?$/

export const staticPlugin = fp(async (app: FastifyInstance, { root }: { root: string }) => {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forEver = HASHED.test(relative(root, path))
      reply.header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (PAGE.test(path)) reply.asPage()
    }
  })

  const config = { id: 'client', access: 'public' } as const
  app.route({ method: ['GET', 'HEAD'], url: '/*', config, handler: sendFile })

  function sendFile(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*']
    const [first = ''] = path.split('/', 1)
    if (NEVER_SCREENS.includes(first)) throw problems.notFound()
    if (FILE.test(path)) return reply.sendFile(path)
    if (!SCREENS.includes(first)) {
      if (!request.headers.accept?.includes('text/html')) throw problems.notFound()
      reply.code(404)
    }
    if (!existsSync(join(root, 'index.html'))) throw new Error('the client is not built: run npm run build')
    return reply.sendFile('index.html')
  }
})
