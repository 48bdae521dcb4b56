// Signs a sample user in over plain HTTP, like a browser without JavaScript.
import { createHash, randomBytes } from 'node:crypto'
import type { Sandbox } from './app.ts'
import { PASSWORD } from './sign-ins.ts'

const REDIRECT_URI = 'http://localhost:3999/callback'

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

export async function postSignIn(
  jar: CookieJar,
  sandbox: Sandbox,
  html: string,
  username: string
): Promise<Response> {
  const [, action = ''] = html.match(/<form method="post" action="([^"]+)"/) ?? []
  const body = new URLSearchParams({ username, password: PASSWORD })
  return jar.fetch(new URL(action, sandbox.url).href, { method: 'POST', body })
}

/** Signs in at the sandbox itself, without a gateway. */
export async function signIn(sandbox: Sandbox, username: string): Promise<{ access_token: string }> {
  const jar = new CookieJar()
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: sandbox.client.id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access ncp:read ncp:write',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256'
  })
  const signInPage = await jar.follow(await jar.fetch(`${sandbox.issuer}/auth?${query}`), sandbox.url)
  const signInAnswer = await postSignIn(jar, sandbox, await signInPage.text(), username)
  const callback = await jar.follow(signInAnswer, sandbox.url)
  const code = new URL(callback.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const tokenAnswer = await token(sandbox, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier
  })
  return (await tokenAnswer.json()) as { access_token: string }
}

export async function token(sandbox: Sandbox, parameters: Record<string, string>): Promise<Response> {
  const { id, secret } = sandbox.client
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  return fetch(`${sandbox.issuer}/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(parameters)
  })
}
