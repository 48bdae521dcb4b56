// Builds the OpenAPI document of the routes with @fastify/swagger. Adds components for named schemas, shared responses and
// optional bodies, which the library does not support.
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import Type from 'typebox'
import type { RouteDocs } from '../types.ts'
import { type DescribeAccess, operationOf } from './operation.ts'
import { refusalsOf, sharedRefusals } from './problems.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: unknown
  deprecated?: boolean
}
export interface Media {
  schema?: Schema
  example?: unknown
}
interface Response {
  $ref?: string
  description?: string
  content?: Record<string, Media>
}
export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
  'x-portal-scope'?: string
}
export interface OpenApi {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}
type Schemas = Record<string, unknown>

/** The two transformations that @fastify/swagger runs for one document. */
export function describedBy(describeAccess: DescribeAccess) {
  const schemas: Schemas = {}
  const areas = new Map<string, RouteDocs['area']>()
  const optionalBodies = new Set<string>()

  return {
    transform: ({ route, url }) => {
      const { docs, takes, id = '' } = route.config ?? {}
      const operation = operationOf(route, describeAccess)
      if (docs === undefined || operation === null) return { url, schema: { hide: true } }
      areas.set(docs.area.name, docs.area)
      if (takes?.body && Type.IsOptional(takes.body)) optionalBodies.add(id)
      return { url, schema: byName(operation, schemas) }
    },

    transformObject: (source) => {
      const document = ('openapiObject' in source ? source.openapiObject : {}) as OpenApi
      const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
      for (const operation of operations) {
        operation.responses = {
          ...refusalsOf(operation),
          ...operation.responses
        }
        if (operation.requestBody && optionalBodies.has(operation.operationId))
          operation.requestBody.required = false
      }
      const responses = byName(sharedRefusals(), schemas)
      const components = { ...document.components, schemas, responses }
      return { ...document, tags: [...areas.values()], components }
    }
  } satisfies FastifyDynamicSwaggerOptions
}

/** Moves every schema that has an `$id` into a component of that name, and replaces the schema by a reference. */
function byName<T>(node: T, schemas: Schemas): T {
  if (Array.isArray(node)) return node.map((item) => byName(item, schemas)) as T
  if (typeof node !== 'object' || node === null) return node
  const { $id, ...rest } = node as Record<string, unknown>
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, byName(value, schemas)]))
  if (typeof $id !== 'string') return copy as T
  if (schemas[$id] !== undefined && JSON.stringify(schemas[$id]) !== JSON.stringify(copy))
    throw new Error(`two schemas are named ${$id}`)
  schemas[$id] = copy
  return { $ref: `#/components/schemas/${$id}` } as T
}
