import type { Problem } from '#shared/entities.ts'
import { ApiError, isAbort, UNREACHABLE_STATUS } from './api-error.ts'
import { signInAgain } from './sign-in.ts'

const RETRY_AFTER_MS = 250

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
  /** For calls whose path names only an object: where it belongs. */
  customerId?: string
}

/** The one way to the gateway. Answers the JSON body, or throws an ApiError (or the AbortError of `signal`). */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  try {
    let response = await fetch(path, requestInit(options))
    if (response.status === 401) {
      // §7: retried once. Another tab may be signing in, and the new session's cookie on its way.
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS * (0.5 + Math.random())))
      response = await fetch(path, requestInit(options))
    }
    if (response.status === 401) return await signInAgain()
    if (!response.ok) throw new ApiError(response.status, await problemOf(response))
    return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) throw error
    throw new ApiError(UNREACHABLE_STATUS)
  }
}

function requestInit({ method = 'GET', body, signal, customerId }: RequestOptions): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json', 'x-portal-csrf': '1' }
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
