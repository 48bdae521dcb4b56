// Calls the sandbox's APIs as one of its people: for tests of the sandbox itself.
import type { Sandbox } from '../app.ts'
import { signIn } from '../sign-in-flow.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by tests, which say what they expect
  body: any
}

export type Caller = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Signs the person in; the result calls paths (below the management API unless they begin with /api). */
export async function callAs(sandbox: Sandbox, username: string): Promise<Caller> {
  const { access_token } = await signIn(sandbox, username)
  return callWith(sandbox, access_token)
}

/** The same with a token at hand. */
export function callWith(sandbox: Sandbox, accessToken: string): Caller {
  return async (method, path, body) => {
    const full = path.startsWith('/api/') ? path : `/api/v2/management${path}`
    const response = await fetch(`${sandbox.url}${full}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
}
