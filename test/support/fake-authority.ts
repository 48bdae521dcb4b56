// A fake OpenID provider; a test can change each answer. The same port answers /myUser of the management API. The
// provider checks only codes, verifiers and refresh tokens.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecretLog, type Secret } from '#test/sandbox/identity/secret-log.ts'
import { Browser } from '#test/support/portal.ts'
import { closeServer } from './close-server.ts'
import {
  ACCESS_SECONDS,
  accessClaims,
  CLIENT,
  type Forgery,
  type Json,
  KEY,
  logoutClaims,
  merged,
  newKey,
  random,
  type SigningKey,
  seconds,
  signed,
  typed
} from './fake-tokens.ts'
import { sentCookies } from './sent-cookies.ts'
import type { Test } from './teardown.ts'

export type Endpoint = 'discovery' | 'authorize' | 'keys' | 'token' | 'revoke' | 'api'
export type Answer = (request: IncomingMessage, response: ServerResponse, form: URLSearchParams) => unknown

/** Changes to the normal answers of the authority. */
export interface Changes {
  /** Fields of the discovery document; undefined removes a field. */
  discovery?: Json
  /** Claims of ID tokens; undefined removes a claim. */
  idToken?: Json
  forgery?: Forgery
  hashed?: true
  /** Fields of the token answer; undefined removes a field. */
  tokens?: Json
  instead?: Partial<Record<Endpoint, Answer>>
  /** The token endpoint waits for this promise before it answers. */
  granted?: Promise<unknown>
  /** Accepts a code with any verifier, and more than once. */
  anyCode?: boolean
}

export interface FakeAuthority {
  url: string
  issuer: string
  audience: string
  env: Record<string, string>
  changes: Changes
  normal: Record<Endpoint, Answer>
  reset(): void
  asked: { endpoint: Endpoint; form: URLSearchParams; authorization: string | undefined }[]
  secrets: () => Secret[]
  count: { code: number; refresh: number; reused: number; keys: number; discovery: number }
  people: Map<string, Json>
  calls: { method: string; url: string; bearer: string }[]
  keys: SigningKey[]
  newKey(): SigningKey
  token(claims: Json, forgery?: Forgery): string
  authorize(signInUrl: string, subject?: string, sid?: string): URLSearchParams
  issue(subject: string, sid?: string): Json
  accessToken(claims?: Json, forgery?: Forgery): string
  logoutToken(claims?: Json, forgery?: Forgery): string
}

export async function startFakeAuthority(t: Test): Promise<FakeAuthority> {
  const codes = new Map<string, { nonce: string; challenge: string; subject: string; sid: string }>()
  const refreshTokens = new Map<string, { subject: string; sid: string; used: boolean }>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${url}/op`
  const audience = 'urn:fake:api'
  const secretLog = createSecretLog()
  secretLog.add({ client_secret: CLIENT.secret })
  const noteSecret = (field: string, value: string): string => {
    secretLog.add({ [field]: value })
    return value
  }

  const token: FakeAuthority['token'] = (claims, forgery) => signed(fake.keys[0], claims, forgery)

  const fake: FakeAuthority = {
    url,
    issuer,
    audience,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_AUDIENCE: audience,
      UPSTREAM_URL: url,
      // Tests send many calls at once from one caller.
      CALLS_IN_FLIGHT: '1000'
    },
    changes: {},
    normal: {} as Record<Endpoint, Answer>,
    reset() {
      fake.changes = {}
      fake.asked.length = 0
      fake.calls.length = 0
      Object.assign(fake.count, { code: 0, refresh: 0, reused: 0, keys: 0, discovery: 0 })
    },
    asked: [],
    secrets: secretLog.list,
    count: { code: 0, refresh: 0, reused: 0, keys: 0, discovery: 0 },
    people: new Map(),
    calls: [],
    keys: [KEY],
    newKey,
    authorize(signInUrl, subject = 'u-1', sid = random()) {
      const parameters = new URL(signInUrl).searchParams
      const code = random()
      const [nonce, challenge] = [parameters.get('nonce') ?? '', parameters.get('code_challenge') ?? '']
      secretLog.add({ ...Object.fromEntries(parameters), code, sub: subject, sid })
      codes.set(code, { nonce, challenge, subject, sid })
      return new URLSearchParams({ code, state: parameters.get('state') ?? '', iss: issuer })
    },
    issue: (subject, sid = random()) => tokensFor(subject, sid, undefined),
    token,
    accessToken: (claims, forgery) =>
      noteSecret(
        'access_token',
        token(merged(accessClaims(issuer, audience), claims), typed('at+jwt', forgery))
      ),
    logoutToken: (claims, forgery) =>
      noteSecret('logout_token', token(merged(logoutClaims(issuer), claims), typed('logout+jwt', forgery)))
  }

  function tokensFor(subject: string, sid: string, nonce: string | undefined): Json {
    const refresh = random()
    refreshTokens.set(refresh, { subject, sid, used: false })
    const claims = { iss: issuer, aud: CLIENT.id, sub: subject, sid, nonce }
    secretLog.add({ refresh_token: refresh, sub: subject, sid })
    const access = fake.accessToken({ sub: subject })
    const digest = createHash('sha256').update(access).digest()
    const hash = fake.changes.hashed && { at_hash: digest.subarray(0, 16).toString('base64url') }
    const idToken = merged(claims, { iat: seconds(), exp: seconds() + 3600, ...hash }, fake.changes.idToken)
    const answer = merged(
      {
        access_token: access,
        token_type: 'Bearer',
        expires_in: ACCESS_SECONDS,
        refresh_token: refresh,
        id_token: fake.token(idToken, fake.changes.forgery),
        scope: 'openid ncp:read ncp:write'
      },
      fake.changes.tokens
    )
    secretLog.add(answer)
    return answer
  }

  function grant(form: URLSearchParams): Json | string {
    if (form.get('grant_type') === 'refresh_token') {
      const refreshToken = refreshTokens.get(form.get('refresh_token') ?? '')
      if (!refreshToken) return 'invalid_grant'
      if (refreshToken.used) {
        fake.count.reused += 1
        return 'invalid_grant'
      }
      refreshToken.used = true
      fake.count.refresh += 1
      return tokensFor(refreshToken.subject, refreshToken.sid, undefined)
    }
    const attempt = codes.get(form.get('code') ?? '')
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
    if (!attempt) return 'invalid_grant'
    if (!fake.changes.anyCode && attempt.challenge !== verifier.digest('base64url')) return 'invalid_grant'
    if (!fake.changes.anyCode) codes.delete(form.get('code') ?? '')
    fake.count.code += 1
    return tokensFor(attempt.subject, attempt.sid, attempt.nonce)
  }

  const normal: Record<Endpoint, Answer> = {
    discovery(_request, response) {
      const document = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        revocation_endpoint: `${issuer}/revoke`,
        end_session_endpoint: `${issuer}/end-session`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true
      }
      json(response, 200, merged(document, fake.changes.discovery))
    },
    /** Nobody has signed in: answers the silent sign-in of `--check`. Tests of sign-ins use `fake.authorize` instead. */
    authorize(request, response) {
      const parameters = new URL(request.url ?? '', url).searchParams
      const query = new URLSearchParams({ error: 'login_required', state: parameters.get('state') ?? '' })
      response.writeHead(302, { location: `${parameters.get('redirect_uri')}?${query}` }).end()
    },
    keys(_request, response) {
      const toJwk = ({ kid, publicKey }: SigningKey) => ({ ...publicKey.export({ format: 'jwk' }), kid })
      json(response, 200, { keys: fake.keys.map((key) => ({ ...toJwk(key), alg: 'RS256', use: 'sig' })) })
    },
    async token(_request, response, form) {
      const grantResult = grant(form)
      await fake.changes.granted
      if (typeof grantResult === 'string') json(response, 400, { error: grantResult })
      else json(response, 200, grantResult)
    },
    revoke: (_request, response) => json(response, 200, {}),
    api(request, response) {
      if (request.headers.authorization === undefined) return json(response, 401, {})
      const bearer = request.headers.authorization.replace(/^Bearer /, '')
      fake.calls.push({ method: request.method ?? '', url: request.url ?? '', bearer })
      const { sub } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString() || '{}')
      const unknownPerson = { id: sub, organizationId: null, fullName: 'Somebody', userType: 'INTERNAL' }
      json(response, 200, fake.people.get(sub) ?? { ...unknownPerson, roleAssignments: [] })
    }
  }

  fake.normal = normal

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = endpointOf(request.url ?? '')
    const form = new URLSearchParams(await bodyOf(request))
    secretLog.add(Object.fromEntries(form))
    if (endpoint === null) return json(response, 404, {})
    if (endpoint === 'keys' || endpoint === 'discovery') fake.count[endpoint] += 1
    if (endpoint !== 'api') fake.asked.push({ endpoint, form, authorization: request.headers.authorization })
    await (fake.changes.instead?.[endpoint] ?? fake.normal[endpoint])(request, response, form)
  }

  t.teardown(() => closeServer(server))
  return fake
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

function endpointOf(url: string): Endpoint | null {
  if (url.startsWith('/api/')) return 'api'
  if (url === '/op/.well-known/openid-configuration') return 'discovery'
  const [, name = ''] = /^\/op\/(authorize|keys|token|revoke)(?:\?|$)/.exec(url) ?? []
  return name === '' ? null : (name as Endpoint)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

export async function signInWith(
  fake: FakeAuthority,
  gatewayUrl: string,
  subject = 'u-1',
  sid = random()
): Promise<string> {
  const browser = new Browser(gatewayUrl)
  const loginAnswer = await browser.call('/auth/login')
  const query = fake.authorize(loginAnswer.headers.get('location') ?? '', subject, sid)
  const callbackAnswer = await browser.call(`/callback?${query}`)
  const location = callbackAnswer.headers.get('location')
  if (location !== '/') throw new Error(`the sign-in led to ${location}`)
  const cookie = (await sentCookies(browser.jar)).find((one) => /^(?:__Host-)?portal=/.test(one))
  if (cookie === undefined) throw new Error('the sign-in set no cookie')
  return cookie
}

export function callWith(
  cookie: string,
  url: string,
  path: string,
  init: RequestInit = {}
): Promise<Response> {
  const headers = { 'x-portal-csrf': '1', origin: url, cookie, ...(init.headers as Record<string, string>) }
  return fetch(url + path, { redirect: 'manual', ...init, headers })
}

export function expiringApi(): { api: Answer; expire: () => void; clock: () => number } {
  let aheadMs = 0
  const [usedTokens, expiredTokens] = [new Set<string>(), new Set<string>()]
  const api: Answer = (request, response) => {
    const bearer = request.headers.authorization ?? ''
    if (expiredTokens.has(bearer)) return json(response, 401, {})
    usedTokens.add(bearer)
    json(response, 200, { id: 'u-1', roleAssignments: [] })
  }
  return {
    api,
    expire() {
      for (const bearer of usedTokens) expiredTokens.add(bearer)
      // The gateway replaces only tokens that are at least 30 s old.
      aheadMs += 30_000
    },
    clock: () => Date.now() + aheadMs
  }
}
