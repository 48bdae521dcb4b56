// Makes APIs fail, from the start or at run time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export const FAULTY_APIS = [
  'management',
  'devicemanagement',
  'subscription',
  'subscription-usage',
  'notifications',
  'notifier',
  'entitymodel',
  'egress',
  'charts-and-reports',
  'control',
  'alarms',
  'recover',
  'remote',
  'oidc',
  'oidc-discovery',
  'oidc-keys',
  'oidc-revocation'
] as const
export type FaultyApi = (typeof FAULTY_APIS)[number]

// Endpoints of the identity provider that can fail.
const OIDC_PATHS: Record<string, FaultyApi> = {
  '/oidc/token': 'oidc',
  '/oidc/.well-known/openid-configuration': 'oidc-discovery',
  '/oidc/jwks': 'oidc-keys',
  '/oidc/token/revocation': 'oidc-revocation'
}

const KIND = /^([2-5]\d\d|timeout|reset|garbage|held|slow:\d+)$/

export interface Faults {
  /** Makes an API answer a status, `timeout`, `reset`, `garbage`, `held` (until the fault is cleared) or `slow:<ms>`, optionally for a number of calls. */
  set: (api: FaultyApi, kind: string, times?: number) => void
  clear: (api?: FaultyApi) => void
  /** The number of calls that a fault has answered. */
  met: (api: FaultyApi) => number
}

export interface FaultRunner extends Faults {
  answered: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
}

/** Reads `subscription:503,egress:timeout`; throws an error that names the mistake. */
export function readFaults(text: string): [FaultyApi, string][] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [api = '', ...kind] = part.split(':')
      checkFault(api, kind.join(':'))
      return [api as FaultyApi, kind.join(':')]
    })
}

function checkFault(api: string, kind: string): void {
  if (!FAULTY_APIS.some((name) => name === api))
    throw new Error(`there is no API "${api}"; the APIs are ${FAULTY_APIS.join(', ')}`)
  if (!KIND.test(kind))
    throw new Error(
      `"${kind}" is not a fault; use a status, timeout, reset, garbage, held or slow:<ms>, as in ${api}:503`
    )
}

export function createFaults(text = ''): FaultRunner {
  const active = new Map<
    FaultyApi,
    { kind: string; remaining: number; cleared: PromiseWithResolvers<void> }
  >()
  const callCounts = new Map<FaultyApi, number>()
  const set: Faults['set'] = (api, kind, times = Number.POSITIVE_INFINITY) => {
    checkFault(api, kind)
    clear(api)
    active.set(api, { kind, remaining: times, cleared: Promise.withResolvers() })
  }
  const clear = (api: FaultyApi) => {
    active.get(api)?.cleared.resolve()
    active.delete(api)
  }
  for (const [api, kind] of readFaults(text)) set(api, kind)

  return {
    set,
    clear: (api) => {
      for (const name of api === undefined ? active.keys() : [api]) clear(name)
    },
    met: (api) => callCounts.get(api) ?? 0,
    async answered(request, response) {
      const api = apiOf(request.url ?? '')
      const fault = api && active.get(api)
      if (!fault) return false
      callCounts.set(api, (callCounts.get(api) ?? 0) + 1)
      if (--fault.remaining <= 0) active.delete(api)
      if (fault.kind !== 'held') return answer(fault.kind, request, response)
      await fault.cleared.promise
      return false
    }
  }
}

export function apiOf(url: string): FaultyApi | undefined {
  const [path = ''] = url.split('?')
  const [, root, , apiName] = path.split('/')
  if (root === 'noproxy' || root === 'remote') return 'remote'
  return OIDC_PATHS[path] ?? FAULTY_APIS.find((api) => api === apiName)
}

async function answer(kind: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (kind.startsWith('slow:')) {
    await delay(Number(kind.slice(5)), undefined, { ref: false })
    return false
  }
  if (kind === 'timeout') return true
  if (kind === 'reset') {
    request.socket.resetAndDestroy()
    return true
  }
  request.resume()
  if (kind === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Gateway</title><h1>Upstream maintenance</h1>')
    return true
  }
  const status = Number(kind)
  response.writeHead(status, { 'content-type': 'application/json' })
  const errors = [{ code: 'fault', message: 'A fault is set for this API' }]
  response.end(JSON.stringify({ status, title: 'Fault', errors, correlationId: 'fault' }))
  return true
}
