// The OIDC identity provider: signs the sample people in and issues tokens for the APIs.
import { generateKeyPair, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Client, errors, Provider } from 'oidc-provider'
import type { Trust } from '../api/bearer.ts'
import type { State } from '../state.ts'
import { type AuthorityHabits, withHabits } from './authority.ts'
import { countGrants, type Grants, noGrants } from './grants.ts'
import { createRecords } from './records.ts'
import { createSecretLog, logSecrets, type Secret } from './secret-log.ts'
import { AUDIENCE, CLIENT, providerSettings } from './settings.ts'
import { recordSignOuts, signInStep } from './sign-in.ts'

export interface Identity {
  issuer: string
  client: { id: string; secret: string }
  audience: string
  grants: Grants
  /** All secrets and personal data that the provider has issued or received. */
  secrets: () => Secret[]
  trust: Trust
  answer: RequestListener
  /** Ends the user's sessions at the provider and notifies the gateway; rejects if the gateway refuses. */
  backchannelLogout: (username: string) => Promise<void>
  /** Makes the APIs answer 401 to every access token issued so far, as if the token had expired. */
  refuseIssuedAccessTokens: () => void
}

export interface IdentityOptions {
  url: string
  gatewayUrl: string
  accessTokenSeconds: number
  habits?: AuthorityHabits
}

const generate = promisify(generateKeyPair)
let generatedKey: Promise<KeyPairKeyObjectResult> | undefined

/** All providers of a process share a key, because generating one takes long. */
function signingKey(): Promise<KeyPairKeyObjectResult> {
  generatedKey ??= generate('rsa', { modulusLength: 2048 })
  return generatedKey
}

/** Starts the provider at `${url}/oidc` for the users in the state. */
export async function createIdentity(state: State, options: IdentityOptions): Promise<Identity> {
  const { url, gatewayUrl, accessTokenSeconds, habits = {} } = options
  const issuer = `${url}/oidc`
  const issuerPath = new URL(issuer).pathname
  const records = createRecords()
  const { publicKey, privateKey } = await signingKey()
  const grants = noGrants()
  const secretLog = createSecretLog()
  const audience = habits.audience ?? AUDIENCE
  let generation = 1
  const settings = {
    issuerPath,
    gatewayUrl,
    accessTokenSeconds,
    state,
    records,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    audience,
    rotatesRefreshTokens: habits.refreshAnswers?.refreshToken !== false,
    clientKeys: habits.clientKeys,
    cookieKey: randomBytes(32).toString('base64url'),
    generation: () => generation
  }
  const provider = new Provider(issuer, providerSettings(settings))
  // Behind a TLS proxy, all addresses use https like the issuer.
  provider.proxy = issuer.startsWith('https:')
  logSecrets(provider, secretLog)
  provider.use(withHabits(habits))
  provider.use(signInStep(provider, state, issuerPath))
  provider.use(oneTokenRequestAtATime(habits.tokenMs))
  countGrants(provider, grants)
  recordSignOuts(provider, state)
  const client = await provider.Client.find(CLIENT.id)
  if (!client) throw new errors.InvalidClient('the portal client is missing')
  allowAnyLocalPort(client, gatewayUrl)
  const callback = provider.callback()

  return {
    issuer,
    client: CLIENT,
    audience: [audience].flat()[0] ?? AUDIENCE,
    grants,
    secrets: () => [
      ...secretLog.list(),
      { name: 'a client secret', value: CLIENT.secret },
      ...[...state.users.values()].flatMap(({ id, email }) => [
        { name: 'a subject', value: id },
        { name: 'an e-mail address', value: email }
      ])
    ],
    trust: {
      issuer,
      audience,
      key: publicKey,
      isRefused: (claims) => Number(claims.generation) < generation
    },
    answer: (request, response) => {
      // The provider compares url with originalUrl to find its mount path.
      Object.assign(request, { originalUrl: request.url })
      request.url = request.url?.slice(issuerPath.length) || '/'
      callback(request, response)
    },
    async backchannelLogout(username) {
      const user = [...state.users.values()].find((candidate) => candidate.username === username)
      if (!user) throw new Error(`there is no user "${username}"`)
      for (const { jti } of records.sessionsOf(user.id)) {
        const session = await provider.Session.find(String(jti))
        const sid = session?.sidFor(CLIENT.id)
        await session?.destroy()
        if (sid) await sendLogoutToken(client, user.id, sid)
      }
    },
    refuseIssuedAccessTokens: () => void generation++
  }
}

// Handles token requests one at a time, so that the second use of a refresh token is always recognized.
function oneTokenRequestAtATime(tokenMs = 0) {
  let lastTurn: Promise<unknown> = Promise.resolve()
  return async (ctx: { path: string }, next: () => Promise<void>): Promise<void> => {
    if (ctx.path !== '/token') return next()
    const turn = lastTurn.then(() => delay(tokenMs)).then(next)
    lastTurn = turn.catch(() => {})
    return turn
  }
}

// Gateways under test listen on any port of this machine, or have their own host name; the path is fixed.
function allowAnyLocalPort(client: Client, gatewayUrl: string): void {
  const allowedUrl = (text: string): URL | null => {
    const url = URL.parse(text)
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    const isGateway = url?.origin === URL.parse(gatewayUrl)?.origin
    return isWeb && (isGateway || ['localhost', '127.0.0.1'].includes(url.hostname)) ? url : null
  }
  client.redirectUriAllowed = (uri) => allowedUrl(uri)?.pathname === '/callback'
  client.postLogoutRedirectUriAllowed = (uri) => allowedUrl(uri) !== null
}

// Calls an undocumented method that has no types.
async function sendLogoutToken(client: object, userId: string, sid: string): Promise<void> {
  const { backchannelLogout } = client as { backchannelLogout: (sub: string, sid: string) => Promise<void> }
  await backchannelLogout.call(client, userId, sid)
}
