// Replaces the gateway in component tests: answers by path, records calls, and reports unexpected calls as errors.

import type { CustomerCard, Device, ProjectList } from '#shared/answers/customers.ts'
import type { Bootstrap, RoleAssignment, User } from '#shared/answers/portal.ts'
import { FLAGS } from '#shared/entities.ts'

export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: unknown
  signal: AbortSignal | null
}

export type Answer = unknown | ((call: Call) => unknown)
export type Answers = Record<string, Answer>

export function problem(status: number, rest: object = {}): Response {
  const body = { type: 'about:blank', title: 'Refused', status, detail: '', requestId: 'request-1', ...rest }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json' }
  })
}

/** An answer that never arrives; rejects when the caller aborts. */
export function never({ signal }: Call): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })
}

export const BOOTSTRAP = '/api/portal/v1/bootstrap'
export const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const ME = '/api/portal/v1/me'

export function pageOf(totalElements: number, number = 0, size = 20) {
  return { number, size, totalPages: Math.ceil(totalElements / size), totalElements }
}

/** Default answers to calls that many pages make. A test can replace each answer. */
const DEFAULTS: [path: RegExp, answer: unknown][] = [
  [/^\/auth\/session$/, { authenticated: true, expires_in: 1800, expired: false }],
  [/^\/api\/v2\/management\/myUser\/userInvitations$/, {}],
  [/^\/api\/v1\/notifier\/users\/[^/]+\/inapp$/, { content: [], page: pageOf(0) }],
  [/^\/api\/portal\/v1\/organizations\/[^/]+\/attention$/, problem(503)],
  [/^\/api\/portal\/v1\/events$/, problem(501)],
  [
    /^\/api\/portal\/v1\/organizations\/[^/]+\/alarms$/,
    {
      items: [],
      page: pageOf(0),
      counts: { action: 0, active: 0, unacked: 0, unackedIsMinimum: false },
      totals: [],
      partial: [],
      readAt: null
    }
  ],
  [/^\/api\/portal\/v1\/organizations\/1\/customers$/, customersOf('9')],
  [/^\/api\/portal\/v1\/customers\/9\/projects$/, projectList()],
  [/^\/api\/v1\/alarms\/customers\/9\/devices\/d-1\/alarms\/count$/, { count: 0 }],
  [/^\/api\/v2\/management\/organizations\/[^/]+$/, { isTechViewEnabled: false }]
]

export function startGateway(answers: Answers): { calls: Call[]; answers: Answers; stop: () => void } {
  const calls: Call[] = []
  const realFetch = globalThis.fetch
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input), 'http://localhost')
    const { method = 'GET', headers, signal, body: sentBody } = init
    const call: Call = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(headers),
      body: typeof sentBody === 'string' ? JSON.parse(sentBody) : undefined,
      signal: signal ?? null
    }
    calls.push(call)
    const defaultEntry = DEFAULTS.find(([path]) => path.test(url.pathname))
    const hasAnswer = url.pathname in answers
    if (url.pathname === ME && !hasAnswer)
      return Response.json({ user: (answers[BOOTSTRAP] as Bootstrap).user, actions: [] })
    if (!hasAnswer && !defaultEntry) console.error(`unexpected call: ${method} ${url.pathname}`)
    const answer = hasAnswer ? answers[url.pathname] : defaultEntry?.[1]
    const body = await (typeof answer === 'function' ? answer(call) : answer)
    return body instanceof Response ? body.clone() : Response.json(body)
  }
  return {
    calls,
    answers,
    stop: () => {
      globalThis.fetch = realFetch
    }
  }
}

export const NOW = '2026-03-01T12:00:00.000Z'

export function user(role: RoleAssignment['role'] | null, scope: string, rest: Partial<User> = {}): User {
  return {
    id: 'u-1',
    organizationId: '1',
    organizationName: 'Brightwater Controls',
    fullName: 'Maria Ruiz',
    email: 'maria@brightwater.example',
    userType: 'PARTNER',
    roleAssignments: role ? [{ id: 'r-1', role, scope }] : [],
    ...rest
  }
}

export function card(id: string, rest: Partial<CustomerCard> = {}): CustomerCard {
  const scope = `/organizations/1/customers/${id}`
  return { id, orgName: `Customer ${id}`, projectCount: 2, deviceCount: 1240, scope, ...rest }
}

export function customersOf(...ids: string[]) {
  return { items: ids.map((id) => card(id)), page: pageOf(ids.length) }
}

export function bootstrap(rest: Partial<Bootstrap> = {}): Bootstrap {
  return {
    user: user('partner_admin', '/organizations/1'),
    actions: [],
    customers: { count: 2, only: null },
    flags: Object.fromEntries(FLAGS.map((flag) => [flag, true])) as Bootstrap['flags'],
    banner: null,
    support: { phone: '+1 555 0100', email: 'support@portal.example' },
    links: { remote: 'https://remote.example', thirdPartyApp: null, privacy: [], licensing: null },
    session: { noticeSeconds: 60 },
    now: NOW,
    ...rest
  }
}

export function device(number: number, rest: Partial<Device> = {}): Device {
  const subscription = { startDate: '2026-01-01T00:00:00Z', endDate: '2027-01-01T00:00:00Z' }
  return {
    id: `d-${number}`,
    deviceUuid: `uuid-${number}`,
    deviceName: `AHU-${number}`,
    hostId: `Qnx-${number}`,
    location: `Level ${number}`,
    projectId: 'p-1',
    projectName: 'Tower',
    systemGuid: `guid-${number}`,
    createdDate: null,
    subscriptions: ['NDS', 'Remote', 'Recover'].map((offeringCode) => ({ offeringCode, ...subscription })),
    ...rest
  }
}

export function projectList(rest: Partial<ProjectList> = {}): ProjectList {
  return {
    customer: { id: '9', orgName: 'Northwind', scope: '/organizations/1/customers/9' },
    projects: [
      { id: 'p-1', projectName: 'Tower', deviceCount: 30 },
      { id: 'p-2', projectName: 'Garage', deviceCount: 2 }
    ],
    totals: { projects: 2, devices: 32 },
    partial: [],
    ...rest
  }
}
