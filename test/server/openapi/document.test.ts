import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import t from 'tap'
import Type, { type TSchema } from 'typebox'
import { describedBy } from '#server/openapi/document.ts'

const AREA = { name: 'Things', description: 'Some.' }
const access = { action: 'signed-in', scope: null, needsCustomerHeader: false, text: 'Any signed-in caller.' }

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  csrf: { type: 'apiKey', in: 'header', name: 'x-csrf' }
} as const

async function documentOf(schemas: Record<string, TSchema | null>) {
  const app = Fastify()
  await app.register(swagger, {
    ...describedBy(() => access),
    openapi: { openapi: '3.1.1', components: { securitySchemes: SCHEMES } }
  })
  for (const [path, schema] of Object.entries(schemas)) {
    const docs = { area: AREA, summary: 'Get', answers: { 200: schema ? { schema } : {} } }
    app.get(path, { config: { id: path, access: 'signed-in', docs } }, async () => null)
  }
  app.get('/hidden', { config: { id: 'hidden', access: 'signed-in' } }, async () => null)
  await app.ready()
  return app.swagger() as {
    paths: Record<string, { get: { responses: Record<string, object> } }>
    components: { schemas: object }
  }
}

t.test('refuses two different schemas with the same name', async (t) => {
  const thing = (properties: Record<string, TSchema>) => Type.Object(properties, { $id: 'Thing' })
  const thingA = () => thing({ id: Type.String() })
  const message = 'two schemas are named Thing'
  await t.rejects(documentOf({ '/a': thingA(), '/b': thing({ id: Type.Integer() }) }), { message })
  const { components } = await documentOf({ '/a': thingA(), '/b': thingA() })
  t.strictSame(Object.keys(components.schemas), ['Thing', 'Problem'])
})

t.test('omits a route without a description', async (t) => {
  const { paths } = await documentOf({ '/a': Type.String() })
  t.strictSame(Object.keys(paths), ['/a'])
})

t.test('describes an answer without a schema by its status text', async (t) => {
  const { paths } = await documentOf({ '/a': null })
  t.strictSame(paths['/a']?.get.responses['200'], { description: 'OK' })
})
