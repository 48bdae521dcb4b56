// The built client: hashed files for ever, index.html always anew, and index.html for every address of a screen. These
// files alone are answered as a page; see security.ts.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problems } from '../errors.ts'

/** Addresses, decoded and without the first slash, under which nothing but the gateway answers. */
const NO_SCREENS = /^(?:api|auth|callback)(?:\/|$)/
/** Vite puts files there whose name changes with their content. */
const HASHED = /^assets[/\\]/
const FILE = /\.\w+$/

export const staticPlugin = fp(async (app: FastifyInstance, { root }: { root: string }) => {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forEver = HASHED.test(relative(root, path))
      reply.asPage().header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache')
    }
  })

  const config = { id: 'client', access: 'public' } as const
  app.route({ method: ['GET', 'HEAD'], url: '/*', config, handler: sendFile })

  function sendFile(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*']
    if (NO_SCREENS.test(path)) throw problems.notFound()
    if (FILE.test(path)) return reply.sendFile(path)
    if (!existsSync(join(root, 'index.html'))) throw new Error('the client is not built: run npm run build')
    return reply.sendFile('index.html')
  }
})
