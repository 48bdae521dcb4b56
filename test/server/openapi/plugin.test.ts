import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { signIn } from '#test/sandbox/sign-in-flow.ts'
import { startPortal } from '#test/support/portal.ts'
import type { Document, Operation } from './operations.ts'

type Json = Record<string, unknown>
const portal = await startPortal(t)
const browser = await portal.as('partner.admin')
const document = await browser.json<Document>('/api/openapi.json')
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
)
const byId = new Map(operations.map((entry) => [entry.operation.operationId, entry]))

function mistakes(schema: object | undefined, value: unknown): string[] {
  const [, errors] = Schema.Errors({ ...schema, components: document.components } as TSchema, value)
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

t.test('a public validator accepts the document', async (t) => {
  const validator = new Validator()
  t.strictSame(await validator.validate(JSON.parse(JSON.stringify(document))), { valid: true })
  t.equal(validator.version, '3.1')
})

t.test('describes every route under /api but the bootstrap and the reference page', async (t) => {
  const isHidden = (id: string) => id === 'portal.bootstrap' || id.startsWith('docs')
  const documentPath = (path: string) => path.replace(/::|:(\w+)/g, (_, name) => (name ? `{${name}}` : ':'))
  const routes = portal.app.declaredRoutes
    .filter(({ path, id }) => path.startsWith('/api/') && !isHidden(id))
    .map(({ id, method, path }) => `${id} ${method} ${documentPath(path)}`)
  const entries = operations.map(
    (entry) => `${entry.operation.operationId} ${entry.method.toUpperCase()} ${entry.path}`
  )
  t.strictSame(entries.toSorted(), routes.toSorted())
  t.ok(document.paths['/api/v1/alarms/customers/{customerId}/alarms:search']?.post)
  for (const { path, operation } of operations) {
    const names = operation.parameters?.filter((item) => item.in === 'path').map(({ name }) => `{${name}}`)
    t.strictSame(names ?? [], path.match(/\{\w+\}/g) ?? [], path)
  }
  const text = JSON.stringify(document)
  t.notMatch(text, /bootstrap|\/auth\/|\/callback/)
  t.notOk(text.includes(portal.sandbox.client.secret))
})

t.test('every example matches its schema', async (t) => {
  const examples = examplesIn(document)
  t.ok(examples.length > 100)
  for (const { at, schema, example } of examples) t.strictSame(mistakes(schema, example), [], at)
})

interface Example {
  at: string
  schema: Json
  example: unknown
}

function examplesIn(node: unknown, at = ''): Example[] {
  if (typeof node !== 'object' || node === null) return []
  const { schema, example, examples, ...rest } = node as Json
  const own = Array.isArray(examples) ? examples.map((item) => ({ at, schema: rest, example: item })) : []
  const media = example === undefined ? [] : [{ at, schema: schema as Json, example }]
  const parts = Object.entries({ schema, ...rest })
  return [...own, ...media, ...parts.flatMap(([name, part]) => examplesIn(part, `${at}/${name}`))]
}

t.test('references exactly the existing components', async (t) => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/(\w+\/\w+)"/g)
  const usedNames = new Set([...references].map(([, to]) => to))
  const { schemas, responses } = document.components
  const existingNames = [
    ...Object.keys(schemas).map((name) => `schemas/${name}`),
    ...Object.keys(responses).map((name) => `responses/${name}`)
  ]
  t.strictSame([...usedNames].toSorted(), existingNames.toSorted())
  t.match(schemas, {
    Page: { properties: { number: { description: 'Number of the page, from 0.' } } },
    Problem: { properties: { detail: { description: 'Explanation for people.' } } }
  })
})

t.test('describes the headers about quotas with the refusal of too many calls', (t) => {
  const { responses } = document.components as unknown as {
    responses: Record<string, { headers?: Record<string, object> }>
  }
  const headersOf = (name: string) => Object.keys(responses[name]?.headers ?? {})
  t.strictSame(headersOf('TooManyCalls'), ['Retry-After', 'RateLimit-Policy', 'RateLimit'])
  t.strictSame(headersOf('Unavailable'), ['Retry-After'])
  t.strictSame(headersOf('NotAllowed'), [])
  t.end()
})

t.test('lists x-customer-id exactly for the calls that require it', async (t) => {
  const admin = await portal.as('global.admin')
  for (const { id, method, path } of PROXY_TABLE) {
    const isListed = byId.get(id)?.operation.parameters?.some(({ name }) => name === 'x-customer-id') ?? false
    const body = method === 'GET' ? {} : { body: '{"deviceUuid":"x","licenseId":"x","userCode":"x"}' }
    const query = id === 'usage.metrics' ? '?deviceId=d' : ''
    const url = path.replaceAll('::', ':').replaceAll(/\/:\w+/g, '/x') + query
    const answer = await admin.call(url, { method, ...body })
    t.equal(/x-customer-id/.test(await answer.text()), isListed, id)
  }
})

t.test('describes the query and body of every proxied route by closed schemas', async (t) => {
  for (const { id, query, body } of PROXY_TABLE) {
    const { operation } = byId.get(id) ?? {}
    const names = operation?.parameters?.filter((item) => item.in === 'query').map(({ name }) => name) ?? []
    t.strictSame(names, Object.keys(query?.properties ?? {}), `${id}: query`)
    const schema = operation?.requestBody?.content['application/json']?.schema
    t.strictSame(resolve(schema), body === undefined ? undefined : resolve(body), `${id}: body`)
    t.strictSame(openParts(resolve(schema)), [], `${id}: closed`)
  }
})

t.test('names the roles that may call an operation, and the scope of the roles', async (t) => {
  const text = byId.get('projects.delete')?.operation.description
  t.match(text, /`projects:delete` \(global_admin, partner_admin\) at the customer that has the project\.$/)
})

t.test('marks only mandatory parameters and bodies as required', async (t) => {
  const requiredNames = ({ parameters = [] }: Operation) =>
    parameters.filter((item) => item.required).map(({ name }) => name)
  const devices = byId.get('portal.devices')?.operation
  t.strictSame(devices && requiredNames(devices), ['customerId'])
  const exports = byId.get('exports.list')?.operation
  t.strictSame(exports && requiredNames(exports), [])
  const usage = byId.get('usage.metrics')?.operation
  t.strictSame(usage && requiredNames(usage), ['deviceId', 'x-customer-id'])
  t.equal(byId.get('remote.connect')?.operation.requestBody?.required, false)
  t.equal(byId.get('control.read')?.operation.requestBody?.required, true)
})

function resolve(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolve)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, $id, ...rest } = schema as Json
  if (typeof $ref === 'string') return resolve(document.components.schemas[$ref.split('/').at(-1) ?? ''])
  return Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, resolve(part)]))
}

function openParts(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, additionalProperties, maxItems, maxLength, enum: choices } = schema as Json
  const isOpen =
    (type === 'object' && additionalProperties !== false) ||
    (type === 'array' && maxItems === undefined) ||
    (type === 'string' && maxLength === undefined && choices === undefined)
  return [...(isOpen ? [schema] : []), ...Object.values(schema).flatMap(openParts)]
}

t.test('requires a signed-in person or service, and omits what a flag turns off', async (t) => {
  const flags = { FEATURE_FLAGS: '-enableNotifications', UPSTREAM_ALARMS_URL: 'http://alarms.internal:8080' }
  const env = { ...flags, OIDC_AUDIENCE: portal.sandbox.audience }
  const servicePortal = await startPortal(t, { startedSandbox: portal.sandbox, env })
  const address = `${servicePortal.url}/api/openapi.json`
  const refusal = await fetch(address, { headers: { 'x-portal-csrf': '1' } })
  t.equal(refusal.status, 401)
  t.match(refusal.headers.get('content-type'), 'application/problem+json')

  const { access_token } = await signIn(portal.sandbox, 'customer.user')
  const answer = await fetch(address, { headers: { authorization: `Bearer ${access_token}` } })
  t.equal(answer.status, 200)
  const serviceDocument = (await answer.json()) as Document
  t.match(JSON.stringify(serviceDocument), portal.sandbox.audience)
  t.notMatch(JSON.stringify(serviceDocument), 'alarms.internal')
  t.notOk(serviceDocument.paths['/api/v1/notifier/users/{userId}'])
  t.ok(document.paths['/api/v1/notifier/users/{userId}'])
})
