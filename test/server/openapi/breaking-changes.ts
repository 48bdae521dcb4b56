// Finds the changes of an OpenAPI document that break a service which was written for the released one. Pure.
// Bodies and queries are closed, so an input that is no longer described breaks a service as well. Limits, such as `maxLength`,
// and the possible values of an answer are not compared.
import { isDeepStrictEqual } from 'node:util'
import type { Media, OpenApi, Operation, Schema as SharedSchema } from '#server/openapi/document.ts'

type Schema = SharedSchema & { const?: unknown }
type Direction = 'input' | 'answer'
type Content = Record<string, Media>

/** The parts of a document that are compared: without texts, examples and limits. */
export function comparableParts({ info, paths, components }: OpenApi): OpenApi {
  const { schemas, responses } = components
  return comparablePart({
    info: { version: info.version },
    paths,
    components: { schemas, responses }
  }) as OpenApi
}

const NOT_COMPARED = new Set(
  'description summary example examples tags security headers pattern format default additionalProperties patternProperties minimum maximum minLength maxLength minItems maxItems'.split(
    ' '
  )
)

function comparablePart(node: unknown, keysAreNames = false): unknown {
  if (Array.isArray(node)) return node.map((item) => comparablePart(item))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => keysAreNames || !(NOT_COMPARED.has(key) || key.startsWith('x-')))
      .map(([key, value]) => [key, comparablePart(value, key === 'properties' || key === 'schemas')])
  )
}

/** @returns a sentence for each change that breaks a service; an empty list if there is none */
export function breakingChanges(released: OpenApi, current: OpenApi): string[] {
  const { schemaChanges, contentChanges, answersOf } = comparisonOf(released, current)
  const currentOperations = operationsOf(current)

  function parameterChanges({ parameters: before = [] }: Operation, { parameters: after = [] }: Operation) {
    const added = after.filter(
      ({ name, in: place, required }) =>
        required && !before.some((old) => old.name === name && old.in === place)
    )
    return [
      ...added.map(({ name }) => `needs the parameter ${name}`),
      ...before.flatMap((old) => {
        const match = after.find(({ name, in: place }) => name === old.name && place === old.in)
        if (match === undefined) return [`no longer accepts the parameter ${old.name}`]
        const isNeeded = match.required && !old.required
        return [
          ...(isNeeded ? [`needs the parameter ${old.name}`] : []),
          ...schemaChanges('input', old.schema, match.schema, old.name)
        ]
      })
    ]
  }

  function bodyChanges({ requestBody: before }: Operation, { requestBody: after }: Operation) {
    if (before === undefined) return after?.required ? ['needs a body'] : []
    if (after === undefined) return ['no longer accepts a body']
    const isNeeded = after.required && !before.required
    return [
      ...(isNeeded ? ['needs a body'] : []),
      ...contentChanges('input', before.content, after.content, 'body')
    ]
  }

  function answerChanges(before: Operation, after: Operation) {
    const contents = answersOf('current', after)
    return [...answersOf('released', before)].flatMap(([status, content]) => {
      const match = contents.get(status)
      if (match === undefined) return [`no longer answers ${status}`]
      return contentChanges('answer', content, match, status)
    })
  }

  return [...operationsOf(released)].flatMap(([id, before]) => {
    const after = currentOperations.get(id)
    if (after === undefined) return [`${id} is removed`]
    if (after.address !== before.address) return [`${id} moved from ${before.address} to ${after.address}`]
    return [
      ...parameterChanges(before.operation, after.operation),
      ...bodyChanges(before.operation, after.operation),
      ...answerChanges(before.operation, after.operation)
    ].map((change) => `${id} ${change}`)
  })
}

function operationsOf({ paths }: OpenApi) {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        operation.operationId,
        { operation, address: `${method.toUpperCase()} ${path}` }
      ])
    )
  )
}

/** The comparison of two documents' schemas, contents and answers, with the references of each document. */
function comparisonOf(released: OpenApi, current: OpenApi) {
  const documents = { released, current }

  function resolve(version: keyof typeof documents, schema: Schema): Schema {
    if (schema.$ref === undefined) return schema
    const name = schema.$ref.replace('#/components/schemas/', '')
    return resolve(version, documents[version].components.schemas[name] ?? {})
  }

  function alternativesOf(version: keyof typeof documents, schema: Schema): Schema[] {
    const resolved = resolve(version, schema)
    return resolved.anyOf?.flatMap((alternative) => alternativesOf(version, alternative)) ?? [resolved]
  }

  function answersOf(version: keyof typeof documents, { responses }: Operation): Map<string, Content> {
    return new Map(
      Object.entries(responses).map(([status, response]) => {
        const name = response.$ref?.replace('#/components/responses/', '')
        const definition = name === undefined ? response : documents[version].components.responses[name]
        return [status, definition?.content ?? {}]
      })
    )
  }

  function contentChanges(direction: Direction, before: Content, after: Content, place: string): string[] {
    return Object.entries(before).flatMap(([type, { schema }]) => {
      const match = after[type]
      if (match === undefined && direction === 'input') return [`no longer accepts ${type}`]
      if (match === undefined) return [`no longer answers ${place} with ${type}`]
      return schemaChanges(direction, schema ?? {}, match.schema ?? {}, place)
    })
  }

  function schemaChanges(direction: Direction, before: Schema, after: Schema, place: string): string[] {
    const alternatives = alternativesOf('current', after)
    return alternativesOf('released', before).flatMap((alternative) => {
      const changes = alternatives.map((candidate) => changesOf(direction, alternative, candidate, place))
      if (changes.some(({ length }) => length === 0)) return []
      // The most similar alternative explains best what is missing.
      return changes.toSorted((one, other) => one.length - other.length)[0] ?? []
    })
  }

  function changesOf(direction: Direction, before: Schema, after: Schema, place: string): string[] {
    const [properties, kept] = [before.properties ?? {}, after.properties ?? {}]
    const [wasRequired, isRequired] = [before.required ?? [], after.required ?? []]
    const verb = direction === 'input' ? 'accepts' : 'answers'
    const nested = Object.entries(properties).flatMap(([name, schema]) => {
      const path = `${place}.${name}`
      const match = kept[name]
      return match === undefined
        ? [`no longer ${verb} ${path}`]
        : schemaChanges(direction, schema, match, path)
    })
    const items =
      before.items && after.items ? schemaChanges(direction, before.items, after.items, `${place}[]`) : []
    if (direction === 'answer') {
      const lacking = wasRequired.filter((name) => name in kept && !isRequired.includes(name))
      return [...lacking.map((name) => `may answer without ${place}.${name}`), ...nested, ...items]
    }
    const needed = isRequired.filter((name) => !wasRequired.includes(name))
    return [
      ...valueChanges(before, after, place),
      ...needed.map((name) => `needs ${place}.${name}`),
      ...nested,
      ...items
    ]
  }

  return { schemaChanges, contentChanges, answersOf }
}

/** What an input no longer accepts: a type, or a value of an enumeration. */
function valueChanges(before: Schema, after: Schema, place: string): string[] {
  const types = [after.type ?? []].flat()
  const isAccepted = (type: string) =>
    types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'))
  const lostTypes = [before.type ?? 'any value'].flat().filter((type) => !isAccepted(type))
  if (lostTypes.length > 0) return [`no longer accepts ${lostTypes.join(', ')} as ${place}`]
  const [values, accepted] = [valuesOf(before), valuesOf(after)]
  if (accepted === null) return []
  if (values === null) return [`only accepts ${JSON.stringify(accepted)} as ${place}`]
  return values
    .filter((value) => !accepted.some((candidate) => isDeepStrictEqual(candidate, value)))
    .map((value) => `no longer accepts ${JSON.stringify(value)} as ${place}`)
}

function valuesOf(schema: Schema): unknown[] | null {
  if ('const' in schema) return [schema.const]
  return schema.enum ?? null
}
