// GET /api/openapi.json: every call that an internal service may make, described by @fastify/swagger from what the routes
// of this deployment declare; and /api/docs, the same to read. Only for signed-in callers: nobody else can use it, and it
// lists what can be attacked.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import Type from 'typebox'
import { VERSION_LINE } from '#shared/limits.ts'
import type { Config } from '../config/settings.ts'
import type { RouteDocs } from '../types.ts'
import { describedBy } from './document.ts'
import type { DescribeAccess } from './operation.ts'
import { type ReferenceDocument, referenceOf } from './reference.ts'

interface Options {
  config: Config
  sessionCookie: string
  csrfHeader: string
  describeAccess: DescribeAccess
}

const DOCS: RouteDocs = {
  area: { name: 'Description', description: 'This document.' },
  summary: 'Describe the API',
  alone: true,
  description: 'Lists what this deployment has: calls whose feature flag is off are not there.',
  headers: {
    'if-none-match': Type.Optional(Type.String({ description: 'The `ETag` of the document at hand.' }))
  },
  answers: {
    200: {
      description: 'The OpenAPI document.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      headers: { ETag: 'Names exactly this document.' }
    },
    304: { description: 'The document at hand is still the same.' }
  }
}

/** The page is empty without its content, which is not public. */
const REFERENCE_FILES = [
  ['docs', '/api/docs', 'reference.html', 'text/html; charset=utf-8'],
  ['docs.css', '/api/docs/reference.css', 'reference.css', 'text/css; charset=utf-8'],
  ['docs.js', '/api/docs/reference.js', 'reference.js', 'text/javascript; charset=utf-8']
] as const

/** Must be registered before the routes that it describes, in their scope. */
export const openapiPlugin = fp(async (app: FastifyInstance, options: Options) => {
  let document = ''
  let reference = ''
  let etag = ''

  await app.register(swagger, swaggerOptions(options))
  app.addHook('onReady', async () => {
    document = JSON.stringify(app.swagger())
    reference = referenceOf(JSON.parse(document) as ReferenceDocument)
    etag = `"${createHash('sha256').update(document).digest('base64url').slice(0, 27)}"`
  })

  app.get(
    '/api/openapi.json',
    { config: { id: 'openapi', access: 'signed-in', docs: DOCS } },
    async (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(document)
    }
  )
  app.get(
    '/api/docs/content',
    { config: { id: 'docs.content', access: 'signed-in' } },
    async (_request, reply) =>
      reply.header('cache-control', 'private, no-cache').type('text/html; charset=utf-8').send(reference)
  )
  for (const [id, path, file, type] of REFERENCE_FILES) {
    const content = readFileSync(new URL(file, import.meta.url))
    app.get(path, { config: { id, access: 'public' } }, async (_request, reply) =>
      reply.asPage().header('cache-control', 'no-cache').type(type).send(content)
    )
  }
})

const DESCRIPTION = `Aggregated endpoints, and the calls of the upstream APIs that are passed on at their own paths.

- **Callers** are internal services with a JWT access token, and the portal's own client with its session cookie.
- **Access** is decided by the caller's roles: each operation names the action that it needs (\`x-portal-action\`) and \
where (\`x-portal-scope\`). A role held at a scope holds at every scope below it.
- **x-customer-id** says where to look, for calls whose path names only an object.
- **Errors** are RFC 9457 problems, with the upstream's \`code\` where it gave one.
- **Unknown fields** of a call are refused, in its query and its body: what goes upstream is only what is described here. \
Those of an answer are passed on: readers must ignore what they do not know.`

function swaggerOptions({ config, sessionCookie, csrfHeader, describeAccess }: Options) {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = config
  const meant = audience === undefined ? 'This deployment accepts none' : `Its audience is \`${audience}\``
  return {
    ...describedBy(describeAccess),
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.1',
      info: { title: 'Cloud management portal', version: VERSION_LINE, description: DESCRIPTION },
      servers: [{ url: config.PUBLIC_URL }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `JWT access token (RFC 9068) of the authority ${issuer}, with the scope \`ncp:read\` for GET and \`ncp:write\` for all other methods. ${meant}.`
          },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: 'The session of a person who has signed in with a browser.'
          },
          csrf: {
            type: 'apiKey',
            in: 'header',
            name: csrfHeader,
            description:
              'Always `1`, with the cookie. Methods that change something need a same-origin `Origin` or `Sec-Fetch-Site` too.'
          }
        }
      }
    }
  } satisfies FastifyDynamicSwaggerOptions
}
