// Serves /api/openapi.json, which describes all calls of internal services, the same as a page at /api/docs, and a typed client
// at /api/client.ts. Builds each from the routes of this deployment when somebody first asks for it. Only for signed-in callers,
// because the list of routes helps attackers.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import Type from 'typebox'
import { VERSION_LINE } from '#shared/limits.ts'
import type { Config } from '../config/settings.ts'
import { once } from '../once.ts'
import type { RouteDocs } from '../types.ts'
import { clientSource } from './client/source.ts'
import { describedBy, type OpenApi } from './document.ts'
import type { DescribeAccess } from './operation.ts'
import { referenceOf } from './reference.ts'

interface Options {
  config: Config
  sessionCookie: string
  csrfHeader: string
  describeAccess: DescribeAccess
}

const DOCS: RouteDocs = {
  area: { name: 'Description', description: 'The API description itself.' },
  summary: 'Describe the API',
  description: 'Lists the calls of this deployment, without those whose feature flag is off.',
  headers: {
    'if-none-match': Type.Optional(
      Type.String({ description: 'The `ETag` of the document that the caller has.' })
    )
  },
  answers: {
    200: {
      description: 'The OpenAPI document.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      headers: { ETag: 'Identifies this version of the document.' }
    },
    304: { description: 'The document has not changed.' }
  }
}

/** The public files of the reference page. The content of the page needs a session. */
const REFERENCE_FILES = [
  ['docs', '/api/docs', 'reference.html', 'text/html; charset=utf-8'],
  ['docs.css', '/api/docs/reference.css', 'reference.css', 'text/css; charset=utf-8'],
  ['docs.js', '/api/docs/reference.js', 'reference.js', 'text/javascript; charset=utf-8']
] as const

/** Must be registered before the routes that it describes, in their scope. */
export const openapiPlugin = fp(async (app: FastifyInstance, options: Options) => {
  await app.register(swagger, swaggerOptions(options))
  const document = once(() => tagged(JSON.stringify(app.swagger())))
  const parsed = () => JSON.parse(document().text) as OpenApi
  const reference = once(() => referenceOf(parsed()))
  const client = once(() => tagged(clientSource(parsed())))

  app.get(
    '/api/openapi.json',
    { config: { id: 'openapi', access: 'signed-in', docs: DOCS } },
    async (request, reply) => sendTagged(request, reply, 'application/json; charset=utf-8', document())
  )
  app.get('/api/client.ts', { config: { id: 'docs.client', access: 'signed-in' } }, async (request, reply) =>
    sendTagged(request, reply, 'text/plain; charset=utf-8', client())
  )
  app.get(
    '/api/docs/content',
    { config: { id: 'docs.content', access: 'signed-in' } },
    async (_request, reply) =>
      reply.header('cache-control', 'private, no-cache').type('text/html; charset=utf-8').send(reference())
  )
  for (const [id, path, file, type] of REFERENCE_FILES) {
    const content = readFileSync(new URL(file, import.meta.url))
    app.get(path, { config: { id, access: 'public' } }, async (_request, reply) =>
      reply.asPage().header('cache-control', 'no-cache').type(type).send(content)
    )
  }
})

interface Tagged {
  text: string
  etag: string
}

const tagged = (text: string): Tagged => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
})

/** Sends a text, or 304 to a caller who has it. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, type: string, { text, etag }: Tagged) {
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type(type).send(text)
}

const DESCRIPTION = `Aggregated endpoints, and upstream calls that the gateway forwards at their own paths.

- **Callers** are internal services with a JWT access token, and the portal's own client with its session cookie.
- **Access** is decided by the caller's roles: each operation names the action that it needs (\`x-portal-action\`) and \
the scope (\`x-portal-scope\`). A role held at a scope holds at every scope below it.
- **x-customer-id** names the customer that has the object, in calls whose path names no customer.
- **Errors** are RFC 9457 problems, with the upstream's \`code\` if it gave one.
- **Limits** of calls are told to access tokens in each answer, by the headers \`RateLimit-Policy\` and \`RateLimit\` \
(draft-ietf-httpapi-ratelimit-headers-11).
- **Unknown fields** in the query or body of a call are refused: only described fields go upstream. \
Unknown fields of an answer are forwarded: clients must ignore them.`

function swaggerOptions({ config, sessionCookie, csrfHeader, describeAccess }: Options) {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = config
  const audienceText =
    audience === undefined ? 'This deployment accepts none' : `Its audience is \`${audience}\``
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
            description: `JWT access token (RFC 9068) of the authority ${issuer}, with the scope \`ncp:read\` for GET and \`ncp:write\` for all other methods. ${audienceText}.`
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
              'Always `1`. Needed with the cookie. Methods that change something need a same-origin `Origin` or `Sec-Fetch-Site` too.'
          }
        }
      }
    }
  } satisfies FastifyDynamicSwaggerOptions
}
