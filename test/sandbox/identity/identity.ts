// The OIDC identity provider: signs the sample people in and issues tokens for the APIs.
import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { errors, Provider } from 'oidc-provider'
import type { Trust } from '../api/bearer.ts'
import type { State } from '../state.ts'
import { type AuthorityHabits, withHabits } from './authority.ts'
import { type Confided, createConfidences, noteConfidences } from './confided.ts'
import { countGrants, type Grants, noGrants } from './grants.ts'
import { createSigningKeys } from './keys.ts'
import { createRecords } from './records.ts'
import { AUDIENCE, CLIENT, type IdentitySettings, providerSettings } from './settings.ts'
import { recordSignOuts, signInStep } from './sign-in.ts'

export interface Identity {
  issuer: string
  client: { id: string; secret: string }
  audience: string
  grants: Grants
  confided: () => Confided[]
  trust: Trust
  answer: RequestListener
  setGateway: (url: string) => Promise<void>
  /** Ends the user's sessions here and tells the gateway; rejects if that refuses. */
  backchannelLogout: (username: string) => Promise<void>
  /** Makes the APIs answer 401 to every access token issued so far, as if it had expired. */
  refuseIssuedAccessTokens: () => void
  rotateKeys: () => Promise<void>
}

export interface IdentityOptions {
  url: string
  gatewayUrl: string
  accessTokenSeconds: number
  habits?: AuthorityHabits
}

/** Starts the provider for `${url}/oidc` with the people of the state, also those added later. */
export async function createIdentity(state: State, options: IdentityOptions): Promise<Identity> {
  const { url, accessTokenSeconds, habits = {} } = options
  const issuer = `${url}/oidc`
  const issuerPath = new URL(issuer).pathname
  const records = createRecords()
  const keys = await createSigningKeys()
  const grants = noGrants()
  const confidences = createConfidences()
  const audience = habits.audience ?? AUDIENCE
  let generation = 1
  let { gatewayUrl } = options
  const settings: Omit<IdentitySettings, 'jwks'> = {
    issuerPath,
    gatewayUrl,
    accessTokenSeconds,
    state,
    records,
    audience,
    rotatesRefreshTokens: habits.refreshAnswers?.refreshToken !== false,
    clientKeys: habits.clientKeys,
    cookieKey: randomBytes(32).toString('base64url'),
    generation: () => generation
  }
  const oneAtATime = oneTokenRequestAtATime()

  // The provider reads its keys once, so new keys need a new provider over the same records and cookies.
  async function build() {
    const provider = new Provider(issuer, providerSettings({ ...settings, jwks: keys.all() }))
    // Behind a proxy that ends TLS, all its addresses are https like its issuer.
    provider.proxy = issuer.startsWith('https:')
    noteConfidences(provider, confidences)
    provider.use(withHabits(habits))
    provider.use(signInStep(provider, state, issuerPath))
    provider.use(oneAtATime)
    countGrants(provider, grants)
    recordSignOuts(provider, state)
    await allowAnyLocalPort(provider, () => gatewayUrl)
    await sendLogoutsTo(provider, gatewayUrl)
    return { provider, callback: provider.callback(), verify: verifierOf() }
  }
  const verifierOf = () => createLocalJWKSet(keys.published() as JSONWebKeySet)
  let current = await build()

  return {
    issuer,
    client: CLIENT,
    audience: [audience].flat()[0] ?? AUDIENCE,
    grants,
    confided: () => [
      ...confidences.list(),
      { name: 'a client secret', value: CLIENT.secret },
      ...[...state.users.values()].flatMap(({ id, email }) => [
        { name: 'a subject', value: id },
        { name: 'an e-mail address', value: email }
      ])
    ],
    trust: {
      issuer,
      audience,
      key: (header, token) => current.verify(header, token),
      isRefused: (claims) => Number(claims.generation) < generation
    },
    answer: (request, response) => {
      // The provider finds out where it is mounted by comparing the two.
      Object.assign(request, { originalUrl: request.url })
      request.url = request.url?.slice(issuerPath.length) || '/'
      current.callback(request, response)
    },
    async setGateway(gateway) {
      gatewayUrl = gateway
      await sendLogoutsTo(current.provider, gateway)
    },
    async backchannelLogout(username) {
      const user = [...state.users.values()].find((one) => one.username === username)
      if (!user) throw new Error(`there is no user "${username}"`)
      const { provider } = current
      const client = await provider.Client.find(CLIENT.id)
      for (const { jti } of records.sessionsOf(user.id)) {
        const session = await provider.Session.find(String(jti))
        const sid = session?.sidFor(CLIENT.id)
        await session?.destroy()
        if (client && sid) await sendLogoutToken(client, user.id, sid)
      }
    },
    refuseIssuedAccessTokens: () => void generation++,
    async rotateKeys() {
      await keys.rotate()
      current = await build()
    }
  }
}

// If a refresh token is used twice at the same time, only one use counts as the first.
function oneTokenRequestAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return async (ctx: { path: string }, next: () => Promise<void>): Promise<void> => {
    if (ctx.path !== '/token') return next()
    const turn = last.then(next)
    last = turn.catch(() => {})
    return turn
  }
}

// Gateways under test listen on any port of this machine, and one may have a name of its own; the path is fixed.
async function allowAnyLocalPort(provider: Provider, gateway: () => string): Promise<void> {
  const client = await provider.Client.find(CLIENT.id)
  if (!client) throw new errors.InvalidClient('the portal client is missing')
  const addressOf = (text: string): URL | null => {
    const url = URL.parse(text)
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    const isGateway = url?.origin === URL.parse(gateway())?.origin
    return isWeb && (isGateway || ['localhost', '127.0.0.1'].includes(url.hostname)) ? url : null
  }
  client.redirectUriAllowed = (uri) => addressOf(uri)?.pathname === '/callback'
  client.postLogoutRedirectUriAllowed = (uri) => addressOf(uri) !== null
}

async function sendLogoutsTo(provider: Provider, gateway: string): Promise<void> {
  const client = await provider.Client.find(CLIENT.id)
  if (client) Object.assign(client, { backchannelLogoutUri: `${gateway}/auth/backchannel-logout` })
}

// Not among the documented methods, and thus not typed.
async function sendLogoutToken(client: object, userId: string, sid: string): Promise<void> {
  const { backchannelLogout } = client as { backchannelLogout: (sub: string, sid: string) => Promise<void> }
  await backchannelLogout.call(client, userId, sid)
}
