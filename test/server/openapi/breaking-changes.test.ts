// The API of this version does not break services that were written for the last release.
// UPDATE_RELEASED=1 makes the document of this version the released one: for a release only.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import type { OpenApi, Operation, Schema } from '#server/openapi/document.ts'
import { startPortal } from '#test/support/portal.ts'
import { breakingChanges, comparableParts } from './breaking-changes.ts'

const FILE = new URL('released.json', import.meta.url)

/** A document with the operation `search`: POST /things with a parameter, a body and answers. */
function documentOf(change: Partial<Operation> = {}, schemas: Record<string, Schema> = {}): OpenApi {
  const operation: Operation = {
    operationId: 'search',
    tags: [],
    summary: '',
    description: '',
    security: [],
    parameters: [parameter({ type: 'string', enum: ['asc', 'desc'] })],
    requestBody: {
      required: false,
      content: json({ type: 'object', properties: { q: { type: 'string' } } })
    },
    responses: {
      200: { content: { ...json(thing()), 'text/csv': {} } },
      404: { $ref: '#/components/responses/NotFound' }
    },
    ...change
  }
  const responses = { NotFound: { content: { 'application/problem+json': {} } } }
  return {
    info: { title: '', version: '1', description: '' },
    tags: [],
    paths: { '/things': { post: operation } },
    components: { schemas, responses }
  }
}
const json = (schema: Schema) => ({ 'application/json': { schema } })
const parameter = (schema: Schema, required = false) => ({ name: 'order', in: 'query', required, schema })
const thing = (...required: string[]): Schema => ({
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' } },
  required: ['id', ...required]
})
const body = (schema: Schema) => ({ requestBody: { required: false, content: json(schema) } })
const answer = (schema: Schema) => ({ responses: { 200: { content: json(schema) } } })
const withProperty = (name: string, schema: Schema): Schema => ({
  type: 'object',
  properties: { [name]: schema }
})

const BREAKING: [name: string, released: OpenApi, current: OpenApi, changes: string[]][] = [
  ['an operation is removed', documentOf(), { ...documentOf(), paths: {} }, ['search is removed']],
  [
    'an operation moves',
    documentOf(),
    { ...documentOf(), paths: { '/items': documentOf().paths['/things'] ?? {} } },
    ['search moved from POST /things to POST /items']
  ],
  [
    'a new parameter is required',
    documentOf({ parameters: [] }),
    documentOf({ parameters: [parameter({}, true)] }),
    ['search needs the parameter order']
  ],
  [
    'an optional parameter becomes required',
    documentOf(),
    documentOf({ parameters: [parameter({ type: 'string' }, true)] }),
    ['search needs the parameter order']
  ],
  [
    'a parameter is removed',
    documentOf(),
    documentOf({ parameters: [] }),
    ['search no longer accepts the parameter order']
  ],
  [
    'an enumeration of a parameter loses a value',
    documentOf(),
    documentOf({ parameters: [parameter({ type: 'string', enum: ['asc'] })] }),
    ['search no longer accepts "desc" as order']
  ],
  [
    'a free value becomes an enumeration',
    documentOf({ parameters: [parameter({ type: 'string' })] }),
    documentOf({ parameters: [parameter({ type: 'string', enum: ['asc'] })] }),
    ['search only accepts ["asc"] as order']
  ],
  [
    'an alternative of an input is removed',
    documentOf({ parameters: [parameter({ anyOf: [{ type: 'string' }, { type: 'null' }] })] }),
    documentOf({ parameters: [parameter({ type: 'string' })] }),
    ['search no longer accepts null as order']
  ],
  [
    'a body becomes required',
    documentOf(),
    documentOf({ requestBody: { required: true, content: json(withProperty('q', { type: 'string' })) } }),
    ['search needs a body']
  ],
  [
    'a property of a body becomes required, in a list of a named schema',
    documentOf(
      body(withProperty('things', { type: 'array', items: { $ref: '#/components/schemas/Thing' } })),
      {
        Thing: thing()
      }
    ),
    documentOf(body(withProperty('things', { type: 'array', items: thing('name') }))),
    ['search needs body.things[].name']
  ],
  [
    'a property of a body is removed',
    documentOf(body(withProperty('q', { type: 'string' }))),
    documentOf(body({ type: 'object', properties: {} })),
    ['search no longer accepts body.q']
  ],
  [
    'a status of an answer is removed',
    documentOf(),
    documentOf({ responses: { 200: { content: { ...json(thing()), 'text/csv': {} } } } }),
    ['search no longer answers 404']
  ],
  [
    'a content type of an answer is removed',
    documentOf({ responses: { 200: { content: { ...json(thing()), 'text/csv': {} } } } }),
    documentOf(answer(thing())),
    ['search no longer answers 200 with text/csv']
  ],
  [
    'a property of an answer is removed',
    documentOf(answer(thing())),
    documentOf(answer(withProperty('id', { type: 'string' }))),
    ['search may answer without 200.id', 'search no longer answers 200.name']
  ],
  [
    'a property of an answer that may be null is removed',
    documentOf(answer({ anyOf: [thing(), { type: 'null' }] })),
    documentOf(answer({ anyOf: [{ type: 'null' }, withProperty('name', { type: 'string' })] })),
    ['search no longer answers 200.id']
  ]
]

for (const [name, released, current, changes] of BREAKING)
  t.test(`finds that ${name}`, async (t) => t.strictSame(breakingChanges(released, current), changes))

t.test('accepts additions, wider inputs and more certain answers', async (t) => {
  const wider = documentOf(
    {
      parameters: [
        parameter({ anyOf: [{ type: 'string', enum: ['asc', 'desc', 'none'] }, { type: 'null' }] }),
        { name: 'size', in: 'query', required: false, schema: { type: 'integer' } }
      ],
      requestBody: {
        required: false,
        content: json({ type: 'object', properties: { q: {}, limit: { type: 'integer' } } })
      },
      responses: {
        200: {
          content: { ...json({ $ref: '#/components/schemas/Thing' }), 'text/csv': {}, 'text/plain': {} }
        },
        404: { $ref: '#/components/responses/NotFound' },
        410: {}
      }
    },
    { Thing: thing('name') }
  )
  wider.paths['/more'] = { get: { ...documentOf().paths['/things']?.post, operationId: 'more' } as Operation }
  t.strictSame(breakingChanges(documentOf(), wider), [])
})

t.test('the comparable parts keep properties that are named like a text', async (t) => {
  const described = documentOf(
    answer(withProperty('description', { type: 'string', description: 'A text.' }))
  )
  t.strictSame(
    comparableParts(described).paths['/things']?.post?.responses,
    answer(withProperty('description', { type: 'string' })).responses
  )
})

t.test('this version breaks no service that was written for the last release', async (t) => {
  const portal = await startPortal(t)
  const browser = await portal.as('partner.admin')
  const current = comparableParts(await browser.json<OpenApi>('/api/openapi.json'))
  if (process.env.UPDATE_RELEASED) writeFileSync(FILE, `${JSON.stringify(current, null, 1)}\n`)
  const released = JSON.parse(readFileSync(FILE, 'utf8')) as OpenApi
  t.ok(Object.keys(released.paths).length > 50)
  t.strictSame(breakingChanges(released, current), [], 'see "A release" in CONTRIBUTING.md')
})
