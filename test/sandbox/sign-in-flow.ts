// Signs a sample person in by plain HTTP, as a browser without JavaScript does.
import { createHash, randomBytes } from 'node:crypto'
import type { Sandbox } from './app.ts'
import { PASSWORD } from './sign-ins.ts'

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  expires_in: number
  scope: string
}

export const REDIRECT_URI = 'http://localhost:3999/callback'

export class CookieJar {
  readonly #cookies = new Map<string, string>()

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: this.pairs().join('; ') }
    const response = await fetch(url, { ...init, redirect: 'manual', headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = line.match(/^([^=]+)=([^;]*)/) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  pairs(): string[] {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`)
  }

  /** The cookie of a name; undefined if there is none. */
  get(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  take(other: CookieJar): void {
    for (const [name, value] of other.#cookies) this.#cookies.set(name, value)
  }

  async follow(response: Response, base: string): Promise<Response> {
    return this.fetch(new URL(response.headers.get('location') ?? '', base).href)
  }
}

export async function openSignIn(sandbox: Sandbox, jar: CookieJar, verifier: string): Promise<Response> {
  const query = new URLSearchParams({
    client_id: sandbox.client.id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access ncp:read ncp:write',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'some-state',
    nonce: 'some-nonce'
  })
  return jar.follow(await jar.fetch(`${sandbox.issuer}/auth?${query}`), sandbox.url)
}

export async function postSignIn(
  jar: CookieJar,
  sandbox: Sandbox,
  html: string,
  username: string,
  password = PASSWORD
): Promise<Response> {
  const [, action = ''] = html.match(/<form method="post" action="([^"]+)"/) ?? []
  const body = new URLSearchParams({ username, password })
  return jar.fetch(new URL(action, sandbox.url).href, { method: 'POST', body })
}

export async function signIn(sandbox: Sandbox, username: string, jar = new CookieJar()): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url')
  const shown = await openSignIn(sandbox, jar, verifier)
  const posted = await postSignIn(jar, sandbox, await shown.text(), username)
  const answered = await jar.follow(posted, sandbox.url)
  const code = new URL(answered.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const exchanged = await token(sandbox, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier
  })
  return (await exchanged.json()) as Tokens
}

export async function token(sandbox: Sandbox, parameters: Record<string, string>): Promise<Response> {
  return asClient(sandbox, '/token', parameters)
}

export async function asClient(sandbox: Sandbox, path: string, parameters: Record<string, string>) {
  const { id, secret } = sandbox.client
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  return fetch(`${sandbox.issuer}${path}`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(parameters)
  })
}
