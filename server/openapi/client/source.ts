// Writes the typed client of a deployment: the runtime, and the types of the operations in its OpenAPI document. Pure.
import { readFileSync } from 'node:fs'
import type { Media, OpenApi, Operation, Schema } from '../document.ts'
import { comment, NAMESPACE, typeOf } from './types.ts'

const RUNTIME = readFileSync(new URL('runtime.ts', import.meta.url), 'utf8')

/** @returns a TypeScript file without imports */
export function clientSource({ info, paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}type ${name} = ${typeOf(schema)}\n`
  )
  const members = operations.map(
    ({ operation }) =>
      `${comment(operation.summary)}${JSON.stringify(operation.operationId)}: ${operationType(operation)}\n`
  )
  const routes = operations.map(
    ({ path, method, operation }) =>
      `  ${JSON.stringify(operation.operationId)}: [${JSON.stringify(method)}, ${JSON.stringify(path)}]`
  )
  return [
    `// ${info.title}, version ${info.version}: a typed client, made from its OpenAPI document. Do not edit.\n`,
    RUNTIME.slice(RUNTIME.indexOf('\n\n') + 1),
    `/** The named parts of inputs and answers. */\nexport declare namespace ${NAMESPACE} {\n${types.join('')}}\n`,
    `/** The types of each operation's inputs and answers. */\nexport interface Operations {\n${members.join('')}}\n`,
    `const ROUTES: Readonly<Record<keyof Operations, Route>> = {\n${routes.join(',\n')}\n}\n`,
    '/** Creates a client of the portal. */\nexport const createPortalClient = (options: ClientOptions) => createClient<Operations>(ROUTES, options)\n'
  ].join('\n')
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const answers: string[] = []
  const problems: string[] = []
  let [lines, events] = ['never', 'never']
  for (const [status, response] of Object.entries(responses)) {
    const content = response.content ?? {}
    if (response.$ref !== undefined || 'application/problem+json' in content) {
      if (status !== 'default') problems.push(status)
      continue
    }
    answers.push(`${status}: ${dataType(content)}`)
    if (content['application/x-ndjson']) lines = mediaType(content['application/x-ndjson'])
    if (content['text/event-stream']) events = mediaType(content['text/event-stream'])
  }
  const fields = (place: string) => {
    const members = parameters
      .filter((parameter) => parameter.in === place)
      .map(
        ({ name, required, description, schema }) =>
          `${comment(schema.deprecated ? `@deprecated ${description}` : description)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`
      )
    return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n}`
  }
  const body = requestBody?.content['application/json']
  const optional = requestBody?.required === false ? ' | undefined' : ''
  return `{
path: ${fields('path')}
query: ${fields('query')}
headers: ${fields('header')}
body: ${body ? mediaType(body) + optional : 'never'}
answers: { ${answers.join('; ')} }
lines: ${lines}
events: ${events}
problems: ${problems.join(' | ') || 'never'}
}`
}

function dataType(content: Record<string, Media>): string {
  if (content['application/json']) return mediaType(content['application/json'])
  if (content['*/*']) return 'ReadableStream<Uint8Array>'
  return 'undefined'
}

const mediaType = ({ schema = {} }: Media): string => typeOf(schema as Schema)
