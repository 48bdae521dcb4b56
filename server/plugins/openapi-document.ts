// openapi.json (OpenAPI 3.1), made of what the routes declare: path, access, request schemas and docs. Pure.
// Which calls exist, and who may make them, is decided by the routes; here it is only told.
import Type, { type TObject, type TSchema } from 'typebox'
import type { Answer, Media, RouteDocs } from '../types.ts'
import { problemResponses, refusalsOf } from './openapi-problems.ts'

export interface DescribedRoute {
  id: string
  method: string
  url: string
  docs: RouteDocs
  /** The schemas that check its requests. */
  params?: TObject | undefined
  query?: TObject | undefined
  body?: TSchema | undefined
  /** Identifiers that only the upstream can prove. */
  upstreamProves?: readonly string[] | undefined
  access: { action: string; scope: string | null; claims: boolean; text: string }
}

export interface About {
  title: string
  version: string
  description: string
  url: string
  securitySchemes: Record<string, object>
  /** What proves a caller: each alternative needs all of its schemes. */
  securityOf: (method: string) => Record<string, string[]>[]
}

type Components = Record<string, unknown>
type Json = Record<string, unknown>

const CUSTOMER_HEADER = {
  name: 'x-customer-id',
  in: 'header',
  required: true,
  description:
    'Id of the customer (or of the organization, for what belongs to no customer) that has the object of the call: where to look for it. It gives no access: the object must belong there, otherwise 404, and access is decided on the scope where it was found.',
  schema: { type: 'string' },
  example: '9'
}

/** The whole document, in the order of the routes. */
export function describeApi(routes: readonly DescribedRoute[], about: About): Json {
  const schemas: Components = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.url.replace(/::|:(\w+)/g, (_, name) => (name ? `{${name}}` : ':'))
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, about, schemas) }
  }
  const responses = inPlace(problemResponses(), schemas)
  const { title, version, description, url, securitySchemes } = about
  return {
    openapi: '3.1.1',
    info: { title, version, description },
    servers: [{ url }],
    tags: [...new Map(routes.map(({ docs }) => [docs.area.name, docs.area])).values()],
    paths,
    components: { schemas, responses, parameters: { CustomerId: CUSTOMER_HEADER }, securitySchemes }
  }
}

function operationOf(route: DescribedRoute, about: About, schemas: Components): Json {
  const { id, method, docs, access, body } = route
  const { area, summary, description, answers } = docs
  const parameters = [
    ...(access.claims ? [{ $ref: '#/components/parameters/CustomerId' }] : []),
    ...parametersOf('path', docs.params ?? route.params),
    ...parametersOf('query', route.query),
    ...parametersOf('header', docs.headers)
  ]
  const responses = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])
  const has = {
    body: body !== undefined,
    parameters: parameters.length > 0,
    object: access.scope !== null && access.scope !== 'root' && access.scope !== 'anywhere'
  }
  const operation = {
    operationId: id,
    tags: [area.name],
    summary,
    description: [description, unprovedText(route), access.text]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    'x-portal-action': access.action,
    ...(access.scope === null ? {} : { 'x-portal-scope': access.scope }),
    security: about.securityOf(method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: bodyOf(body, docs.example) }),
    responses: { ...Object.fromEntries(responses), ...refusalsOf(docs, has) }
  }
  return inPlace(operation, schemas) as Json
}

function bodyOf(schema: TSchema, example: unknown): Json {
  return { required: !Type.IsOptional(schema), content: { 'application/json': { schema, example } } }
}

function unprovedText({ upstreamProves = [] }: DescribedRoute): string | undefined {
  if (upstreamProves.length === 0) return undefined
  return `Passed on unproved, as only the API behind knows what they belong to: ${upstreamProves.map((name) => `\`${name}\``).join(', ')}.`
}

function parametersOf(where: 'path' | 'query' | 'header', parameters: TObject | undefined): Json[] {
  const required: readonly string[] = parameters?.required ?? []
  return Object.entries(parameters?.properties ?? {}).map(([name, declared]) => {
    const { description, ...schema } = declared as Json
    return {
      name,
      in: where,
      required: required.includes(name) && schema.default === undefined,
      ...(description === undefined ? {} : { description }),
      schema
    }
  })
}

function responseOf({ description, headers, schema, example, otherwise }: Answer): Json {
  const content: Record<string, Media> = {
    ...(schema === undefined ? {} : { 'application/json': { schema, example } }),
    ...otherwise
  }
  const named = Object.entries(headers ?? {}).map(([name, meaning]) => [
    name,
    { description: meaning, schema: { type: 'string' } }
  ])
  return {
    description,
    ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {})
  }
}

/** With every schema that has an `$id` moved to the components and a reference in its place. Examples stay as they are. */
function inPlace(node: unknown, schemas: Components): unknown {
  if (Array.isArray(node)) return node.map((one) => inPlace(one, schemas))
  if (typeof node !== 'object' || node === null) return node
  const { $id, ...rest } = node as Json
  const placed = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'example' ? value : inPlace(value, schemas)])
  )
  if (typeof $id !== 'string') return placed
  if (schemas[$id] !== undefined && JSON.stringify(schemas[$id]) !== JSON.stringify(placed))
    throw new Error(`two schemas are named ${$id}`)
  schemas[$id] = placed
  return { $ref: `#/components/schemas/${$id}` }
}
