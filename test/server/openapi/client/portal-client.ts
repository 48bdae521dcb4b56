// Cloud management portal, version 1.0: a typed client, made from its OpenAPI document. Do not edit.


/** The types of an operation's inputs and answers. */
export interface OperationTypes {
  path: object
  query: object
  headers: object
  body: unknown
  /** The answer's data by status. */
  answers: object
  /** A line of the answer as NDJSON; `never` if there is no such answer. */
  lines: unknown
  /** An event of the answer as a stream; `never` if there is no such answer. */
  events: unknown
  /** The statuses of its problems. */
  problems: number
}

/** Method and path of an operation. */
export type Route = readonly [method: string, path: string]

type Part<Name extends string, Fields extends object> = keyof Fields extends never
  ? { [name in Name]?: undefined }
  : Partial<Fields> extends Fields
    ? { [name in Name]?: Fields }
    : { [name in Name]: Fields }

/** The input of an operation: its `path`, `query`, `headers` and `body`, as far as it has them. */
export type Input<Operation extends OperationTypes> = Part<'path', Operation['path']> &
  Part<'query', Operation['query']> &
  Part<'headers', Operation['headers']> &
  (Operation['body'] extends never ? { body?: undefined } : { body: Operation['body'] }) & {
    signal?: AbortSignal
  }

/** An input that has no required field may be left out. */
type InputArguments<Operation extends OperationTypes> =
  Partial<Input<Operation>> extends Input<Operation> ? [input?: Input<Operation>] : [input: Input<Operation>]

/** A successful answer. Compare `status` to narrow the type of `data`. */
export type Answer<Operation extends OperationTypes> = {
  [Status in keyof Operation['answers']]: {
    status: Status
    data: Operation['answers'][Status]
    /** For the header `if-none-match` of the next call; null if the answer has none. */
    etag: string | null
    /** Identifies the call in the portal's log. */
    requestId: string | null
    headers: Headers
  }
}[keyof Operation['answers']]

/** A problem of the portal (RFC 9457). `type` is stable. */
export class PortalProblem<Status extends number = number> extends Error {
  override readonly name = 'PortalProblem'
  readonly status: Status
  readonly type: string
  readonly code: string | undefined
  readonly requestId: string | undefined
  /** When to try again, in milliseconds from the answer; null if the portal does not say. */
  readonly retryAfterMs: number | null

  constructor(status: Status, body: Record<string, unknown>, retryAfterMs: number | null) {
    super(String(body.detail ?? body.title ?? `the portal answered ${status}`))
    this.status = status
    this.type = String(body.type ?? 'about:blank')
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.requestId = typeof body.requestId === 'string' ? body.requestId : undefined
    this.retryAfterMs = retryAfterMs
  }
}

/** The token endpoint's refusal of a token. */
export class TokenProblem extends Error {
  override readonly name = 'TokenProblem'
  readonly status: number

  constructor(status: number, text: string) {
    super(`the token endpoint answered ${status}: ${text}`)
    this.status = status
  }
}

export interface ClientOptions {
  /** The address of the portal, such as `https://portal.example.com`. */
  baseUrl: string
  /** Returns a valid access token, such as `clientCredentials(…)`. */
  token: () => Promise<string>
  /** By default the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** How often a call is repeated that the portal refuses with `Retry-After`: 2 by default. */
  retries?: number
  /** Waits the milliseconds, or until the signal is aborted; by default a timer. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface StreamOptions {
  /** Failures in a row after which the stream ends with the last one: 60 by default, which take at least 15 minutes. */
  failuresMax?: number
  /** Called before each wait for a new connection. An error that it throws ends the stream. */
  onReconnect?: (reconnect: Reconnect) => void
}

/** Why a live stream connects again. */
export interface Reconnect {
  /** A PortalProblem, or the error of the connection; null if the portal said that the stream ends. */
  error: unknown
  /** The number of failures in a row; 0 if the portal said that the stream ends. */
  failures: number
  waitMs: number
}

export interface CredentialsOptions {
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** `ncp:read`, or `ncp:write` for calls that change something. */
  scope: string
  fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; by default `Date.now`. */
  now?: () => number
}

/** Part of a token's life after which it is replaced. */
const TOKEN_LIFE_USED = 0.8
const RETRIES = 2
/** A longer `Retry-After` is left to the caller. */
const RETRY_AFTER_MAX_MS = 60_000
/** Time until a live stream connects again, unless the portal names one. It doubles with each further failure. */
const RECONNECT_MS = 5_000
const RECONNECT_MAX_MS = 30_000
/** Limit of the times that a portal, or a proxy in front of it, names for a new connection. */
const NAMED_WAIT_MAX_MS = 600_000
const FAILURES_MAX = 60
/** A live stream has at least a comment every 30 s. */
const SILENCE_MAX_MS = 60_000

/** Fetches access tokens with the client credentials grant (RFC 6749, section 4.4), one for all calls until shortly before its end. */
export function clientCredentials(options: CredentialsOptions): () => Promise<string> {
  const { tokenUrl, clientId, clientSecret, scope, fetch = globalThis.fetch, now = Date.now } = options
  let current: { token: Promise<string>; renewAt: number } | null = null

  async function request(renewal: { renewAt: number }): Promise<string> {
    const encoded = [clientId, clientSecret].map((text) => encodeURIComponent(text)).join(':')
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(encoded)}`,
        'content-type': 'application/x-www-form-urlencoded'
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString()
    })
    if (!answer.ok) throw new TokenProblem(answer.status, await answer.text())
    const { access_token: token, expires_in: lifeSeconds = 60 } = (await answer.json()) as {
      access_token: string
      expires_in?: number
    }
    renewal.renewAt = now() + lifeSeconds * 1000 * TOKEN_LIFE_USED
    return token
  }

  return () => {
    if (current !== null && now() < current.renewAt) return current.token
    const renewal = { token: Promise.resolve(''), renewAt: Number.POSITIVE_INFINITY }
    renewal.token = request(renewal).catch((error) => {
      if (current === renewal) current = null
      throw error
    })
    current = renewal
    return renewal.token
  }
}

/** Creates a client of the operations in a table. */
export function createClient<Operations extends { [Id in keyof Operations]: OperationTypes }>(
  routes: Readonly<Record<keyof Operations, Route>>,
  options: ClientOptions
) {
  const { baseUrl, token, fetch = globalThis.fetch, retries = RETRIES, wait = waitFor } = options

  /** Makes one attempt. Throws a PortalProblem. */
  async function attempt(id: keyof Operations, input: AnyInput, accept: string): Promise<Response> {
    const [method, path] = routes[id]
    const answer = await fetch(addressOf(baseUrl, path, input), {
      method,
      headers: {
        ...textFields(input.headers),
        accept,
        authorization: `Bearer ${await token()}`,
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      ...(input.signal ? { signal: input.signal } : {})
    })
    if (answer.ok || answer.status === 304) return answer
    throw await problemOf(answer)
  }

  async function send(id: keyof Operations, input: AnyInput = {}, accept: string): Promise<Response> {
    const [method] = routes[id]
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt(id, input, accept)
      } catch (problem) {
        if (!(problem instanceof PortalProblem)) throw problem
        const { status, retryAfterMs } = problem
        // A call that was refused with 429 has done nothing. After 503, only calls that change nothing are safe to repeat.
        const isSafe = status === 429 || (status === 503 && method === 'GET')
        if (!isSafe || retryAfterMs === null || retryAfterMs > RETRY_AFTER_MAX_MS || retry >= retries)
          throw problem
        await pause(retryAfterMs, input.signal)
      }
    }
  }

  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await wait(ms, signal)
    signal?.throwIfAborted()
  }

  /** Makes a call. Throws a PortalProblem. The data of a file is a stream of bytes. */
  async function call<Id extends keyof Operations>(
    id: Id,
    ...[input]: InputArguments<Operations[Id]>
  ): Promise<Answer<Operations[Id]>> {
    const answer = await send(id, input, 'application/json, */*;q=0.5')
    return {
      status: answer.status,
      data: await dataOf(answer),
      etag: answer.headers.get('etag'),
      requestId: answer.headers.get('x-request-id'),
      headers: answer.headers
    } as Answer<Operations[Id]>
  }

  /** Yields the lines of an answer as NDJSON as they arrive. Throws a PortalProblem, also if the answer ends early. */
  async function* lines<Id extends keyof Operations>(
    id: Id,
    ...[input]: InputArguments<Operations[Id]>
  ): AsyncGenerator<Operations[Id]['lines']> {
    const answer = await send(id, input, 'application/x-ndjson')
    for await (const line of textLines(answer)) {
      if (line === '') continue
      const value = JSON.parse(line)
      if (isProblem(value)) throw new PortalProblem(value.status, value, null)
      yield value
    }
  }

  /**
   * Yields the events of a live stream until the caller stops. Connects again after each end, failure and minute of silence.
   * Throws the problem if the portal or the token endpoint refuses for good, such as with 401 or 403; the last failure after
   * `failuresMax` in a row; and the reason of the signal when it is aborted.
   */
  async function* events<Id extends keyof Operations>(
    id: Id,
    ...[input, options]: [...InputArguments<Operations[Id]>, options?: StreamOptions]
  ): AsyncGenerator<Operations[Id]['events']> {
    const { signal } = (input ?? {}) as AnyInput
    const { failuresMax = FAILURES_MAX, onReconnect } = (options ?? {}) as StreamOptions
    let namedWaitMs = RECONNECT_MS
    let failures = 0
    for (;;) {
      let error: unknown = new Error('the live stream broke off')
      const connection = new AbortController()
      const signals = signal ? [signal, connection.signal] : [connection.signal]
      const unlessSilent = <T>(work: Promise<T>) => unlessLate(work, SILENCE_MAX_MS, connection)
      try {
        const connectionInput = { ...input, signal: AbortSignal.any(signals) }
        const answer = await unlessSilent(attempt(id, connectionInput, 'text/event-stream'))
        for await (const { event, data, retryMs } of eventsIn(textLines(answer, unlessSilent))) {
          namedWaitMs = Math.min(retryMs ?? namedWaitMs, NAMED_WAIT_MAX_MS)
          if (data === '') continue
          const value = { event, data: JSON.parse(data) }
          failures = 0
          yield value as Operations[Id]['events']
          if (event !== 'end') continue
          error = null
          break
        }
      } catch (failure) {
        signal?.throwIfAborted()
        if (isFinal(failure)) throw failure
        error = failure
      } finally {
        connection.abort()
      }
      if (error !== null) failures += 1
      if (failures >= failuresMax) throw error
      const waitMs = error === null ? namedWaitMs : waitAfter(error, failures, namedWaitMs)
      onReconnect?.({ error, failures, waitMs })
      await pause(waitMs, signal)
    }
  }

  /** Yields the items of all pages, which are fetched one after the other. */
  async function* items<Id extends PagedIds<Operations>>(
    id: Id,
    ...[input]: InputArguments<Operations[Id]>
  ): AsyncGenerator<ItemOf<Operations[Id]>> {
    for (let page = 0; ; page += 1) {
      const query = { ...(input as AnyInput | undefined)?.query, page }
      const answer = await send(id, { ...input, query }, 'application/json')
      const { items: found, page: place } = (await answer.json()) as PageShape
      yield* found as ItemOf<Operations[Id]>[]
      if (page + 1 >= place.totalPages) return
    }
  }

  return { call, lines, events, items }
}

interface PageShape {
  items: unknown[]
  page: { totalPages: number }
}
type OkData<Operation extends OperationTypes> = Operation['answers'] extends { 200: infer Data }
  ? Data
  : never
type PagedIds<Operations extends { [Id in keyof Operations]: OperationTypes }> = {
  [Id in keyof Operations]: OkData<Operations[Id]> extends PageShape ? Id : never
}[keyof Operations]
type ItemOf<Operation extends OperationTypes> =
  OkData<Operation> extends { items: (infer Item)[] } ? Item : never

interface AnyInput {
  path?: object | undefined
  query?: object | undefined
  headers?: object | undefined
  body?: unknown
  signal?: AbortSignal
}

function addressOf(baseUrl: string, path: string, input: AnyInput): string {
  const values = textFields(input.path)
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const text of Array.isArray(value) ? value : [value])
      if (text !== undefined && text !== null) query.append(name, String(text))
  const queryText = query.toString()
  return baseUrl.replace(/\/+$/, '') + filledPath + (queryText === '' ? '' : `?${queryText}`)
}

function textFields(fields: object = {}): Record<string, string> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]))
}

async function dataOf(answer: Response): Promise<unknown> {
  if (answer.status === 304 || answer.status === 204) return undefined
  const type = answer.headers.get('content-type') ?? ''
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return answer.json()
  return answer.body ?? undefined
}

async function problemOf(answer: Response): Promise<PortalProblem> {
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new PortalProblem(answer.status, body, Number.isFinite(seconds) ? seconds * 1000 : null)
}

const isProblem = (value: unknown): value is Record<string, unknown> & { status: number } =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  String(value.type).startsWith('urn:portal:problem:') &&
  'status' in value &&
  typeof value.status === 'number'

/** @param next waits for the next bytes */
async function* textLines(answer: Response, next = <T>(bytes: Promise<T>) => bytes): AsyncGenerator<string> {
  if (answer.body === null) return
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await next(reader.read())
      rest += decoder.decode(value, { stream: !done })
      const complete = rest.split(/\r?\n/)
      rest = complete.pop() ?? ''
      yield* complete
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => {})
  }
}

interface StreamEvent {
  event: string
  data: string
  retryMs: number | null
}

/** Reads server-sent events (HTML Living Standard, section 9.2.6), as far as the portal sends them. */
async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<StreamEvent> {
  const none = { event: 'message', data: '', retryMs: null }
  let current: StreamEvent = { ...none }
  for await (const line of lines) {
    if (line === '') {
      yield current
      current = { ...none }
      continue
    }
    const at = line.indexOf(':')
    const [field, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
    if (field === 'event') current.event = value
    if (field === 'data') current.data += current.data === '' ? value : `\n${value}`
    if (field === 'retry' && /^\d+$/.test(value)) current.retryMs = Number(value)
  }
}

/** Fails, and aborts the connection, unless the work is done in time. */
function unlessLate<T>(work: Promise<T>, ms: number, connection: AbortController): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the live stream was silent for ${ms} ms`))
      connection.abort()
    }, ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether another attempt would be refused as well. A proxy's answer, other than 401 and 403, says nothing about the portal. */
function isFinal(error: unknown): boolean {
  if (error instanceof TokenProblem) return isRefusal(error.status)
  if (!(error instanceof PortalProblem)) return false
  const { status, type } = error
  return status === 401 || status === 403 || (type !== 'about:blank' && isRefusal(status))
}

const isRefusal = (status: number) =>
  status === 501 || (status >= 400 && status < 500 && status !== 408 && status !== 429)

function waitAfter(error: unknown, failures: number, firstMs: number): number {
  const namedMs = error instanceof PortalProblem ? (error.retryAfterMs ?? 0) : 0
  const longestMs = Math.max(firstMs, RECONNECT_MAX_MS)
  // Clients that lost the same portal do not come back together.
  const backoffMs = Math.min(firstMs * 2 ** (failures - 1), longestMs) * (0.5 + Math.random() / 2)
  return Math.max(backoffMs, Math.min(namedMs, NAMED_WAIT_MAX_MS))
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
}

/** The named parts of inputs and answers. */
export declare namespace Schemas {
type Me = {
"user": {
"id": string
/** Id of the user's organization. */
"organizationId": string | null
/** Name of the user's organization. */
"organizationName": string | null
"fullName": string
/** Email address, if the user has one. */
"email": string | null
/** `INTERNAL` is a global admin. */
"userType": "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
"roleAssignments": {
"id": string
"role": "global_admin" | "partner_admin" | "partner_user" | "customer_admin" | "customer_user" | "niagara_remote" | "nds_operator" | "custom" | "noaccess"
/** The scope of the role, which includes all scopes below. */
"scope": string
}[]
}
/** The actions that the roles allow in at least one scope. */
"actions": ("customers:view" | "projects:view" | "devices:view" | "projects:create" | "projects:edit" | "projects:delete" | "devices:register" | "devices:edit" | "devices:move" | "devices:delete" | "exports:view" | "exports:download" | "exports:initiate" | "users:view" | "users:modify-roles" | "service-accounts:view" | "service-accounts:create" | "service-accounts:edit" | "service-accounts:delete" | "service-accounts:regenerate-secret" | "service-accounts:modify-roles" | "data:query-model" | "data:query" | "data:export" | "reports:view" | "reports:create" | "reports:delete" | "recover:view" | "recover:edit" | "recover:delete" | "recover:download" | "remote:connect" | "alarms:query" | "alarms:manage" | "live:read" | "live:write" | "audit-log:view" | "tech-support:toggle")[]
}
type CustomerCard = {
"id": string
"orgName": string
/** Scope path of the customer. */
"scope": string
"projectCount": number
"deviceCount": number
}
type Page = {
/** Number of the page, from 0. */
"number": number
"size": number
"totalPages": number
"totalElements": number
}
type CustomerPage = {
"items": Schemas.CustomerCard[]
"page": Schemas.Page
}
type CustomerName = {
"id": string
"orgName": string
/** Scope path of the customer. */
"scope": string
}
/** The parts that could not be fetched; empty if the answer is complete. */
type Partial = ("subscriptions" | "plans")[]
type ProjectList = {
"customer": Schemas.CustomerName
"projects": {
"id": string
"projectName": string
"deviceCount": number
}[]
"totals": {
"projects": number
"devices": number
}
"partial": Schemas.Partial
}
type Subscription = {
/** `NDS` (data services), `Remote` or `Recover`. */
"offeringCode": string
/** When the subscription starts. */
"startDate": string
/** When the subscription ends. */
"endDate": string
/** Plan limit in GB. NDS only. */
"planLimit"?: number
}
type Device = {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"location": string
"projectName": string | null
"systemGuid": string
/** ISO 8601 UTC; null if unknown. */
"createdDate": string | null
/** Null if the device is not in a known project. */
"projectId": string | null
/** Data usage in percent of the plan limit. Only in lists filtered by `plan`. */
"usagePercent"?: number
/** Empty if the subscriptions could not be fetched. */
"subscriptions": Schemas.Subscription[]
/** The parts of the device that could not be fetched; missing if the device is complete. */
"partial"?: "subscriptions"[]
}
type DevicePage = {
"items": Schemas.Device[]
"page": Schemas.Page
"partial": Schemas.Partial
}
type Usage = {
/** Plan limit in GB; null if unknown. */
"planLimit": number | null
/** The start of the data-services subscription. */
"startDate": string
/** The end of the data-services subscription. */
"endDate": string
/** Usage in the period, in GB. */
"used": number
/** Usage in percent of the plan limit; above 100 if the limit is exceeded. */
"percent": number | null
/** `warning` from 80 %, `exceeded` above 100 %. */
"level": "ok" | "warning" | "exceeded"
/** Usage beyond the plan limit, in GB. */
"over": number
/** The usage bar, in percent of its width. */
"bar": {
/** The filled part. The whole bar is 150 % of the plan limit. */
"fill": number
/** The position of the mark for the plan limit. */
"baseline": number
}
/** Title of the warning; null without a warning. */
"title": string | null
/** Text of the warning; null without a warning. */
"text": string | null
/** `Yearly` if the subscription is older than 13 months. */
"period": "Monthly" | "Yearly"
/** Whether to draw the points: true if the subscription is older than 2 months. */
"graph": boolean
/** Why there is no graph; null if there is one. */
"banner": string | null
/** Sorted by time. */
"points": {
"time": string
/** Usage in GB. */
"value": number
}[]
}
/** RFC 9457. */
type Problem = {
/** Kind of problem, a stable name: `urn:portal:problem:{id}`. */
"type": string
"title": string
"status": number
/** Explanation for people. */
"detail": string
/** The upstream's error code, if there is one. */
"code"?: string
/** Why an upstream refused the body (422). */
"errors"?: {
/** Explanation for people. */
"detail": string
/** The field of the body, if the upstream names one. */
"field"?: string
}[]
/** The id of the call in the gateway's log. */
"requestId": string
}
type Alarm = {
"uuid": string
"deviceId": string
"systemGuid": string
"sourceName": string
"alarmClass": string
"messageText": string
/** When the alarm was raised. */
"timestamp": string
"sourceState": "offnormal" | "fault" | "alert" | "normal"
"alarmTransition"?: string
"ackState": "unacked" | "ackPending" | "acked"
"ackRequired": boolean
"priority": number
/** When the source was normal again. */
"normalTime": string | null
/** When the alarm was acknowledged. */
"ackTime": string | null
/** Who acknowledged the alarm. */
"user": string | null
"notes": {
"text": string
"user": string
"time": string
}[]
"alarmData"?: Record<string, unknown>
/** When the alarm last changed. */
"lastUpdate": string
}
type AlarmPage = {
"items": Schemas.Alarm[]
"page": Schemas.Page
}
type AlarmOfCustomer = {
"uuid": string
"deviceId": string
"systemGuid": string
"sourceName": string
"alarmClass": string
"messageText": string
/** When the alarm was raised. */
"timestamp": string
"sourceState": "offnormal" | "fault" | "alert" | "normal"
"alarmTransition"?: string
"ackState": "unacked" | "ackPending" | "acked"
"ackRequired": boolean
"priority": number
/** When the source was normal again. */
"normalTime": string | null
/** When the alarm was acknowledged. */
"ackTime": string | null
/** Who acknowledged the alarm. */
"user": string | null
"notes": {
"text": string
"user": string
"time": string
}[]
"alarmData"?: Record<string, unknown>
/** When the alarm last changed. */
"lastUpdate": string
"customer": Schemas.CustomerName
"device": {
"deviceUuid": string
"deviceName": string
"projectName": string | null
} | null
}
type OrganizationAlarms = {
"items": Schemas.AlarmOfCustomer[]
"page": Schemas.Page
/** The sums of `totals`. */
"counts": {
/** Number of alarms that need action. */
"action": number
/** Number of them that are not normal. */
"active": number
/** Number of them that are not acknowledged. */
"unacked": number
/** Whether `unacked` may be higher, because more than 100 alarms of a customer are active. */
"unackedIsMinimum": boolean
}
/** The customers whose alarms have been read, sorted by name, also those without alarms. */
"totals": {
"customer": Schemas.CustomerName
/** Number of alarms that need action, of which the newest 100 are in the list. */
"count": number
/** Number of them that are not normal. */
"active": number
/** Number of them that are not acknowledged. At least this number if more than 100 are active. */
"unacked": number
/** When they were read. */
"readAt": string
/** Since when the alarms could not be read as often as they should; absent if they can. */
"delayedSince"?: string
}[]
/** Customers whose alarms have not been read yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these alarms were read; null before the first. */
"readAt": string | null
}
type ServiceRow = {
"customer": Schemas.CustomerName
"device": {
"deviceUuid": string
"deviceName": string
"hostId": string
"projectName": string | null
}
/** `NDS` (data services), `Remote` or `Recover`. */
"service": string
/** When the last subscription has ended, or the first active one ends. */
"endDate": string
}
type ServiceWorklist = {
"items": Schemas.ServiceRow[]
"page": Schemas.Page
/** The customers that have been read, sorted by name. Filters do not change them. */
"totals": {
"customer": Schemas.CustomerName
/** Devices with an ended service that has no later subscription. */
"ended": number
/** Devices with a service that ends within 30 days. */
"ending": number
/** Number of its rows in the list. */
"rows": number
/** Number of further rows, which are not in the list. */
"more": number
/** When they were read. */
"readAt": string
}[]
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
}
type PlanRow = {
"customer": Schemas.CustomerName
"device": {
"deviceUuid": string
"deviceName": string
"hostId": string
"projectName": string | null
}
/** Plan limit in GB. */
"planLimit": number
/** Usage in the period, in GB. */
"used": number
/** Usage in percent of the plan limit; above 100 if it is exceeded. */
"percent": number
/** `warning` from 80 %, `exceeded` above 100 %. */
"level": "warning" | "exceeded"
}
type PlanWorklist = {
"items": Schemas.PlanRow[]
"page": Schemas.Page
/** The customers that have been read, sorted by name. Filters do not change them. */
"totals": {
"customer": Schemas.CustomerName
/** Devices with data usage above the plan limit. */
"exceeded": number
/** Devices with data usage from 80 % to 100 % of the plan limit. */
"warning": number
/** Plans whose usage has not been read yet. */
"unread": number
/** Number of its rows in the list. */
"rows": number
/** Number of further rows, which are not in the list. */
"more": number
/** When they were read. */
"readAt": string
}[]
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
}
type BackupRow = {
"customer": Schemas.CustomerName
"device": {
"deviceUuid": string
"deviceName": string
"hostId": string
"projectName": string | null
}
/** When the last complete backup was made; null if none was found. */
"lastBackup": string | null
/** If `lastBackup` is null: there is no complete backup since this time. Null if there is none at all. */
"noneSince": string | null
}
type BackupWorklist = {
"items": Schemas.BackupRow[]
"page": Schemas.Page
/** The customers that have been read, sorted by name. Filters do not change them. */
"totals": {
"customer": Schemas.CustomerName
/** Devices with Recover, but without a good backup in the last 30 days. */
"missing": number
/** Number of its rows in the list. */
"rows": number
/** Number of further rows, which are not in the list. */
"more": number
/** When they were read. */
"readAt": string
}[]
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
}
type DeviceSearch = {
/** The best matches, the closest first. */
"items": {
/** Whether the keyword is the whole, the start or a part of the name, host ID or uuid. */
"match": "whole" | "start" | "part"
"device": {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"location": string
"projectName": string | null
"systemGuid": string
/** ISO 8601 UTC; null if unknown. */
"createdDate": string | null
/** Null if the device is not in a known project. */
"projectId": string | null
/** Data usage in percent of the plan limit. Only in lists filtered by `plan`. */
"usagePercent"?: number
}
"customer": Schemas.CustomerName
}[]
/** The number of matches in the customers that were searched. */
"total": number
/** `of`: number of customers that the caller may view; `read`: number of searched customers. */
"customers": {
"read": number
"of": number
}
/** Customers that could not be searched. */
"partial": Schemas.CustomerName[]
}
type DeviceRow = {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"location": string
"projectName": string | null
"systemGuid": string
/** ISO 8601 UTC; null if unknown. */
"createdDate": string | null
/** Null if the device is not in a known project. */
"projectId": string | null
/** Data usage in percent of the plan limit. Only in lists filtered by `plan`. */
"usagePercent"?: number
/** Empty if the subscriptions could not be fetched. */
"subscriptions": Schemas.Subscription[]
/** The parts of the device that could not be fetched; missing if the device is complete. */
"partial"?: "subscriptions"[]
"customer": Schemas.CustomerName
/** When its first active subscription ends; null without one. */
"nearestEnd": string | null
}
type OrganizationDevices = {
"items": Schemas.DeviceRow[]
"page": Schemas.Page
/** `of`: number of customers whose devices the caller may view; `read`: those that have been read completely. */
"customers": {
"read": number
"of": number
}
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
}
type Point = {
"displayName": string
"cloudId": string
"systemGuid": string
/** Value and status flags. */
"outValue"?: string
"facets"?: Record<string, unknown>
"links"?: Record<string, unknown>
/** `telemetryId`, `slotPath`, `units`, `range`, `trueText`, `falseText`, `dataType`, `type`, `historyName`, if the point has them. */
"tags"?: Record<string, unknown>
}
type FoundPoints = {
"items": {
"foundBy": "pointNames" | "tagValues" | "tagNames"
"point": Schemas.Point
"device": {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"location": string
"projectName": string | null
"systemGuid": string
/** ISO 8601 UTC; null if unknown. */
"createdDate": string | null
/** Null if the device is not in a known project. */
"projectId": string | null
/** Data usage in percent of the plan limit. Only in lists filtered by `plan`. */
"usagePercent"?: number
}
}[]
/** The number of points that each search finds; null for a search that failed. */
"totals": {
"pointNames": number | null
"tagValues": number | null
"tagNames": number | null
}
/** The searches that failed. */
"partial": ("pointNames" | "tagValues" | "tagNames")[]
}
type SitePoint = {
"point": Schemas.Point
"device": {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"location": string
"projectName": string | null
"systemGuid": string
/** ISO 8601 UTC; null if unknown. */
"createdDate": string | null
/** Null if the device is not in a known project. */
"projectId": string | null
/** Data usage in percent of the plan limit. Only in lists filtered by `plan`. */
"usagePercent"?: number
}
/** The value of a numeric point; null if it has none. */
"number": number | null
/** The value of any other point as people read it; null if it has none. */
"text": string | null
/** Units of the number. */
"units": string
/** The status flags, the most severe first; empty if the status is ok, null if it is unknown. */
"flags": string[] | null
/** False for a disabled, faulty, unreachable, stale or missing value, which no median counts. */
"isValid": boolean
/** Distance of a valid number from the median of the numbers with the same units; null without `name`. */
"fromMedian": number | null
/** When the gateway read the point. */
"readAt": string
/** Since when the gateway has known this status without a change. */
"noticedAt": string
}
type SitePoints = {
"items": Schemas.SitePoint[]
"page": Schemas.Page
/** How much has been read. */
"devices": {
/** Devices of the customer, or of the project. */
"total": number
/** Devices whose points have been read. */
"read": number
/** Devices without active Data Services, which have no points here. */
"withoutService": number
/** Devices whose points could not be read. They are read again after 10 seconds. */
"failed": number
}
/** `total`: the number of points that the API announces; null if it is unknown. */
"points": {
"read": number
"total": number | null
}
/** The 500 most frequent names with the number of their points, independent of filters except `projectId`. */
"names": {
"name": string
"count": number
}[]
/** Points whose status is not ok, independent of filters except `projectId`. */
"exceptions": number
/** The number of points with each flag, and with `ok`, among those with the name. */
"statuses": {
"flag": string
"count": number
}[]
"summary": {
/** Valid numbers of the points with the name, for each of up to 20 units. */
"numbers": {
"units": string
"count": number
"lowest": number
"median": number
"highest": number
/** Half of the numbers are at most this far from the median. */
"spread": number
}[]
/** The 20 most frequent values that are no numbers, of the points with the name. */
"states": {
"text": string
"count": number
}[]
}
/** Up to 100 devices that have not been read. Empty when the answer is complete. */
"partial": {
"deviceUuid": string
"deviceName": string
"reason": "waiting" | "failed"
}[]
/** Whether points are being read. Then repeat the call. */
"isReading": boolean
/** When the last complete reading began; null before the first one. */
"readAt": string | null
}
type SitePointsSummary = {
/** How much has been read. */
"devices": {
/** Devices of the customer, or of the project. */
"total": number
/** Devices whose points have been read. */
"read": number
/** Devices without active Data Services, which have no points here. */
"withoutService": number
/** Devices whose points could not be read. They are read again after 10 seconds. */
"failed": number
}
/** `total`: the number of points that the API announces; null if it is unknown. */
"points": {
"read": number
"total": number | null
}
/** The 500 most frequent names with the number of their points, independent of filters except `projectId`. */
"names": {
"name": string
"count": number
}[]
/** Points whose status is not ok, independent of filters except `projectId`. */
"exceptions": number
/** The number of points with each flag, and with `ok`, among those with the name. */
"statuses": {
"flag": string
"count": number
}[]
"summary": {
/** Valid numbers of the points with the name, for each of up to 20 units. */
"numbers": {
"units": string
"count": number
"lowest": number
"median": number
"highest": number
/** Half of the numbers are at most this far from the median. */
"spread": number
}[]
/** The 20 most frequent values that are no numbers, of the points with the name. */
"states": {
"text": string
"count": number
}[]
}
/** Up to 100 devices that have not been read. Empty when the answer is complete. */
"partial": {
"deviceUuid": string
"deviceName": string
"reason": "waiting" | "failed"
}[]
/** Whether points are being read. Then repeat the call. */
"isReading": boolean
/** When the last complete reading began; null before the first one. */
"readAt": string | null
}
type CustomerTree = {
"customerId": string
/** When the gateway assembled the tree. */
"assembledAt": string
"partial": Schemas.Partial
"projects": {
"id": string
"projectName": string
"devices": Schemas.Device[]
}[]
/** Devices without a known project. */
"unassigned": Schemas.Device[]
}
type ReportDataPoint = {
"deviceUuid": string
"cloudId": string
"deviceName": string
"pointName": string
"units": string
"kind": "Numeric" | "Boolean" | "Enum" | "String"
/** The texts of the values of a boolean (0 and 1) or an enum. */
"states": {
"value": number
"text": string
}[]
/** Why there are no records of this point: its absence from `records` says nothing. Empty otherwise. */
"partial": ("device" | "point" | "history")[]
}
type ReportDataRecord = {
"deviceUuid": string
"cloudId": string
/** When it was recorded; for `hour` and `day`, when the period begins. */
"time": string
/** As recorded. For `hour` and `day`: the average of the valid numbers of the period, weighted by time if they are recorded on change; of other kinds the value at the beginning of the period, which may be recorded up to a year before the range. */
"value": unknown
/** Status flags of the record, such as `fault`, if there are any. */
"status"?: string
}
type ReportSummary = {
"deviceUuid": string
"cloudId": string
/** The records with a valid value. */
"records": number
/** The least number; null without one, and for states. */
"min": number | null
/** When it was recorded, or began to hold in the range. */
"minTime": string | null
"max": number | null
"maxTime": string | null
/** Weighted by time if the numbers are recorded on change; measured numbers count once each. */
"average": number | null
/** The last number, or the value of the last state. */
"last": number | null
/** How long each state lasted, and its share of the time that is known. Empty for numbers. */
"states": {
"value": number
"text": string
"seconds": number
"share": number
}[]
/** How often the state changed from 0 to another one. */
"starts": number
/** How often the state changed. */
"changes": number
/** The same of the period that it is compared with. */
"before"?: {
/** The records with a valid value. */
"records": number
/** The least number; null without one, and for states. */
"min": number | null
/** When it was recorded, or began to hold in the range. */
"minTime": string | null
"max": number | null
"maxTime": string | null
/** Weighted by time if the numbers are recorded on change; measured numbers count once each. */
"average": number | null
/** The last number, or the value of the last state. */
"last": number | null
/** How long each state lasted, and its share of the time that is known. Empty for numbers. */
"states": {
"value": number
"text": string
"seconds": number
"share": number
}[]
/** How often the state changed from 0 to another one. */
"starts": number
/** How often the state changed. */
"changes": number
}
/** The average minus the average of the period that it is compared with; null if one of them is not known. */
"change"?: number | null
}
type ReportData = {
"reportId": string
"reportName": string
"timeZone": string
"from": string
/** Records at this time are not included. */
"to": string
"interval": "raw" | "hour" | "day" | "summary"
"points": Schemas.ReportDataPoint[]
/** What is missing at some of the points. */
"partial": ("device" | "point" | "history")[]
/** In the order of time. Empty for `summary`. */
"records": Schemas.ReportDataRecord[]
/** For each point, in the order of `points`; only for `summary`. */
"summary"?: Schemas.ReportSummary[]
/** The period that `compare` asks for. */
"compared"?: {
"from": string
"to": string
}
}
type Attention = {
/** Sorted by name. */
"items": {
"id": string
"orgName": string
/** Scope path of the customer. */
"scope": string
"projectCount": number
"deviceCount": number
/** A count is absent if the caller may not see it, and null until it is fetched. */
"counts": {
/** Devices with an ended service that has no later subscription. */
"servicesEnded"?: {
"count": number
/** When the data was fetched; for data from several calls, the oldest time. */
"readAt": string
/** Number of plans whose usage is not fetched yet: the count may grow. */
"unread"?: number
} | null
/** Devices with data usage above the plan limit. */
"plansExceeded"?: {
"count": number
/** When the data was fetched; for data from several calls, the oldest time. */
"readAt": string
/** Number of plans whose usage is not fetched yet: the count may grow. */
"unread"?: number
} | null
/** Alarms that are not back to normal, or not acknowledged. */
"alarms"?: {
"count": number
/** When the data was fetched; for data from several calls, the oldest time. */
"readAt": string
/** Number of plans whose usage is not fetched yet: the count may grow. */
"unread"?: number
} | null
/** Devices with a service that ends within 30 days. */
"servicesEnding"?: {
"count": number
/** When the data was fetched; for data from several calls, the oldest time. */
"readAt": string
/** Number of plans whose usage is not fetched yet: the count may grow. */
"unread"?: number
} | null
/** Devices with data usage from 80 % to 100 % of the plan limit. */
"plansWarning"?: {
"count": number
/** When the data was fetched; for data from several calls, the oldest time. */
"readAt": string
/** Number of plans whose usage is not fetched yet: the count may grow. */
"unread"?: number
} | null
/** Devices with Recover, but without a good backup in the last 30 days. */
"withoutBackup"?: {
"count": number
/** When the data was fetched; for data from several calls, the oldest time. */
"readAt": string
/** Number of plans whose usage is not fetched yet: the count may grow. */
"unread"?: number
} | null
}
/** Counts whose last fetch failed. */
"partial": ("servicesEnded" | "plansExceeded" | "alarms" | "servicesEnding" | "plansWarning" | "withoutBackup")[]
}[]
/** Counts that are incomplete for at least one customer. */
"partial": ("servicesEnded" | "plansExceeded" | "alarms" | "servicesEnding" | "plansWarning" | "withoutBackup")[]
}
type AlarmsEvent = {
"customerId": string
/** Number of alarms that need action; null until they have been read. */
"count": number | null
/** When the newest of these alarms was raised; null if there is none. */
"newestAt": string | null
/** Changes with the number or one of the newest 100 alarms; null until they have been read. */
"tag": string | null
/** When they were read; null until they have been read. */
"readAt": string | null
/** Since when the alarms could not be read as often as they should; absent if they can. */
"delayedSince"?: string
}
type CountsEvent = {
"organizationId": string
/** Changes with the organization's customers, their counts of projects and devices, or what needs attention. */
"tag": string
}
type InventoryEvent = {
"customerId": string
/** Changes with the projects or devices of the customer. */
"tag": string
}
type RolesEvent = {
/** Changes with the caller's roles. */
"tag": string
}
type EndEvent = {
/** `session`: the session or token has ended; `roles`: the roles have changed, connect again; `rotation`: the stream has reached its longest time, connect again; `stopping`: this replica stops, connect again after `retry`; `unavailable`: rights cannot be checked at the moment, connect again after `retry`. */
"reason": "session" | "roles" | "rotation" | "stopping" | "unavailable"
}
/** The name of an event, and its `data` as JSON. */
type LiveEvent = {
"event": "alarms"
"data": Schemas.AlarmsEvent
} | {
"event": "counts"
"data": Schemas.CountsEvent
} | {
"event": "inventory"
"data": Schemas.InventoryEvent
} | {
"event": "roles"
"data": Schemas.RolesEvent
} | {
"event": "end"
"data": Schemas.EndEvent
}
type Href = {
"href": string
}
type RoleAssignment = {
"id": string
"roleName": string
/** A scope path. */
"scope": string
"_links": {
"role": Schemas.Href
}
}
type User = {
"id": string
"fullName": string
"email": string
"organizationId": string | null
"organizationName": string | null
/** `INTERNAL` is a global admin. */
"userType": "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
"status": "ACTIVE" | "DISABLED"
/** Null if never. */
"lastActiveDate"?: string | null
"roleAssignments": Schemas.RoleAssignment[]
}
type UserInvitation = {
"id": string
"partnerName": string
"email": string
"invitedBy": string
"customerName": string | null
"message"?: string | null
"createdDate": string
"expiresDate": string
"status": "PENDING" | "ACCEPTED" | "REJECTED" | "EXPIRED"
"roleAssignments": Schemas.RoleAssignment[]
}
type Role = {
"roleNumber": number
"name": string
"_links": {
"self": Schemas.Href
}
}
type NewRoleAssignment = {
/** A role by its number. */
"role": string
/** A scope path. */
"scope": string
}
/** At most 100 changes in all lists together. */
type RoleChanges = {
"create"?: Schemas.NewRoleAssignment[]
"update"?: {
/** Id of an assignment. */
"id": string
/** A role by its number. */
"role": string
/** A scope path. */
"scope": string
}[]
"delete"?: string[]
}
type NewUserInvitation = {
"email": string
"message"?: string
/** `/organizations/{id}` of the customer; null for an object of the integrator itself. */
"customer"?: string | null
/** `/organizations/{id}` of the integrator. */
"partner": string
"roleAssignments": Schemas.NewRoleAssignment[]
}
type Organization = {
"id": string
"orgName": string
"isTechViewEnabled": boolean
"projectCount": number
"deviceCount": number
/** Id of the integrator of a customer. */
"partnerId"?: string
}
type ManagedProject = {
"id": string
"projectName": string
"_links": {
"customer": Schemas.Href
"partner": Schemas.Href
}
}
type ManagedDevice = {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"location": string
"projectName": string | null
"systemGuid": string
"createdDate"?: string
"projectId": string
}
type AuditLogEntry = {
"id": string
"timestamp": string
"actor": {
"id": string
"name": string
"type": "USER" | "SERVICE_ACCOUNT" | "SYSTEM" | "SUPPORT"
"email"?: string | null
}
"action": string
"outcome": string
"resource": {
"type": string
"id": string
"name": string | null
}
/** The device that the action was about. */
"device"?: {
"id": string
"deviceUuid": string
"name": string
} | null
"customerId": string | null
"customerName": string | null
"changes"?: {
"field": string
"before": string | null
"after": string | null
}[]
"ipAddress"?: string | null
"userAgent"?: string | null
"correlationId"?: string | null
}
type NewProject = {
"projectName": string
/** `/organizations/{id}` of the customer; null for an object of the integrator itself. */
"customer"?: string | null
"partner"?: string | null
/** The customer, instead of `customer`. */
"customerId"?: string
/** The integrator, instead of `partner`. */
"partnerId"?: string
}
type ProjectChange = {
"projectName": string
}
type DeviceChange = {
"project"?: string
"deviceName"?: string
"location"?: string
}
type DeviceSubscription = {
"deviceUuid": string
/** `NDS` (data services), `Remote` or `Recover`. */
"offeringCode": string
/** When the subscription starts. */
"startDate": string
/** When the subscription ends. */
"endDate": string
/** Plan limit in GB. NDS only. */
"planLimit"?: number
}
type ServiceAccount = {
"id": string
"serviceName": string
"description": string
"clientId": string
"createdBy": string
/** Null if the service account has no secret yet. */
"secretExpiration": string | null
"createdDate": string
/** Null if never. */
"lastUsedDate"?: string | null
"customer"?: string | null
"partner"?: string | null
"roleAssignments": Schemas.RoleAssignment[]
}
type NewServiceAccount = {
"serviceName": string
"description"?: string
/** `/organizations/{id}` of the customer; null for an object of the integrator itself. */
"customer"?: string | null
/** `/organizations/{id}` of the integrator. */
"partner": string
"roleAssignments": Schemas.NewRoleAssignment[]
}
type ServiceAccountChange = {
"serviceName"?: string
"description"?: string
}
type NewSecret = {
/** When the secret expires. */
"expiration": string
}
type License = {
"licenseId": string
"niagaraLicenseId": string
"customerName": string
"features": {
"subscriptions": {
"offeringCode": string
}[]
}
}
type NewDevice = {
/** The code that the device shows: 8 characters. */
"userCode": string
/** One of the licenses that the code offers. */
"licenseId": string
"customer": string
"project": string
"deviceName": string
"location": string
}
type Reregistration = {
/** The code that the device shows: 8 characters. */
"userCode": string
/** One of the licenses that the code offers. */
"licenseId": string
/** Uuid of the device. */
"deviceUuid": string
}
type NotificationPreference = {
/** 1: subscription updates, 2: service-account updates. */
"eventTypeId": number
"notificationType": string
"subscribe": boolean
}
type NotificationPreferenceChange = {
/** 1: subscription updates, 2: service-account updates. */
"eventTypeId": number
/** How notifications are sent. */
"notificationType": string
"subscribe": boolean
}
type Notification = {
"notificationId": string
"subject": string
/** Text with {placeholders}, which are the keys of `substitutions`. */
"content": string
"generatedDate": string
"readStatus": boolean
/** `number_of_days_for_expiry`, `service_account_id`, `service_account_name`, `subscription_name`, `customer_id`, `licensing_website_link`, if the notification has them. */
"substitutions": Record<string, unknown>
}
type NotificationMarks = {
"readStatus": boolean
/** Marks all and ignores `notificationIds`. */
"readAllNotifications"?: boolean
"notificationIds"?: string[]
}
type PointSearch = {
/** The system (device) that has the points. */
"systemGuid"?: string
"searchItems": string[]
"searchType": "pointNames" | "tagValues" | "tagNames"
"comparisonType"?: "CONTAINS" | "STARTS_WITH" | "EQUALS"
}
type CountedPage = {
/** Number of the page, from 0. */
"number": number
"size": number
"totalPages"?: number
"totalElements"?: number
}
type HistoryQuery = {
/** The system (device) that has the points. */
"systemGuid": string
"pointIds": string[]
/** ISO 8601, UTC. */
"startTime": string
/** ISO 8601, UTC. */
"endTime": string
"limit"?: number
}
type Histories = {
"systemGuid": string
"pointDetails": {
"pointId": string
"historyRecords": {
"timestamp": string
"value": unknown
"status"?: string
}[]
}[]
"nextStartTime"?: string
}
type Report = {
"reportId": string
"reportName": string
"reportDetails": {
"selectedDateFilter": string
/** Devices and points, each as an identifier or as a whole object. */
"selectedPoints": {
"device": unknown
"point": unknown
}[]
}
"startTime": string | null
"endTime": string | null
"customerId"?: string
"customerName"?: string
"createdBy"?: string
"createdDate"?: string
"lastModifiedDate"?: string
}
type ReportBody = {
"reportName": string
"reportDetails": {
"selectedDateFilter": string
"selectedPoints": {
"device": string | {
"id"?: string
"deviceUuid"?: string
"systemGuid"?: string
"deviceName"?: string
"name"?: string
"hostId"?: string
"location"?: string
"projectId"?: string | null
"projectName"?: string | null
"createdDate"?: string | null
}
"point": string | {
"cloudId"?: string
"systemGuid"?: string
"displayName"?: string
}
"deviceName"?: string
"pointName"?: string
}[]
}
"startTime"?: string | null
"endTime"?: string | null
}
type ReportChange = {
"reportName"?: string
"reportDetails"?: {
"selectedDateFilter": string
"selectedPoints": {
"device": string | {
"id"?: string
"deviceUuid"?: string
"systemGuid"?: string
"deviceName"?: string
"name"?: string
"hostId"?: string
"location"?: string
"projectId"?: string | null
"projectName"?: string | null
"createdDate"?: string | null
}
"point": string | {
"cloudId"?: string
"systemGuid"?: string
"displayName"?: string
}
"deviceName"?: string
"pointName"?: string
}[]
}
"startTime"?: string | null
"endTime"?: string | null
}
type Export = {
"id": string
"exportName": string
"customerId": string
"timeZone": string
"createdBy": string
"customerName": string | null
"status": "QUEUED" | "RUNNING" | "READY" | "FAILED" | "CANCELLED" | "EXPIRED"
"progress": number
"format": "CSV" | "JSON"
"startTime": string
"endTime": string
"pointCount": number
"rowCount": number | null
"sizeBytes": number | null
"createdDate": string
"completedDate": string | null
"expiresDate": string | null
"failureReason": string | null
"request": {
"selectedPoints": {
"systemGuid": string
"pointIds": string[]
}[]
}
}
type NewExport = {
"exportName": string
/** The customer that has the points. */
"customerId": string
"selectedPoints": {
"systemGuid": string
"pointIds": string[]
}[]
/** ISO 8601, UTC. */
"startTime": string
/** ISO 8601, UTC. */
"endTime": string
"format": "CSV" | "JSON"
/** IANA name of a time zone. */
"timeZone": string
}
type ReadCommand = {
"cloudIds": string[]
/** Urgency of the command. The portal uses 255. */
"requestProcessingPriority": number
}
type PointValue = {
"cloudId": string
"status": string
"value": unknown
/** Time on the device's clock. */
"timestamp": string
/** Why the point could not be read. */
"error"?: string
}
type ReadAllCommand = {
"cloudIds": string[]
/** Urgency of the command. The portal uses 255. */
"priority": number
}
type WriteCommand = {
"points": {
/** `cloudId` of a point. */
"cloudId": string
"value": boolean | number | string | null
}[]
/** Urgency of the command. The portal uses 255. */
"requestProcessingPriority": number
}
type PointOutcome = {
"cloudId": string
"status": "OK" | "FAILED"
"error"?: string
}
type ClearCommand = {
"points": {
/** `cloudId` of a point. */
"cloudId": string
}[]
/** Urgency of the command. The portal uses 255. */
"requestProcessingPriority": number
}
type AcknowledgeCommand = {
"alarmUuids": string[]
/** Urgency of the command. The portal uses 255. */
"requestProcessingPriority": number
}
type AcceptedCommand = {
"commandId"?: string
}
type EditAlarmDataCommand = {
"alarms": {
/** `uuid` of an alarm. */
"uuid": string
"notes": string
}[]
/** Urgency of the command. The portal uses 255. */
"requestProcessingPriority": number
}
type AcknowledgeItem = {
"deviceId": string
"alarmUuids": string[]
/** Urgency of the command. The portal uses 255. */
"requestProcessingPriority": number
}
type DeviceOutcome = {
"deviceId": string
"status": string
"error"?: string
}
type AlarmSearch = {
"systemGuids"?: string[]
"sourceStates"?: ("offnormal" | "fault" | "alert" | "normal")[]
"ackStates"?: ("unacked" | "ackPending" | "acked")[]
"alarmClasses"?: string[]
"priorityFrom"?: number
"priorityTo"?: number
/** ISO 8601, UTC. */
"startTime"?: string
/** ISO 8601, UTC. */
"endTime"?: string
"keyword"?: string
}
type Backup = {
"id": string
"deviceUuid": string
"deviceName": string
"hostId": string
"stationName": string
"niagaraVersion": string
"backupDate": string
/** How the backup was started. */
"trigger": "MANUAL" | "SCHEDULED"
"status": "RUNNING" | "COMPLETE" | "FAILED"
"sizeBytes": number | null
"notes": string | null
"retained": boolean
"checksum": string | null
}
type BackupChange = {
"notes"?: string
"retained"?: boolean
}
}

/** The types of each operation's inputs and answers. */
export interface Operations {
/** Describe the API */
"openapi": {
path: {}
query: {}
headers: {
/** The `ETag` of the document that the caller has. */
"if-none-match"?: string
}
body: never
answers: { 200: {
"openapi": string
} & Record<string, unknown>; 304: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Get the caller with their roles */
"portal.me": {
path: {}
query: {}
headers: {}
body: never
answers: { 200: Schemas.Me }
lines: never
events: never
problems: 401 | 403 | 429 | 502 | 503 | 504
}
/** List the customers of an integrator */
"portal.customers": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Part of the name; case is ignored. */
"keyword"?: string
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.CustomerPage }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the projects of a customer */
"portal.projects": {
path: {
/** Id of the customer. */
"customerId": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.ProjectList }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the devices of a customer */
"portal.devices": {
path: {
/** Id of the customer. */
"customerId": string
}
query: {
/** Only the devices of this project. */
"projectId"?: string
/** Part of `hostId`, `deviceName`, `projectName`, `location`; white space and case are ignored. Nothing matches a text with one of `* < > " ' % ( ) & + / ^ | ? [ ] \`. */
"q"?: string
/** `words`: also the device whose uuid is `q`, and devices that have each word of `q` in their name or project, at least one of them in their name. */
"match"?: "words"
/** Only devices with an active subscription of this service. */
"service"?: "NDS" | "Remote" | "Recover"
/** Only devices with an active subscription that ends within this number of days, rounded up. With `service`, only subscriptions of that service count. `0`: only devices with an ended service that has no later subscription. */
"expires"?: 0 | 7 | 30
/** Only devices at this level of data usage. While usage is still being fetched, devices may be missing and `partial` contains `plans`. */
"plan"?: "warning" | "exceeded"
/** The field to sort by. `nearestEnd`: when the first active subscription ends; devices without one come last in both orders. `usagePercent` requires `plan`. */
"sort"?: "deviceName" | "hostId" | "projectName" | "location" | "nearestEnd" | "usagePercent"
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.DevicePage }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Get one device */
"portal.device": {
path: {
/** Id of the customer. */
"customerId": string
/** Uuid of the device. */
"deviceUuid": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.Device }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Get the usage metrics of a device */
"portal.usage": {
path: {
/** Id of the customer. */
"customerId": string
/** Uuid of the device. */
"deviceUuid": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.Usage }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the alarms of a customer */
"portal.alarms": {
path: {
/** Id of the customer. */
"customerId": string
}
query: {
/** Only alarms of this system (device). */
"systemGuid"?: string
/** Only alarms of the first 1,000 devices of this project. */
"projectId"?: string
/** Only alarms whose source is in this state. Repeat the parameter to allow several. */
"sourceStates"?: ("offnormal" | "fault" | "alert" | "normal")[]
/** Only alarms of this class. Repeat the parameter to allow several. */
"alarmClasses"?: string[]
/** Only alarms of this priority, or of less urgent ones. 1 is the most urgent. */
"priorityFrom"?: number
/** Only alarms of this priority, or of more urgent ones. */
"priorityTo"?: number
/** Only alarms raised since this time. */
"startTime"?: string
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Part of the source or of the message. */
"keyword"?: string
/** `action`: alarms that are not normal or not acknowledged. `active`: alarms that are not normal. `unacked`: alarms that are not acknowledged. `all`: all stored alarms. */
"show"?: "action" | "active" | "unacked" | "all"
/** The field to sort by. */
"sort"?: "timestamp" | "sourceName" | "sourceState" | "ackState" | "priority" | "alarmClass" | "normalTime" | "user" | "ackTime"
/** Ascending or descending. Equal alarms are sorted by time, the newest first. */
"order"?: "asc" | "desc"
}
headers: {}
body: never
answers: { 200: Schemas.AlarmPage }
lines: Schemas.Alarm
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the alarms of all customers of an integrator that need action */
"portal.organization-alarms": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Only alarms of this system (device). */
"systemGuid"?: string
/** Only alarms of the first 1,000 devices of this project, which belongs to `customerId`. */
"projectId"?: string
/** Only alarms whose source is in this state. Repeat the parameter to allow several. */
"sourceStates"?: ("offnormal" | "fault" | "alert" | "normal")[]
/** Only alarms of this class. Repeat the parameter to allow several. */
"alarmClasses"?: string[]
/** Only alarms of this priority, or of less urgent ones. 1 is the most urgent. */
"priorityFrom"?: number
/** Only alarms of this priority, or of more urgent ones. */
"priorityTo"?: number
/** Only alarms raised since this time. */
"startTime"?: string
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Only alarms of this customer. */
"customerId"?: string
/** Part of the source, the message, the class or the name of the customer; case is ignored. */
"keyword"?: string
/** `action`: alarms that are not normal or not acknowledged. `active`: alarms that are not normal. `unacked`: alarms that are not acknowledged. */
"show"?: "action" | "active" | "unacked"
/** The field to sort by. By default `band`: the priorities 1 to 63, then those up to 127, 191 and 255; in each band the newest first. */
"sort"?: "timestamp" | "sourceName" | "sourceState" | "ackState" | "priority" | "alarmClass" | "normalTime" | "user" | "ackTime" | "customer" | "band"
/** Ascending (by default, if `sort` is `band`) or descending (by default, if it is another). Equal alarms are sorted by time, the newest first. */
"order"?: "asc" | "desc"
/** @deprecated Use `keyword`. */
"q"?: string
/** @deprecated Use `sourceStates`. */
"states"?: ("offnormal" | "fault" | "alert" | "normal")[]
}
headers: {}
body: never
answers: { 200: Schemas.OrganizationAlarms }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the services of all customers that have ended or end soon */
"portal.worklist-services": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Part of the name or host ID of the device, or of the name of its project or customer; or several words, each in the name of the device, its project or its customer, and at least one in the name of the device. White space and case are ignored. */
"q"?: string
/** Only rows of this customer. */
"customerId"?: string
/** The field to sort by. */
"sort"?: "customer" | "deviceName" | "hostId" | "projectName" | "service" | "endDate"
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Only this service. */
"service"?: "NDS" | "Remote" | "Recover"
/** Only services that end within this number of days, rounded up. `0`: only services that have ended. By default those that have ended, and those that end within 90 days. */
"days"?: 0 | 30 | 90
}
headers: {}
body: never
answers: { 200: Schemas.ServiceWorklist }
lines: {
/** The customers that have been read, sorted by name. Filters do not change them. */
"totals": {
"customer": Schemas.CustomerName
/** Devices with an ended service that has no later subscription. */
"ended": number
/** Devices with a service that ends within 30 days. */
"ending": number
/** Number of its rows in the list. */
"rows": number
/** Number of further rows, which are not in the list. */
"more": number
/** When they were read. */
"readAt": string
}[]
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
} | Schemas.ServiceRow
events: never
problems: 400 | 401 | 403 | 404 | 406 | 429 | 502 | 503 | 504
}
/** List the plans of all customers whose usage is close to the limit or above */
"portal.worklist-plans": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Part of the name or host ID of the device, or of the name of its project or customer; or several words, each in the name of the device, its project or its customer, and at least one in the name of the device. White space and case are ignored. */
"q"?: string
/** Only rows of this customer. */
"customerId"?: string
/** The field to sort by. */
"sort"?: "customer" | "deviceName" | "hostId" | "projectName" | "planLimit" | "used" | "percent"
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Only plans at this level of usage. */
"level"?: "warning" | "exceeded"
}
headers: {}
body: never
answers: { 200: Schemas.PlanWorklist }
lines: {
/** The customers that have been read, sorted by name. Filters do not change them. */
"totals": {
"customer": Schemas.CustomerName
/** Devices with data usage above the plan limit. */
"exceeded": number
/** Devices with data usage from 80 % to 100 % of the plan limit. */
"warning": number
/** Plans whose usage has not been read yet. */
"unread": number
/** Number of its rows in the list. */
"rows": number
/** Number of further rows, which are not in the list. */
"more": number
/** When they were read. */
"readAt": string
}[]
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
} | Schemas.PlanRow
events: never
problems: 400 | 401 | 403 | 404 | 406 | 429 | 502 | 503 | 504
}
/** List the devices of all customers without a good backup */
"portal.worklist-backups": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Part of the name or host ID of the device, or of the name of its project or customer; or several words, each in the name of the device, its project or its customer, and at least one in the name of the device. White space and case are ignored. */
"q"?: string
/** Only rows of this customer. */
"customerId"?: string
/** The field to sort by. */
"sort"?: "customer" | "deviceName" | "hostId" | "projectName" | "lastBackup"
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.BackupWorklist }
lines: {
/** The customers that have been read, sorted by name. Filters do not change them. */
"totals": {
"customer": Schemas.CustomerName
/** Devices with Recover, but without a good backup in the last 30 days. */
"missing": number
/** Number of its rows in the list. */
"rows": number
/** Number of further rows, which are not in the list. */
"more": number
/** When they were read. */
"readAt": string
}[]
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
} | Schemas.BackupRow
events: never
problems: 400 | 401 | 403 | 404 | 406 | 429 | 502 | 503 | 504
}
/** Search the devices of all customers of an integrator */
"portal.search": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Part of the name, host ID or uuid; white space and case are ignored. If there are several words, some may be in the project or the name of the customer, but at least one must be in the name of the device. Nothing matches a blank text, or a text with one of `* < > " ' % ( ) & + / ^ | ? [ ] \`. */
"q": string
/** Maximum number of results. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.DeviceSearch }
lines: Schemas.DeviceSearch
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the devices of all customers of an integrator */
"portal.organization-devices": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Part of the name, host ID, location or project of the device, or of the name of its customer; or the whole uuid of the device; or several words, each in the name of the device, its project or its customer, and at least one in the name of the device. White space and case are ignored. Nothing matches a text with one of `* < > " ' % ( ) & + / ^ | ? [ ] \`. */
"q"?: string
/** Only devices of this customer. */
"customerId"?: string
/** Only devices with an active subscription of this service. */
"service"?: "NDS" | "Remote" | "Recover"
/** The field to sort by. `nearestEnd`: when the first active subscription ends; devices without one come last in both orders. */
"sort"?: "deviceName" | "hostId" | "projectName" | "location" | "customer" | "nearestEnd"
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.OrganizationDevices }
lines: {
/** `of`: number of customers whose devices the caller may view; `read`: those that have been read completely. */
"customers": {
"read": number
"of": number
}
/** Customers that have not been read completely yet, or could not be read the last time. */
"partial": Schemas.CustomerName[]
/** When the oldest of these rows were read; null before the first. */
"readAt": string | null
} | Schemas.DeviceRow
events: never
problems: 400 | 401 | 403 | 404 | 406 | 429 | 502 | 503 | 504
}
/** Search the points of all devices of a customer */
"portal.points": {
path: {
/** Id of the customer. */
"customerId": string
}
query: {
/** Part of the name, of a tag or of the slot path; case is ignored. The text may begin with the name, host ID or uuid of a device, or with the first characters of one: then the rest is searched in that device. */
"q": string
/** Maximum number of results. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.FoundPoints }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the points of all devices of a customer with their values */
"portal.point-values": {
path: {
/** Id of the customer. */
"customerId": string
}
query: {
/** The name of the points, or a part of it; case is ignored. Without it, all points. */
"name"?: string
/** How `name` is compared. */
"match"?: "equals" | "contains"
/** Only points with this status flag: `disabled`, `fault`, `down`, `alarm`, `stale`, `overridden`, `null`, `unackedAlarm`, or another one that the answer lists. `ok`: no flag. `exception`: any. */
"status"?: string
/** Only points of devices of this project. */
"projectId"?: string
/** The field to sort by. `fromMedian`: the size of the distance. `status`: the most severe first. Points without the value come last in both orders. */
"sort"?: "device" | "project" | "name" | "value" | "fromMedian" | "status" | "noticedAt" | "readAt"
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
}
headers: {}
body: never
answers: { 200: Schemas.SitePoints }
lines: Schemas.SitePointsSummary | Schemas.SitePoint
events: never
problems: 400 | 401 | 403 | 404 | 406 | 429 | 502 | 503 | 504
}
/** Get all data of a customer */
"portal.tree": {
path: {
/** Id of the customer. */
"customerId": string
}
query: {}
headers: {
/** The `ETag` of the answer that the caller has cached. */
"if-none-match"?: string
}
body: never
answers: { 200: Schemas.CustomerTree; 304: undefined }
lines: Schemas.Device
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Get the records of a report's points */
"portal.report-data": {
path: {
/** Id of the customer. */
"customerId": string
/** Id of the saved report. */
"reportId": string
}
query: {
/** The beginning. A time without an offset is in `timeZone`. Without `from` and `to`: the range of the report. */
"from"?: string
/** The end, which is not included. At most five years after `from`. */
"to"?: string
/** Each record; or one value for each hour or day of `timeZone` in which the point has one: the average of numbers, and the state at the beginning; or one summary of the whole range for each point. Numbers that are recorded on change hold until the next record, and are weighted by time; measured numbers count once each. The charts have the same averages, and the summary on the screen the same numbers. */
"interval"?: "raw" | "hour" | "day" | "summary"
/** For `summary`: also sums up the period before, as the charts compare it (the same part of the month before for Month-To-Date, the month before for a whole month), or the same days of the year before. */
"compare"?: "before" | "year"
/** IANA name of the zone for hours, days and relative ranges such as Month-To-Date. A report has no zone of its own. */
"timeZone"?: string
}
headers: {}
body: never
answers: { 200: Schemas.ReportData }
lines: Schemas.ReportDataPoint | Schemas.ReportDataRecord | Schemas.ReportSummary
events: never
problems: 400 | 401 | 403 | 404 | 406 | 422 | 429 | 502 | 503 | 504
}
/** Count what needs attention, for each customer of an integrator */
"portal.attention": {
path: {
/** Id of the integrator, or of the customer that the caller belongs to. */
"organizationId": string
}
query: {
/** Ids of customers whose counts are fetched before all others, such as those on a screen. Repeat the parameter to name several. Ids of customers that the caller may not see are ignored. Callers with the same rights share what is fetched: the latest call with this parameter decides. */
"first"?: string[]
/** Counts older than this number of seconds are fetched again in the background. By default, services and backups are fetched again after 30 minutes, plans after 60. Alarms are always read again, see `GET /events`. */
"maxAge"?: number
}
headers: {
/** The `ETag` of the answer that the caller has cached. */
"if-none-match"?: string
}
body: never
answers: { 200: Schemas.Attention; 304: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Follow what changes, as server-sent events */
"portal.events": {
path: {}
query: {
/** Events about this customer. */
"customerId"?: string
/** Events about the customers of this integrator, or of the organization that the caller belongs to. */
"organizationId"?: string
}
headers: {}
body: never
answers: { 200: undefined }
lines: never
events: Schemas.LiveEvent
problems: 400 | 401 | 403 | 429 | 501 | 502 | 503 | 504
}
/** Get the caller */
"users.me": {
path: {}
query: {}
headers: {}
body: never
answers: { 200: Schemas.User }
lines: never
events: never
problems: 401 | 403 | 429 | 502 | 503 | 504
}
/** List the caller's pending invitations */
"users.my-invitations": {
path: {}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"userInvitations": Schemas.UserInvitation[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** List the roles */
"roles.list": {
path: {}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"roles": Schemas.Role[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** List all users */
"users.list": {
path: {}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number or name of a role. Repeat the parameter to allow several roles. */
"role"?: string[]
/** `INTERNAL` is a global admin. */
"userType"?: "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
/** Only users with access to this customer. */
"customerId"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"users": Schemas.User[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Search all users */
"users.search": {
path: {}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number or name of a role. Repeat the parameter to allow several roles. */
"role"?: string[]
/** `INTERNAL` is a global admin. */
"userType"?: "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
/** Only users with access to this customer. */
"customerId"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"users": Schemas.User[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Get a user */
"users.get": {
path: {
/** Id of a user. */
"userId": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.User }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the users of an organization or customer */
"organizations.users": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number or name of a role. Repeat the parameter to allow several roles. */
"role"?: string[]
/** `INTERNAL` is a global admin. */
"userType"?: "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
/** Only users with access to this customer. */
"customerId"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"users": Schemas.User[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Search the users of an organization or customer */
"organizations.users-search": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number or name of a role. Repeat the parameter to allow several roles. */
"role"?: string[]
/** `INTERNAL` is a global admin. */
"userType"?: "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
/** Only users with access to this customer. */
"customerId"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"users": Schemas.User[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the users of an organization and of its customers */
"organizations.all-users": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Ascending or descending. */
"order"?: "asc" | "desc"
/** Number or name of a role. Repeat the parameter to allow several roles. */
"role"?: string[]
/** `INTERNAL` is a global admin. */
"userType"?: "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
/** Only users with access to this customer. */
"customerId"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"users": Schemas.User[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the invitations of an organization or customer */
"organizations.user-invitations": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"userInvitations": Schemas.UserInvitation[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Change the roles of a user */
"users.change-roles": {
path: {
/** Id of a user. */
"userId": string
}
query: {}
headers: {}
body: Schemas.RoleChanges
answers: { 200: {
"roleAssignments": Schemas.RoleAssignment[]
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503 | 504
}
/** Invite somebody */
"invitations.create": {
path: {}
query: {}
headers: {}
body: Schemas.NewUserInvitation
answers: { 201: Schemas.UserInvitation }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Cancel an invitation */
"invitations.cancel": {
path: {
/** Id of an invitation. */
"invitationId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Send an invitation again */
"invitations.resend": {
path: {
/** Id of an invitation. */
"invitationId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Accept one of the caller's invitations */
"invitations.accept": {
path: {
/** Id of an invitation. */
"invitationId": string
}
query: {}
headers: {}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 410 | 429 | 502 | 503 | 504
}
/** Decline one of the caller's invitations */
"invitations.reject": {
path: {
/** Id of an invitation. */
"invitationId": string
}
query: {}
headers: {}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the integrators by their tech-support view */
"organizations.with-tech-view": {
path: {}
query: {
/** Only integrators whose tech-support view is on, or off. */
"enabled"?: boolean
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"organizations": Schemas.Organization[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Get an organization or customer */
"organizations.get": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.Organization }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the customers of an integrator */
"organizations.customers": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** `INTERNAL` is a global admin. */
"userType"?: "PARTNER" | "CUSTOMER" | "INTERNAL" | "UNASSIGNED"
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"customers": Schemas.Organization[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the projects of a customer */
"organizations.projects": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"projects": Schemas.ManagedProject[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the devices of a customer */
"organizations.devices": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"devices": Schemas.ManagedDevice[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the audit log of an organization or customer */
"audit-log.list": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Only entries since this time. */
"from"?: string
/** Only entries until this time. */
"to"?: string
/** Only actions of this person or service account. */
"actorId"?: string
/** Only these actions. Repeat the parameter for each action. */
"action"?: string[]
/** Only actions on this kind of object. */
"resourceType"?: string
/** Only actions on this object. */
"resourceId"?: string
/** Only actions at this customer. */
"customerId"?: string
/** Only actions with this outcome. */
"outcome"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"auditLogs": Schemas.AuditLogEntry[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the actions that an audit log can contain */
"audit-log.actions": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {}
headers: {}
body: never
answers: { 200: {
"_embedded": {
"actions": string[]
}
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Turn tech support on or off */
"organizations.tech-support": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Whether support may view the organization. */
"enable": boolean
}
headers: {}
body: never
answers: { 200: Schemas.Organization }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Create a project */
"projects.create": {
path: {}
query: {}
headers: {}
body: Schemas.NewProject
answers: { 201: Schemas.ManagedProject }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503 | 504
}
/** Rename a project */
"projects.rename": {
path: {
/** Id of a project. */
"projectId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.ProjectChange
answers: { 200: Schemas.ManagedProject }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503 | 504
}
/** Delete a project */
"projects.delete": {
path: {
/** Id of a project. */
"projectId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503 | 504
}
/** Rename or move a device */
"devices.update": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.DeviceChange
answers: { 200: Schemas.ManagedDevice }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Delete a device */
"devices.delete": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the subscriptions of a customer's devices */
"subscriptions.list": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.DeviceSubscription[] }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the service accounts of an organization or customer */
"service-accounts.list": {
path: {
/** Id of an integrator or a customer. */
"organizationId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"serviceAccounts": Schemas.ServiceAccount[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Create a service account */
"service-accounts.create": {
path: {}
query: {}
headers: {}
body: Schemas.NewServiceAccount
answers: { 201: Schemas.ServiceAccount }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Get a service account */
"service-accounts.get": {
path: {
/** Id of a service account. */
"serviceAccountId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 200: Schemas.ServiceAccount }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Rename or describe a service account */
"service-accounts.edit": {
path: {
/** Id of a service account. */
"serviceAccountId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.ServiceAccountChange
answers: { 200: Schemas.ServiceAccount }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Delete a service account */
"service-accounts.delete": {
path: {
/** Id of a service account. */
"serviceAccountId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Change the roles of a service account */
"service-accounts.change-roles": {
path: {
/** Id of a service account. */
"serviceAccountId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.RoleChanges
answers: { 200: {
"roleAssignments": Schemas.RoleAssignment[]
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Make a new secret */
"service-accounts.new-secret": {
path: {
/** Id of a service account. */
"serviceAccountId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.NewSecret
answers: { 200: {
"clientId": string
"secret": string
"expiration": string
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Look up the licenses for a code */
"registration.licenses": {
path: {
/** The code that the device shows: 8 characters, valid for 15 minutes. */
"code": string
}
query: {}
headers: {}
body: never
answers: { 200: {
"licenses": Schemas.License[]
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Register a device */
"registration.register": {
path: {}
query: {}
headers: {}
body: Schemas.NewDevice
answers: { 201: {
"id": string
"deviceUuid": string
"systemGuid": string
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Look up the licenses for a code, for a known device */
"reregistration.licenses": {
path: {
/** The code that the device shows: 8 characters, valid for 15 minutes. */
"code": string
/** Uuid of a device. */
"deviceUuid": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 200: {
"licenses": Schemas.License[]
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Register a known device again */
"reregistration.reregister": {
path: {}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.Reregistration
answers: { 200: {
"id": string
"deviceUuid": string
"systemGuid": string
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Get the caller's preferences */
"notifications.preferences": {
path: {
/** Id of a user. */
"userId": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.NotificationPreference[] }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Change the caller's preferences */
"notifications.change-preferences": {
path: {
/** Id of a user. */
"userId": string
}
query: {}
headers: {}
body: Schemas.NotificationPreferenceChange[]
answers: { 200: Schemas.NotificationPreference[] }
lines: never
events: never
problems: 400 | 401 | 403 | 413 | 429 | 502 | 503 | 504
}
/** List the caller's notifications */
"notifications.list": {
path: {
/** Id of a user. */
"userId": string
}
query: {
/** True: only read notifications. False: only unread ones. */
"readStatus"?: boolean
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sortBy"?: string
}
headers: {}
body: never
answers: { 200: {
"content": Schemas.Notification[]
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 429 | 502 | 503 | 504
}
/** Mark the caller's notifications */
"notifications.mark": {
path: {
/** Id of a user. */
"userId": string
}
query: {}
headers: {}
body: Schemas.NotificationMarks
answers: { 200: {
"changed"?: number
} }
lines: never
events: never
problems: 400 | 401 | 403 | 413 | 429 | 502 | 503 | 504
}
/** Search points by their names */
"points.by-point-name": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Whether the page contains totals. */
"count"?: boolean
/** Property to sort by. */
"sortBy"?: string
/** Ascending or descending. */
"sortDir"?: "asc" | "desc"
}
headers: {}
body: Schemas.PointSearch
answers: { 200: {
"_embedded"?: {
"pointModels": Schemas.Point[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.CountedPage
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Search points by the values of their tags */
"points.by-tag-value": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Whether the page contains totals. */
"count"?: boolean
/** Property to sort by. */
"sortBy"?: string
/** Ascending or descending. */
"sortDir"?: "asc" | "desc"
}
headers: {}
body: Schemas.PointSearch
answers: { 200: {
"_embedded"?: {
"pointModels": Schemas.Point[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.CountedPage
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Search points by the names of their tags */
"points.by-tag-name": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Whether the page contains totals. */
"count"?: boolean
/** Property to sort by. */
"sortBy"?: string
/** Ascending or descending. */
"sortDir"?: "asc" | "desc"
}
headers: {}
body: Schemas.PointSearch
answers: { 200: {
"_embedded"?: {
"pointModels": Schemas.Point[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.CountedPage
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Get the data usage of a device */
"usage.metrics": {
path: {}
query: {
/** Id of the device. */
"deviceId": string
/** Daily or monthly values. */
"duration"?: "MONTHLY" | "YEARLY"
/** The metric. */
"metricsId"?: "DATA_USAGE"
/** The subscription. */
"offeringCode"?: "NDS" | "Remote" | "Recover"
}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 200: Record<string, number> }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Get recorded histories */
"histories.query": {
path: {}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.HistoryQuery
answers: { 200: Schemas.Histories }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** List the saved reports of a customer */
"reports.list": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"reports": Schemas.Report[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Save a report */
"reports.create": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {}
headers: {}
body: Schemas.ReportBody
answers: { 201: {
"reportId": string
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Get a saved report */
"reports.get": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a report. */
"reportId": string
}
query: {}
headers: {}
body: never
answers: { 200: Schemas.Report }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Change a saved report */
"reports.edit": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a report. */
"reportId": string
}
query: {}
headers: {}
body: Schemas.ReportChange
answers: { 200: Schemas.Report }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Delete a saved report */
"reports.delete": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a report. */
"reportId": string
}
query: {}
headers: {}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the exports of a customer or organization */
"exports.list": {
path: {}
query: {
/** Only exports of this customer. */
"customerId"?: string
/** Only exports of this organization; required without `customerId`. */
"organizationId"?: string
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
"status"?: "QUEUED" | "RUNNING" | "READY" | "FAILED" | "CANCELLED" | "EXPIRED"
/** Only exports of this person. */
"createdBy"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"exports": Schemas.Export[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Start an export */
"exports.create": {
path: {}
query: {}
headers: {}
body: Schemas.NewExport
answers: { 201: Schemas.Export }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Get an export */
"exports.get": {
path: {
/** Id of an export. */
"exportId": string
}
query: {
/** Replaces `x-customer-id` in a plain link. The gateway does not forward it. */
"customerId"?: string
}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 200: Schemas.Export }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Delete an export */
"exports.delete": {
path: {
/** Id of an export. */
"exportId": string
}
query: {
/** Replaces `x-customer-id` in a plain link. The gateway does not forward it. */
"customerId"?: string
}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Download an export */
"exports.download": {
path: {
/** Id of an export. */
"exportId": string
}
query: {
/** Replaces `x-customer-id` in a plain link. The gateway does not forward it. */
"customerId"?: string
}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 200: ReadableStream<Uint8Array>; 206: ReadableStream<Uint8Array> }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Cancel an export */
"exports.cancel": {
path: {
/** Id of an export. */
"exportId": string
}
query: {
/** Replaces `x-customer-id` in a plain link. The gateway does not forward it. */
"customerId"?: string
}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: never
answers: { 200: Schemas.Export; 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Read live values */
"control.read": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.ReadCommand
answers: { 200: Schemas.PointValue[] }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Read all live values */
"control.read-all": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.ReadAllCommand
answers: { 200: Schemas.PointValue[] }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Write values */
"control.write": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.WriteCommand
answers: { 200: Schemas.PointOutcome[] }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Clear written values */
"control.clear": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.ClearCommand
answers: { 200: Schemas.PointOutcome[] }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Acknowledge alarms of a device */
"control.acknowledge-alarm": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.AcknowledgeCommand
answers: { 202: Schemas.AcceptedCommand }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Add notes to alarms of a device */
"control.edit-alarm-data": {
path: {
/** Id of a device. */
"deviceId": string
}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.EditAlarmDataCommand
answers: { 202: Schemas.AcceptedCommand }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Acknowledge alarms of several devices */
"control.acknowledge-alarm-batch": {
path: {}
query: {}
headers: {
/** Id of the customer of the object, or of its organization if it has no customer. The id only says where to look and gives no access: if the object is not found there, the answer is 404; access is decided at the scope of the object. */
"x-customer-id": string
}
body: Schemas.AcknowledgeItem[]
answers: { 207: Schemas.DeviceOutcome[] }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Open a Remote session */
"remote.connect": {
path: {
/** Id of a customer. */
"customerId": string
/** Uuid of a device. */
"deviceUuid": string
}
query: {}
headers: {}
body: Record<string, unknown> | undefined
answers: { 200: {
"url": string
"expiresDate": string
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Search the alarms of a customer */
"alarms.search": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Whether the page contains totals. */
"count"?: boolean
/** Property to sort by. */
"sortBy"?: string
/** Ascending or descending. */
"sortDir"?: "asc" | "desc"
}
headers: {}
body: Schemas.AlarmSearch
answers: { 200: {
"_embedded"?: {
"alarms": Schemas.Alarm[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.CountedPage
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Count the open alarms of a device */
"alarms.count": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a device. */
"deviceId": string
}
query: {
/** Repeats the `deviceId` of the path. */
"sourceId": string
}
headers: {}
body: never
answers: { 200: {
"count": number
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** List the backups of a customer */
"backups.list": {
path: {
/** Id of a customer. */
"customerId": string
}
query: {
/** Number of the page, from 0. */
"page"?: number
/** Maximum number of items on a page. */
"size"?: number
/** Property and direction. */
"sort"?: string
/** Text to look for. */
"keyword"?: string
/** Only backups of this device. */
"deviceUuid"?: string
/** Only backups of the devices of this project. */
"projectId"?: string
/** How the backup was started. */
"trigger"?: "MANUAL" | "SCHEDULED"
/** True: only backups that are kept forever. False: only backups that are not. */
"retained"?: boolean
/** Only backups since this time. */
"from"?: string
/** Only backups until this time. */
"to"?: string
}
headers: {}
body: never
answers: { 200: {
"_embedded"?: {
"backups": Schemas.Backup[]
}
"_links"?: {
"self": Schemas.Href
"next"?: Schemas.Href
}
"page": Schemas.Page
} }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
/** Add a note to a backup, or keep it forever */
"backups.edit": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a backup. */
"backupId": string
}
query: {}
headers: {}
body: Schemas.BackupChange
answers: { 200: Schemas.Backup }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 413 | 429 | 502 | 503 | 504
}
/** Delete a backup */
"backups.delete": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a backup. */
"backupId": string
}
query: {}
headers: {}
body: never
answers: { 204: undefined }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503 | 504
}
/** Download a backup */
"backups.download": {
path: {
/** Id of a customer. */
"customerId": string
/** Id of a backup. */
"backupId": string
}
query: {}
headers: {}
body: never
answers: { 200: ReadableStream<Uint8Array>; 206: ReadableStream<Uint8Array> }
lines: never
events: never
problems: 400 | 401 | 403 | 404 | 429 | 502 | 503 | 504
}
}

const ROUTES: Readonly<Record<keyof Operations, Route>> = {
  "openapi": ["GET", "/api/openapi.json"],
  "portal.me": ["GET", "/api/portal/v1/me"],
  "portal.customers": ["GET", "/api/portal/v1/organizations/{organizationId}/customers"],
  "portal.projects": ["GET", "/api/portal/v1/customers/{customerId}/projects"],
  "portal.devices": ["GET", "/api/portal/v1/customers/{customerId}/devices"],
  "portal.device": ["GET", "/api/portal/v1/customers/{customerId}/devices/{deviceUuid}"],
  "portal.usage": ["GET", "/api/portal/v1/customers/{customerId}/devices/{deviceUuid}/usage"],
  "portal.alarms": ["GET", "/api/portal/v1/customers/{customerId}/alarms"],
  "portal.organization-alarms": ["GET", "/api/portal/v1/organizations/{organizationId}/alarms"],
  "portal.worklist-services": ["GET", "/api/portal/v1/organizations/{organizationId}/worklists/services"],
  "portal.worklist-plans": ["GET", "/api/portal/v1/organizations/{organizationId}/worklists/plans"],
  "portal.worklist-backups": ["GET", "/api/portal/v1/organizations/{organizationId}/worklists/backups"],
  "portal.search": ["GET", "/api/portal/v1/organizations/{organizationId}/search"],
  "portal.organization-devices": ["GET", "/api/portal/v1/organizations/{organizationId}/devices"],
  "portal.points": ["GET", "/api/portal/v1/customers/{customerId}/points"],
  "portal.point-values": ["GET", "/api/portal/v1/customers/{customerId}/points/values"],
  "portal.tree": ["GET", "/api/portal/v1/customers/{customerId}/tree"],
  "portal.report-data": ["GET", "/api/portal/v1/customers/{customerId}/reports/{reportId}/data"],
  "portal.attention": ["GET", "/api/portal/v1/organizations/{organizationId}/attention"],
  "portal.events": ["GET", "/api/portal/v1/events"],
  "users.me": ["GET", "/api/v2/management/myUser"],
  "users.my-invitations": ["GET", "/api/v2/management/myUser/userInvitations"],
  "roles.list": ["GET", "/api/v2/management/roles"],
  "users.list": ["GET", "/api/v2/management/users"],
  "users.search": ["GET", "/api/v2/management/users/search/findByKeyword"],
  "users.get": ["GET", "/api/v2/management/users/{userId}"],
  "organizations.users": ["GET", "/api/v2/management/organizations/{organizationId}/users"],
  "organizations.users-search": ["GET", "/api/v2/management/organizations/{organizationId}/users/search/findByKeyword"],
  "organizations.all-users": ["GET", "/api/v2/management/organizations/{organizationId}/allUsers"],
  "organizations.user-invitations": ["GET", "/api/v2/management/organizations/{organizationId}/userInvitations"],
  "users.change-roles": ["PATCH", "/api/v2/management/users/{userId}/roleAssignments"],
  "invitations.create": ["POST", "/api/v2/management/userInvitations"],
  "invitations.cancel": ["DELETE", "/api/v2/management/userInvitations/{invitationId}"],
  "invitations.resend": ["POST", "/api/v2/management/userInvitation/{invitationId}/resend"],
  "invitations.accept": ["POST", "/api/v2/management/userInvitation/{invitationId}/accept"],
  "invitations.reject": ["POST", "/api/v2/management/userInvitation/{invitationId}/reject"],
  "organizations.with-tech-view": ["GET", "/api/v2/management/organizations/search/findByIsTechViewEnabled"],
  "organizations.get": ["GET", "/api/v2/management/organizations/{organizationId}"],
  "organizations.customers": ["GET", "/api/v2/management/organizations/{organizationId}/customers"],
  "organizations.projects": ["GET", "/api/v2/management/organizations/{organizationId}/projects"],
  "organizations.devices": ["GET", "/api/v2/management/organizations/{organizationId}/devices"],
  "audit-log.list": ["GET", "/api/v2/management/organizations/{organizationId}/auditLogs"],
  "audit-log.actions": ["GET", "/api/v2/management/organizations/{organizationId}/auditLogs/search/actions"],
  "organizations.tech-support": ["PATCH", "/api/v2/management/organizations/{organizationId}/techSupport"],
  "projects.create": ["POST", "/api/v2/management/projects"],
  "projects.rename": ["PATCH", "/api/v2/management/projects/{projectId}"],
  "projects.delete": ["DELETE", "/api/v2/management/projects/{projectId}"],
  "devices.update": ["PATCH", "/api/v2/management/devices/{deviceId}"],
  "devices.delete": ["DELETE", "/api/v2/management/devices/{deviceId}"],
  "subscriptions.list": ["GET", "/api/v1/subscription/customers/{customerId}"],
  "service-accounts.list": ["GET", "/api/v2/management/organizations/{organizationId}/serviceAccounts"],
  "service-accounts.create": ["POST", "/api/v2/management/serviceAccounts"],
  "service-accounts.get": ["GET", "/api/v2/management/serviceAccounts/{serviceAccountId}"],
  "service-accounts.edit": ["PATCH", "/api/v2/management/serviceAccounts/{serviceAccountId}"],
  "service-accounts.delete": ["DELETE", "/api/v2/management/serviceAccounts/{serviceAccountId}"],
  "service-accounts.change-roles": ["PATCH", "/api/v2/management/serviceAccounts/{serviceAccountId}/roleAssignments"],
  "service-accounts.new-secret": ["POST", "/api/v2/management/serviceAccounts/{serviceAccountId}/secret"],
  "registration.licenses": ["GET", "/api/v2/devicemanagement/registration/{code}"],
  "registration.register": ["POST", "/api/v2/devicemanagement/registration"],
  "reregistration.licenses": ["GET", "/api/v2/devicemanagement/reregistration/{code}/deviceUuid/{deviceUuid}"],
  "reregistration.reregister": ["POST", "/api/v2/devicemanagement/reregistration"],
  "notifications.preferences": ["GET", "/api/v1/notifications/users/{userId}"],
  "notifications.change-preferences": ["PUT", "/api/v1/notifications/users/{userId}"],
  "notifications.list": ["GET", "/api/v1/notifier/users/{userId}/inapp"],
  "notifications.mark": ["PUT", "/api/v1/notifier/users/{userId}"],
  "points.by-point-name": ["POST", "/api/v1/entitymodel/customers/{customerId}/pointNames"],
  "points.by-tag-value": ["POST", "/api/v1/entitymodel/customers/{customerId}/tagValues"],
  "points.by-tag-name": ["POST", "/api/v1/entitymodel/customers/{customerId}/tagNames"],
  "usage.metrics": ["GET", "/api/v1/subscription-usage/metrics-detail"],
  "histories.query": ["POST", "/api/v1/egress/telemetry"],
  "reports.list": ["GET", "/api/v1/charts-and-reports/{customerId}/reports"],
  "reports.create": ["POST", "/api/v1/charts-and-reports/{customerId}/report"],
  "reports.get": ["GET", "/api/v1/charts-and-reports/{customerId}/report/{reportId}"],
  "reports.edit": ["PATCH", "/api/v1/charts-and-reports/{customerId}/report/{reportId}"],
  "reports.delete": ["DELETE", "/api/v1/charts-and-reports/{customerId}/report/{reportId}"],
  "exports.list": ["GET", "/api/v1/egress/exports"],
  "exports.create": ["POST", "/api/v1/egress/exports"],
  "exports.get": ["GET", "/api/v1/egress/exports/{exportId}"],
  "exports.delete": ["DELETE", "/api/v1/egress/exports/{exportId}"],
  "exports.download": ["GET", "/api/v1/egress/exports/{exportId}/download"],
  "exports.cancel": ["POST", "/api/v1/egress/exports/{exportId}/cancel"],
  "control.read": ["POST", "/api/v1/control/devices/{deviceId}/commands/read"],
  "control.read-all": ["POST", "/api/v1/control/devices/{deviceId}/commands/readAll"],
  "control.write": ["POST", "/api/v1/control/devices/{deviceId}/commands/write"],
  "control.clear": ["POST", "/api/v1/control/devices/{deviceId}/commands/clear"],
  "control.acknowledge-alarm": ["POST", "/api/v1/control/devices/{deviceId}/commands/acknowledgeAlarm"],
  "control.edit-alarm-data": ["POST", "/api/v1/control/devices/{deviceId}/commands/editAlarmData"],
  "control.acknowledge-alarm-batch": ["POST", "/api/v1/control/devices/commands/acknowledgeAlarmBatch"],
  "remote.connect": ["POST", "/api/v1/remote/customers/{customerId}/devices/{deviceUuid}/session"],
  "alarms.search": ["POST", "/api/v1/alarms/customers/{customerId}/alarms:search"],
  "alarms.count": ["GET", "/api/v1/alarms/customers/{customerId}/devices/{deviceId}/alarms/count"],
  "backups.list": ["GET", "/api/v1/recover/customers/{customerId}/backups"],
  "backups.edit": ["PATCH", "/api/v1/recover/customers/{customerId}/backups/{backupId}"],
  "backups.delete": ["DELETE", "/api/v1/recover/customers/{customerId}/backups/{backupId}"],
  "backups.download": ["GET", "/api/v1/recover/customers/{customerId}/backups/{backupId}/download"]
}

/** Creates a client of the portal. */
export const createPortalClient = (options: ClientOptions) => createClient<Operations>(ROUTES, options)
