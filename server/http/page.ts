// Prepares the client's page for a signed-in person: adds the bootstrap, and links with which the browser fetches the code and
// the first data of the screen while the client starts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { ALL_SCREENS, type FirstCall, firstCallsOfFrame } from '#shared/first-calls.ts'
import { landingOf } from '#shared/landing.ts'
import { SCREENS } from '#shared/screens.ts'

const LATE = 'late'

/** A chunk in Vite's manifest. */
interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  css?: string[]
}
type Manifest = Readonly<Record<string, Chunk | undefined>>

export interface PageOptions {
  /** The folder of the built client. */
  root: string
  sessionCookie: string
  /** Maximum wait for the bootstrap. After that the page is sent without it, and the client fetches the bootstrap. */
  waitMs: number
}

/** The prepared page; null if nobody is signed in. Without a bootstrap in time, it has only the links that need none. */
export function pagePreparer(app: FastifyInstance, { root, sessionCookie, waitMs }: PageOptions) {
  return async (request: FastifyRequest): Promise<string | null> => {
    const bootstrap = await bootstrapOf(request)
    if (bootstrap === null) return null
    const { module, firstCalls } = startOf(
      new URL(request.url, 'http://page'),
      bootstrap === LATE ? null : bootstrap
    )
    const [html, manifest] = await Promise.all(
      ['index.html', '.vite/manifest.json'].map((file) => readFile(join(root, file), 'utf8'))
    )
    const links = [
      ...firstCalls.map(({ path, media }) => link({ rel: 'preload', as: 'fetch', href: path, media })),
      ...linksOf(module, JSON.parse(manifest ?? '{}'))
    ]
    if (bootstrap !== LATE) links.push(dataOf(bootstrap))
    return (html ?? '').replace('</head>', () => `${links.join('')}</head>`)
  }

  /** Calls the gateway's own route, with all its checks. Null if nobody is signed in. */
  async function bootstrapOf({ headers, ip }: FastifyRequest): Promise<Bootstrap | typeof LATE | null> {
    const { cookie } = headers
    if (!cookie?.includes(`${sessionCookie}=`)) return null
    const signal = AbortSignal.timeout(waitMs)
    const answer = await app
      .inject({ url: calls.bootstrap, remoteAddress: ip, headers: { cookie, 'x-portal-csrf': '1' }, signal })
      .catch(() => null)
    if (answer === null) return signal.aborted ? LATE : null
    return answer.statusCode === 200 ? answer.json<Bootstrap>() : null
  }
}

const PATTERNS = ALL_SCREENS.map((screen) => ({
  screen,
  pattern: new URLPattern({ pathname: screen.path })
}))

/**
 * The module and first calls of an address. The module is null if the address has no screen. Without a bootstrap, only what
 * the address itself says.
 */
function startOf(
  { pathname, searchParams }: URL,
  bootstrap: Bootstrap | null
): { module: string | null; firstCalls: FirstCall[] } {
  const screenPath = pathname === '/' && bootstrap ? landingPath(bootstrap) : pathname
  const firstCalls = firstCallsOfFrame(bootstrap)
  for (const { screen, pattern } of PATTERNS) {
    const match = pattern.exec({ pathname: screenPath })
    if (!match) continue
    const params: Record<string, string> = {}
    for (const [name, value = ''] of Object.entries(match.pathname.groups))
      params[name] = decodeURIComponent(value)
    firstCalls.push(...screen.firstCalls({ params, query: searchParams, bootstrap }))
    return { module: `features/${screen.module}`, firstCalls }
  }
  return { module: null, firstCalls }
}

function landingPath(bootstrap: Bootstrap): string {
  const landing = landingOf(bootstrap)
  if (landing.to === 'users-and-roles') return SCREENS.users.path
  return landing.to === 'customer'
    ? `/customers/${encodeURIComponent(landing.customerId)}`
    : SCREENS.home.path
}

/** Escaped, so that no text can end the script element. */
function dataOf(bootstrap: Bootstrap): string {
  const json = JSON.stringify(bootstrap).replaceAll('<', '\\u003c')
  return `<script id="bootstrap" type="application/json">${json}</script>`
}

/** Links to the files of a module and its imports, without those that every page loads. */
function linksOf(module: string | null, manifest: Manifest): string[] {
  const entryNames = Object.keys(manifest).filter((name) => manifest[name]?.isEntry)
  const entryChunks = withImports(entryNames, manifest)
  const moduleChunks = module === null ? [] : [...withImports([module], manifest)]
  const chunks = moduleChunks.filter((chunk) => !entryChunks.has(chunk))
  return chunks.flatMap(({ file, css = [] }) => [
    link({ rel: 'modulepreload', href: `/${file}` }),
    ...css.map((sheet) => link({ rel: 'preload', as: 'style', href: `/${sheet}` }))
  ])
}

/** The chunks and all chunks that they import, directly or not. */
function withImports(names: readonly string[], manifest: Manifest): Set<Chunk> {
  const chunks = new Set<Chunk>()
  const waitingNames = [...names]
  for (let name = waitingNames.shift(); name !== undefined; name = waitingNames.shift()) {
    const chunk = manifest[name]
    if (!chunk || chunks.has(chunk)) continue
    chunks.add(chunk)
    waitingNames.push(...(chunk.imports ?? []))
  }
  return chunks
}

/** A link element with `crossorigin`, as in requests of fetch() and Vite: otherwise the browser would load the file twice. */
function link(attributes: Record<string, string | undefined>): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) text += ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`
  return `<link${text} crossorigin>`
}
