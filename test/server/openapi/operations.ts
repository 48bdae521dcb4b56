// Calls operations of openapi.json through the gateway and compares status, headers and body with the document. An
// undocumented field is a failure.
import type { Test } from 'tap'
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'

type Json = Record<string, unknown>
interface Media {
  schema?: object
}
interface Response {
  $ref?: string
  headers?: Json
  content?: Record<string, Media>
}
export interface Operation {
  operationId: string
  description: string
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
  'x-portal-scope'?: string
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Json; responses: Record<string, Response> }
}

export interface Call {
  params?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  body?: unknown
}
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests check the expected body
  body: any
}
export type Send = (path: string, init: RequestInit) => Promise<globalThis.Response>

/** The headers about quotas are for access tokens only (test/server/http/rate-limits.test.ts). */
const OPTIONAL_HEADERS = ['Location', 'Accept-Ranges', 'RateLimit-Policy', 'RateLimit']

export function contractOf(document: Document) {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        operation.operationId,
        { ...operation, path, method: method.toUpperCase() }
      ])
    )
  )
  const { schemas, responses } = closeSchemas(document.components)
  const seen = new Map<string, Set<string>>([...operations.keys()].map((id) => [id, new Set()]))

  function operation(id: string) {
    const match = operations.get(id)
    if (match === undefined) throw new Error(`there is no operation ${id}`)
    return match
  }

  const validators = new WeakMap<object, ReturnType<typeof Schema.Compile>>()

  function validatorOf(schema: object) {
    const validator =
      validators.get(schema) ??
      Schema.Compile({ ...closeSchemas(schema), components: { schemas } } as TSchema)
    validators.set(schema, validator)
    return validator
  }

  function mistakes(schema: object, value: unknown): string[] {
    const validator = validatorOf(schema)
    if (validator.Check(value)) return []
    const [, errors] = validator.Errors(value)
    return errors
      .slice(0, 3)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  }

  async function call(t: Test, send: Send, id: string, options: Call = {}): Promise<Answer> {
    const { path, method } = operation(id)
    const { params = {}, query = '', headers = {}, body } = options
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const json = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await send(target + query, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: json })
    })
    return check(t, id, answer)
  }

  async function check(t: Test, id: string, response: globalThis.Response): Promise<Answer> {
    const { status, headers } = response
    const text = await response.text()
    const answers = operation(id).responses
    const key = answers[status] ? String(status) : 'default'
    const entry = answers[key]
    const definition = entry?.$ref ? responses[entry.$ref.split('/').at(-1) ?? ''] : entry
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const { headers: headerDocs = {}, content = {} } = definition ?? {}
    const media = content[type] ?? content['*/*']
    const isLines = type.endsWith('ndjson')
    const values = isLines ? text.trim().split('\n') : [text]
    const isJson = type.endsWith('json')
    const isEvents = type === 'text/event-stream'
    const body = isEvents ? eventsOf(text) : isJson ? values.map((value) => JSON.parse(value)) : values
    const missingNames = Object.keys(headerDocs).filter(
      (name) => !headers.has(name) && !OPTIONAL_HEADERS.includes(name) && !isLines
    )
    const problems = [
      ...missingNames.map((name) => `lacks the header ${name}`),
      ...(media || text === '' ? [] : [`${type} is not described`]),
      ...(media?.schema && (isJson || isEvents)
        ? body.flatMap((item) => mistakes(media.schema ?? {}, item))
        : [])
    ]
    t.strictSame(problems, [], `${id} ${status}`)
    seen.get(id)?.add(key)
    return { status, headers, body: text === '' ? null : isLines || isEvents ? body : body[0] }
  }

  return { operations, operation, seen, mistakes, call }
}

/** The events of a stream (HTML, section 9.2). */
function eventsOf(text: string): unknown[] {
  const fields = text.split('\n\n').map((block) => new Map(block.split('\n').map(fieldOf)))
  return fields
    .filter((field) => field.has('data'))
    .map((field) => ({ event: field.get('event'), data: JSON.parse(field.get('data') ?? '') }))
}

function fieldOf(line: string): [string, string] {
  const at = line.indexOf(': ')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 2)]
}

function closeSchemas<T>(node: T): T {
  return JSON.parse(JSON.stringify(node), (name, part) =>
    part?.properties && part.type === 'object' && name !== '_links'
      ? { additionalProperties: false, ...part, properties: { _links: {}, ...part.properties } }
      : part
  )
}
