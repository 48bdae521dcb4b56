// GET /api/openapi.json: everything that an internal service may call here. For the signed-in only: nobody else can
// use it, and it lists what there is to attack. It is made once, of the routes that this deployment really has.
import { createHash } from 'node:crypto'
import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import Type, { type TObject } from 'typebox'
import { VERSION_LINE } from '#shared/limits.ts'
import type { Config } from '../config.ts'
import type { Access, RouteDocs } from '../types.ts'
import { type About, type DescribedRoute, describeApi } from './openapi-document.ts'

interface Options {
  config: Config
  sessionCookie: string
  csrfHeader: string
  describeAccess: (access: Access) => DescribedRoute['access']
}

const DOCS: RouteDocs = {
  area: { name: 'Description', description: 'This document.' },
  summary: 'Describe the API',
  description: 'Lists what this deployment has: calls whose feature flag is off are not there.',
  headers: Type.Object({
    'if-none-match': Type.Optional(Type.String({ description: 'The `ETag` of the document at hand.' }))
  }),
  answers: {
    200: {
      description: 'The OpenAPI document.',
      schema: Type.Object({ openapi: Type.String() }),
      example: { openapi: '3.1.1' },
      headers: { ETag: 'Names exactly this document.' }
    },
    304: { description: 'The document at hand is still the same.' }
  }
}

/** Must be registered before the routes that it describes, in their scope. */
export const openapiPlugin = fp(async (app: FastifyInstance, options: Options) => {
  const routes: DescribedRoute[] = []
  let document = ''
  let etag = ''

  app.addHook('onRoute', (route) => {
    routes.push(...[route.method].flat().flatMap((method) => described(method, route, options)))
  })
  app.addHook('onReady', async () => {
    document = JSON.stringify(describeApi(routes, aboutOf(options)))
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
})

function described(
  method: string,
  { url, config, schema }: RouteOptions,
  { describeAccess }: Options
): DescribedRoute[] {
  const { id, access, docs, takes, upstreamProves } = config ?? {}
  if (id === undefined || access === undefined || docs === undefined) return []
  const params = schema?.params as TObject | undefined
  const query = takes?.query ?? (schema?.querystring as TObject | undefined)
  return [
    {
      id,
      method,
      url,
      docs,
      params,
      query,
      body: takes?.body,
      upstreamProves,
      access: describeAccess(access)
    }
  ]
}

const DESCRIPTION = `Aggregated endpoints, and the calls of the upstream APIs that are passed on at their own paths.

- **Callers** are internal services with a JWT access token, and the portal's own client with its session cookie.
- **Access** is decided by the caller's roles: each operation names the action that it needs (\`x-portal-action\`) and \
where (\`x-portal-scope\`). A role held at a scope holds at every scope below it.
- **x-customer-id** says where to look, for calls whose path names only an object.
- **Errors** are RFC 9457 problems, with the upstream's \`code\` where it gave one.
- **Unknown fields** of a call are refused, in its query and its body: what goes upstream is only what is described here. \
Those of an answer are passed on: readers must ignore what they do not know.`

function aboutOf({ config, sessionCookie, csrfHeader }: Options): About {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = config
  const meant = audience === undefined ? 'This deployment accepts none' : `Its audience is \`${audience}\``
  return {
    title: 'Cloud management portal',
    version: VERSION_LINE,
    description: DESCRIPTION,
    url: config.PUBLIC_URL,
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
    },
    securityOf: (method) => [
      { bearer: [method === 'GET' ? 'ncp:read' : 'ncp:write'] },
      { cookie: [], csrf: [] }
    ]
  }
}
