// Renders openapi.json as HTML. reference.html is the page around it.
import type { Media, OpenApi, Operation, Schema } from './document.ts'

/** The body of the page. */
export function referenceOf({ info, tags, paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation }))
  )
  const areas = tags.map(({ name, description }) => {
    const areaOperations = operations.filter((operation) => operation.tags.includes(name))
    const list = areaOperations.map((operation) => operationOf(operation, components.responses)).join('')
    return `<section aria-labelledby="${anchor(name)}"><h2 id="${anchor(name)}">${text(name)}</h2>${prose(description)}${list}</section>`
  })
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details><summary><b>${name}</b></summary><div id="schema-${name}">${fields(schema)}</div></details>`
  )
  const links = [...tags.map(({ name }) => name), 'Schemas'].map(
    (name) => `<li><a href="#${anchor(name)}">${text(name)}</a></li>`
  )
  return `<nav aria-label="Areas"><a href="/">Portal</a><ul>${links.join('')}</ul><a href="/api/openapi.json">openapi.json</a></nav>
<main>
<h1>${text(info.title)}: API reference</h1>
<p>Version ${text(info.version)}</p>
${prose(info.description)}
${areas.join('')}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.join('')}</section>
</main>`
}

function operationOf(
  operation: Operation & { path: string; method: string },
  shared: OpenApi['components']['responses']
): string {
  const {
    operationId,
    method,
    path,
    summary,
    description,
    security,
    parameters = [],
    requestBody,
    responses
  } = operation
  const scopes = security.flatMap(({ bearer = [] }) => bearer)
  const parameterItems = parameters.map(
    (parameter) =>
      `<li><code>${text(parameter.name)}</code> <small>${text(parameter.in)}, ${parameter.required ? 'required' : 'optional'}, ${typeOf(parameter.schema)}</small> ${inline(parameter.description ?? parameter.schema.description ?? '')}</li>`
  )
  const body = requestBody && Object.values(requestBody.content)[0]?.schema
  const answers = Object.entries(responses).map(([status, response]) => {
    const described = response.$ref ? shared[response.$ref.split('/').at(-1) ?? ''] : response
    return `<li><b>${status}</b> ${inline(described?.description ?? '')} ${Object.entries(
      response.content ?? {}
    )
      .map(media)
      .join('')}</li>`
  })
  return `<details><summary><span class="method">${method.toUpperCase()}</span> <code>${text(path)}</code> <span>${text(summary)}</span></summary>
<div id="${operationId}">${prose(description)}<p>Services need a token with the scope <code>${scopes.join(' ')}</code>.</p>
${parameterItems.length > 0 ? `<h3>Parameters</h3><ul>${parameterItems.join('')}</ul>` : ''}
${body ? `<h3>Body</h3>${fields(body)}` : ''}
<h3>Answers</h3><ul>${answers.join('')}</ul></div></details>`
}

function media([type, { schema, example }]: [string, Media]): string {
  const exampleHtml =
    example === undefined
      ? ''
      : `<pre tabindex="0" role="region" aria-label="Example"><code>${text(JSON.stringify(example, null, 2))}</code></pre>`
  return `<div><small>${text(type)}</small>${schema ? fields(schema) : ''}${exampleHtml}</div>`
}

/** Lists the fields of an object, or of a list's items, recursively; any other type takes one line. */
function fields(schema: Schema): string {
  const inner = schema.items && !schema.items.$ref ? schema.items : schema
  if (!inner.properties) return `<p>${typeOf(schema)} ${inline(schema.description ?? '')}</p>`
  const entries = Object.entries(inner.properties).map(([name, property]) => {
    const optional = inner.required?.includes(name) ? '' : ', optional'
    const nested = property.items && !property.items.$ref ? property.items : property
    return `<li><code>${text(name)}</code> <small>${typeOf(property)}${optional}</small> ${inline(property.description ?? '')}${nested.properties ? fields(nested) : ''}</li>`
  })
  return `<ul>${entries.join('')}</ul>`
}

function typeOf({
  $ref,
  type,
  enum: values,
  items,
  anyOf,
  minimum,
  maximum,
  maxLength,
  ...rest
}: Schema): string {
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (values) return values.map((value) => `<code>${text(String(value))}</code>`).join(' | ')
  if (anyOf) return anyOf.map(typeOf).join(' | ')
  if (items) return `list of ${typeOf(items)}`
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}–${maximum ?? ''}`
  const length = maxLength === undefined ? '' : ` of at most ${maxLength} characters`
  const defaultText =
    rest.default === undefined ? '' : `, default <code>${text(JSON.stringify(rest.default))}</code>`
  return `${[type ?? 'any'].flat().join(' | ')}${range}${length}${defaultText}`
}

const anchor = (name: string) => name.toLowerCase().replaceAll(/\W+/g, '-')
const text = (raw: string) =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/** The part of CommonMark that descriptions use. */
const inline = (raw: string) =>
  text(raw)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
const prose = (raw: string) =>
  raw
    .split('\n\n')
    .map((part) =>
      part.startsWith('- ')
        ? `<ul>${part.replaceAll(/^- (.*)$/gm, (_, item) => `<li>${inline(item)}</li>`)}</ul>`
        : `<p>${inline(part)}</p>`
    )
    .join('')
