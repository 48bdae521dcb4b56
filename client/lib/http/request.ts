import type { Problem } from '#shared/entities.ts'
import { ApiError, isAbort, UNREACHABLE_STATUS } from './api-error.ts'
import { isForeign, noteLost, saysLost, suspectLost } from './connection.ts'
import { forgetPreloads, takePreload } from './prepared.ts'
import { leaveRefused, refusal, signInAgain } from './sign-in.ts'

const RETRY_AFTER_MS = 250
/** The gateway's word that signing in again would not help. */
const ACCOUNT_REFUSED_TYPE = 'urn:portal:problem:account_refused'
/** A longer wait is told, and left to the person. */
const BUSY_MAX_SECONDS = 5
/** Reads that wait for the session store: with its Retry-After of a second, four to eight seconds in all. */
const STORE_TRIES_MAX = 4

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  /** JSON unless something else is asked for. */
  accept?: string
  /** Where the object that the path names is to be looked for; the gateway proves it. */
  customerId?: string | undefined
  signal?: AbortSignal
  /** Asked by the page itself: it must not keep the session alive. */
  background?: true
}

/** The one way to the gateway. Answers the JSON body, or throws an ApiError (or the AbortError of `signal`). */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  try {
    const response = await answerOf(path, options)
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) throw error
    throw new ApiError(UNREACHABLE_STATUS)
  }
}

/** An answer that went well, its body unread. */
export async function answerOf(path: string, options: RequestOptions = {}): Promise<Response> {
  let response = await firstAnswer(path, options)
  if (await isAccountRefused(response)) return leaveRefused()
  if (response.status === 401) {
    // Retried once. Another tab may be signing in, and the new session's cookie on its way.
    await pause(RETRY_AFTER_MS * (0.5 + Math.random()), options.signal)
    response = await send(path, options)
  }
  for (let tries = 1; tries <= (await triesOf(response, options)); tries += 1) {
    await pause(retryAfterOf(response) * 1000 * (1 + Math.random()), options.signal)
    response = await send(path, options)
  }
  if (response.status === 401) return signInAgain()
  if (response.status === 403) refusal.noted()
  if (!response.ok) throw new ApiError(response.status, await problemOf(response), retryAfterOf(response))
  return response
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  try {
    return await fetch(path, requestInit(options))
  } catch (error) {
    if (!isAbort(error)) suspectLost()
    throw error
  }
}

/** How often a call is made again after this answer, with the pause that it asks for. */
async function triesOf(response: Response, { method }: RequestOptions): Promise<number> {
  const lost = await saysLost(response)
  if (lost) noteLost()
  else if (isForeign(response)) suspectLost()
  const seconds = retryAfterOf(response)
  if (seconds === 0 || seconds > BUSY_MAX_SECONDS) return 0
  // Too many at a time: refused before anything was done, so that any call may be made again.
  if (response.status === 429) return 1
  return lost && method === undefined ? STORE_TRIES_MAX : 0
}

function retryAfterOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return seconds > 0 ? seconds : 0
}

async function firstAnswer(path: string, options: RequestOptions): Promise<Response> {
  if (options.method !== undefined) forgetPreloads()
  return (await takePreload(path)) ?? send(path, options)
}

/** Ends with its call: whoever comes next would wait for it, and get nothing. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
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

async function isAccountRefused(response: Response): Promise<boolean> {
  return response.status === 401 && (await problemOf(response)).type === ACCOUNT_REFUSED_TYPE
}

async function problemOf(response: Response): Promise<Partial<Problem>> {
  if (!response.headers.get('content-type')?.includes('json')) return {}
  return response.json().catch(() => ({}))
}

// Whether somebody is at this tab: calls that the page makes by itself must not keep a session alive.
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input'] as const
/** A person who reads does nothing for a while; what they load meanwhile is still theirs. */
const QUIET_MS = 60_000

/** Opening a page is something that somebody did. */
let lastMs = performance.now()

for (const type of INPUTS) {
  window.addEventListener(
    type,
    () => {
      lastMs = performance.now()
    },
    { capture: true, passive: true }
  )
}

function isQuiet(): boolean {
  return performance.now() - lastMs > QUIET_MS
}

/**
 * Hands a file to the browser, which fetches it by itself with the session's cookie: its size does not matter, and it
 * can be resumed. It is asked for this once, for every asking is a download in the audit log: whether the file is still
 * there is for the caller to find out before.
 */
export function download(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
