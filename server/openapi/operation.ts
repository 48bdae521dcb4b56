// Converts the declarations of a route to the schema that @fastify/swagger reads. Pure.
import { STATUS_CODES } from 'node:http'
import type { FastifySchema, RouteOptions } from 'fastify'
import Type, { type TObject } from 'typebox'
import type { Access, Answer } from '../types.ts'
import examples from './examples.json' with { type: 'json' }
import { ownRefusal } from './problems.ts'

/** Successful answers by operation, recorded by test/server/openapi/contract.test.ts. */
const EXAMPLES: Readonly<Record<string, unknown>> = examples

/** A route's declared access in words. */
export type DescribeAccess = (access: Access) => {
  /** An action, `signed-in` or `self`. */
  action: string
  /** The finder of the scope; null if the route needs no scope. */
  scope: string | null
  /** Whether the call must name the customer with `x-customer-id`. */
  needsCustomerHeader: boolean
  text: string
}

const CUSTOMER_ID = Type.String({
  description:
    'Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object.',
  examples: ['9']
})

/** Null for a route that is not documented. */
export function operationOf(
  { config = {}, schema, method }: RouteOptions,
  describeAccess: DescribeAccess
): FastifySchema | null {
  const { id, access, docs, takes, upstreamProves = [] } = config
  if (id === undefined || access === undefined || docs === undefined) return null
  const { action, scope, needsCustomerHeader, text } = describeAccess(access)
  const { area, summary, description, params = schema?.params, answers, refusals } = docs
  const query = takes?.query ?? (schema?.querystring as TObject | undefined)
  const headers = { ...(needsCustomerHeader ? { 'x-customer-id': CUSTOMER_ID } : {}), ...docs.headers }
  const unproved = upstreamProves.map((name) => `\`${name}\``).join(', ')
  const unprovedText = `Forwarded without an ownership check, because only the upstream API knows the owner: ${unproved}.`
  const openapiSchema = {
    operationId: id,
    tags: [area.name],
    summary,
    description: [description, unproved && unprovedText, text].filter(Boolean).join('\n\n'),
    'x-portal-action': action,
    ...(scope === null ? {} : { 'x-portal-scope': scope }),
    // The method of a proxied route is a list of one.
    security: [{ bearer: [String(method) === 'GET' ? 'ncp:read' : 'ncp:write'] }, { cookie: [], csrf: [] }],
    ...(params ? { params } : {}),
    ...(query ? { querystring: withDefaults(query) } : {}),
    ...(Object.keys(headers).length > 0 ? { headers: Type.Object(headers) } : {}),
    ...(takes?.body ? { body: takes.body } : {}),
    response: {
      ...mapped(answers, (answer, status) => responseOf(answer, status, EXAMPLES[id])),
      ...mapped(refusals ?? {}, ownRefusal)
    }
  }
  return openapiSchema
}

/** A parameter with a default is not required. */
function withDefaults(query: TObject): object {
  const { required = [], properties } = query
  return { ...query, required: required.filter((name) => !Object.hasOwn(properties[name] ?? {}, 'default')) }
}

/** A response of a Fastify schema; its type is `null` if it has no body. */
function responseOf(
  { description, headers, schema, lines, events, csv, file }: Answer,
  status: string,
  example: unknown
): object {
  const content = {
    ...(schema ? { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } : {}),
    ...(lines ? { 'application/x-ndjson': { schema: lines } } : {}),
    ...(events ? { 'text/event-stream': { schema: events } } : {}),
    ...(csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    ...(file ? { '*/*': { schema: {} } } : {})
  }
  return {
    description: description ?? STATUS_CODES[status],
    ...(Object.keys(content).length > 0 ? { content } : { type: 'null' }),
    ...(headers ? { headers: mapped(headers, (meaning) => ({ type: 'string', description: meaning })) } : {})
  }
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => object) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
