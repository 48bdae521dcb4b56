import type { Problem } from '#shared/answers/portal.ts'
import { waitFor } from '../read-back.ts'
import { ApiError, isAbort, UNREACHABLE_STATUS } from './api-error.ts'
import { isForeign, noteBack, noteLost, saysLost, suspectLost } from './connection.ts'
import { forgetPreloads, takePreload } from './prepared.ts'
import { pauseBeforeRetry, RETRY_RULES } from './retry.ts'
import {
  isNotAuthenticated,
  leaveRefused,
  notAuthenticated,
  reportForbidden,
  signInAgain
} from './sign-in.ts'

/** The gateway refuses the account: signing in again would not help. */
const ACCOUNT_REFUSED_TYPE = 'urn:portal:problem:account_refused'
/** Maximum Retry-After for an automatic retry. With a longer Retry-After, the call fails. */
const BUSY_MAX_SECONDS = 5
/** Maximum retries of a read while the session store is unavailable. With the Retry-After of 1 s they take 4 to 8 s. */
const STORE_TRIES_MAX = 4

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  accept?: string
  /** The customer that owns the object in the path. The gateway verifies it. */
  customerId?: string | undefined
  signal?: AbortSignal | undefined
  /** The person did not cause the call, so it does not extend the session. */
  background?: true
}

/** Calls the gateway. Returns the JSON body, or throws an ApiError (or the AbortError of `signal`). */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  try {
    const response = await answerOf(path, options)
    const body = response.status === 204 ? (undefined as T) : ((await response.json()) as T)
    noteBack()
    return body
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) throw error
    throw new ApiError(UNREACHABLE_STATUS)
  }
}

/** Returns a successful response without reading its body. Signs in again if the user is not authenticated. */
export async function answerOf(path: string, options: RequestOptions = {}): Promise<Response> {
  try {
    return await goodAnswer(path, options)
  } catch (error) {
    if (!isNotAuthenticated(error)) throw error
    return signInAgain(error)
  }
}

async function goodAnswer(path: string, options: RequestOptions): Promise<Response> {
  let response = await firstAnswer(path, options).catch((error) => renewSilently(error, path, options))
  for (let tries = 1; tries <= (await triesOf(response, options)); tries += 1) {
    await waitFor(pauseBeforeRetry(busyRule(retryAfterOf(response))), options.signal)
    response = await send(path, options)
  }
  if (response.status === 403) reportForbidden()
  if (!response.ok) throw new ApiError(response.status, await problemOf(response), retryAfterOf(response))
  return response
}

/** Throws 'user is not authenticated' after a 401. */
async function send(path: string, options: RequestOptions): Promise<Response> {
  const response = await fetch(path, requestInit(options)).catch((error) => {
    if (!isAbort(error)) suspectLost()
    throw error
  })
  if (response.status !== 401) return response
  const problem = await problemOf(response)
  if (problem.type === ACCOUNT_REFUSED_TYPE) return leaveRefused()
  throw notAuthenticated(problem)
}

/** Repeats the call once: the gateway renews the tokens, and the cookie of a sign-in in another tab may arrive soon. */
async function renewSilently(error: unknown, path: string, options: RequestOptions): Promise<Response> {
  if (!isNotAuthenticated(error)) throw error
  await waitFor(pauseBeforeRetry(RETRY_RULES.renewal), options.signal)
  return send(path, options)
}

/** Maximum number of retries after this response. */
async function triesOf(response: Response, { method }: RequestOptions): Promise<number> {
  const isLost = await saysLost(response)
  if (isLost) noteLost()
  else if (isForeign(response)) suspectLost()
  const seconds = retryAfterOf(response)
  if (seconds === 0 || seconds > BUSY_MAX_SECONDS) return 0
  // The gateway refuses with 429 before it does anything, so that any method may be retried.
  if (response.status === 429) return 1
  return isLost && method === undefined ? STORE_TRIES_MAX : 0
}

/** Calls that were refused together come back over the time of another Retry-After. */
const busyRule = (retryAfterSeconds: number) => ({
  firstMs: 1_500 * retryAfterSeconds,
  maxMs: 1_500 * BUSY_MAX_SECONDS,
  spread: 1 / 3
})

function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 ? seconds : 0
}

async function firstAnswer(path: string, options: RequestOptions): Promise<Response> {
  if (options.method !== undefined) forgetPreloads()
  return (await takePreload(path)) ?? send(path, options)
}

function requestInit({
  method = 'GET',
  body,
  accept = 'application/json',
  customerId,
  signal,
  background
}: RequestOptions): RequestInit {
  const headers: Record<string, string> = { accept, 'x-portal-csrf': '1' }
  if (background || isQuiet()) headers['x-portal-background'] = '1'
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (customerId !== undefined) headers['x-customer-id'] = customerId
  return {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {})
  }
}

async function problemOf(response: Response): Promise<Partial<Problem>> {
  if (!response.headers.get('content-type')?.includes('json')) return {}
  return response.json().catch(() => ({}))
}

// Detects user activity: calls that the page makes by itself must not extend the session.
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input'] as const
/** Calls within this time after an input count as user activity, because people also pause to read. */
const QUIET_MS = 60_000

/** Time of the last input. Opening the page counts as an input. */
let lastInputMs = performance.now()

for (const type of INPUTS) {
  window.addEventListener(
    type,
    () => {
      lastInputMs = performance.now()
    },
    { capture: true, passive: true }
  )
}

function isQuiet(): boolean {
  return performance.now() - lastInputMs > QUIET_MS
}

/**
 * Lets the browser download a file with the session cookie: the file may have any size, and the download can be resumed.
 * Sends one request only, because the audit log counts each request as a download. The caller first checks that the file exists.
 */
export function download(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
