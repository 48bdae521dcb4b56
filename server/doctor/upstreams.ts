// Checks whether the upstream APIs can be reached, and for `--check` whether they are the APIs: any web server answers something.
import type { Api, Config } from '../config/settings.ts'
import { apiOf } from '../proxy/register.ts'
import { PROXY_TABLE } from '../proxy/table.ts'
import { upstreamAddresses } from '../upstreams/transport/addresses.ts'
import { networkRemedy } from './remedies.ts'

/** Status from a server that does not support HEAD (RFC 9110, section 15.6.2). */
const NOT_IMPLEMENTED = 501

interface Upstream {
  address: string
  /** The names of its settings, for messages. */
  settings: string
  apis: readonly Api[]
}

/** For each address, the problem and its fix, or null if the address can be reached. Never rejects. */
export function probeUpstreams(config: Config, timeoutMs: number): Promise<Map<string, string | null>> {
  return problemsOf(config, (upstream) => connectionProblem(upstream, timeoutMs))
}

/**
 * For each address, the problem and its fix, or null if an API is there: without a token, it must answer 401 with JSON, or name
 * the bearer tokens that it wants (RFC 6750, section 3). An API without GET calls need only be reached, because another server
 * at its address might carry out any other call. Never rejects.
 */
export function identifyUpstreams(config: Config, timeoutMs: number): Promise<Map<string, string | null>> {
  return problemsOf(config, async (upstream) => {
    const { address, settings, apis } = upstream
    const path = pathOf(apis)
    if (path === null) return connectionProblem(upstream, timeoutMs)
    const answer = await ask(address + path, 'GET', timeoutMs)
    return failureOf(answer, settings) ?? strangenessOf(answer, path, settings)
  })
}

async function problemsOf(
  config: Config,
  problemOf: (upstream: Upstream) => Promise<string | null>
): Promise<Map<string, string | null>> {
  const problems = [...upstreamAddresses(config)].map(async ([address, { settings, apis }]) => {
    const upstream = { address, settings: settings.join(', '), apis }
    const problem = await problemOf(upstream).catch((error) => networkRemedy(error, upstream.settings))
    return [address, problem] as const
  })
  return new Map(await Promise.all(problems))
}

async function connectionProblem({ address, settings }: Upstream, timeoutMs: number): Promise<string | null> {
  const answer = await ask(address, 'HEAD', timeoutMs)
  return answer.status === NOT_IMPLEMENTED ? null : failureOf(answer, settings)
}

async function ask(url: string, method: string, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = { accept: 'application/json' }
  const answer = await fetch(url, { method, headers, redirect: 'manual', signal })
  await answer.body?.cancel()
  return answer
}

/**
 * The user, or for APIs without users their first GET call of the proxy table, whose parameters do not matter without a token.
 * Null if the APIs have no GET call.
 */
function pathOf(apis: readonly Api[]): string | null {
  const calls = PROXY_TABLE.filter((row) => row.method === 'GET' && apis.includes(apiOf(row)))
  const call = calls.find(({ id }) => id === 'users.me') ?? calls[0]
  return call?.path.replaceAll(/:\w+/g, '0') ?? null
}

function failureOf({ status }: Response, settings: string): string | null {
  return status < 500 ? null : `it answers ${status}, or a proxy in front of it does: check ${settings}`
}

function strangenessOf({ status, headers }: Response, path: string, settings: string): string | null {
  const isJson = /\bjson\b/i.test(headers.get('content-type') ?? '')
  const wantsToken = /^bearer\b/i.test(headers.get('www-authenticate') ?? '')
  if (status === 401 && (isJson || wantsToken)) return null
  const format = /\bhtml\b/i.test(headers.get('content-type') ?? '') ? ' with an HTML page' : ''
  const location = headers.get('location')
  const target = location === null ? '' : ` to ${location}`
  return `it is not the API: it answers ${status}${target}${format} to GET ${path} without a token, instead of 401 with JSON: check ${settings}`
}
