// Configures the identity provider: clients, scopes, tokens, lifetimes, pages.
import type { Configuration, JWKS, KoaContextWithOIDC } from 'oidc-provider'
import { INTERNAL_SERVICE, PASSWORD } from '../sign-ins.ts'
import type { State } from '../state.ts'
import { escapeHtml, page, signedOutPage, signOutPage } from './page.ts'
import type { Records } from './records.ts'
import { SIGN_IN_PATH } from './sign-in.ts'

const DAY_SECONDS = 86_400
const API_SCOPES = 'ncp:read ncp:write'
const SCOPES = `openid profile email offline_access ${API_SCOPES}`

export const CLIENT = { id: 'portal', secret: 'sandbox-portal-client-secret-0123456789' }
export const AUDIENCE = 'urn:sandbox:api'

interface IdentitySettings {
  issuerPath: string
  gatewayUrl: string
  accessTokenSeconds: number
  state: State
  records: Records
  jwks: JWKS
  audience: string | string[]
  rotatesRefreshTokens: boolean
  clientKeys: object[] | undefined
  cookieKey: string
  /** A claim in every access token. The APIs refuse tokens of earlier generations. */
  generation: () => number
}

export function providerSettings(settings: IdentitySettings): Configuration {
  const { gatewayUrl, accessTokenSeconds, state, records, jwks, issuerPath, audience } = settings
  return {
    adapter: records.adapter,
    jwks,
    clients: [
      {
        client_id: CLIENT.id,
        ...clientAuthOf(settings.clientKeys),
        client_name: 'Portal',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://localhost:3000/callback'],
        post_logout_redirect_uris: ['http://localhost:3000/'],
        backchannel_logout_uri: `${gatewayUrl}/auth/backchannel-logout`,
        backchannel_logout_session_required: true
      },
      {
        client_id: INTERNAL_SERVICE,
        client_secret: PASSWORD,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: []
      }
    ],
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub', 'sid'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified']
    },
    conformIdTokenClaims: false,
    findAccount: async (_ctx, sub) => {
      const user = state.users.get(sub)
      if (user?.status !== 'ACTIVE') return undefined
      const { fullName: name, username: preferred_username, email } = user
      return {
        accountId: sub,
        claims: async () => ({ sub, name, preferred_username, email, email_verified: true })
      }
    },
    pkce: { required: () => true },
    rotateRefreshToken: settings.rotatesRefreshTokens,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // A sign-out does not invalidate refresh tokens; only a revocation does.
    expiresWithSession: async () => false,
    formats: {
      customizers: {
        jwt: (_ctx, _token, { payload }) => {
          Object.assign(payload, { aud: audience })
        }
      }
    },
    extraTokenClaims: () => ({ generation: settings.generation() }),
    loadExistingGrant: grantEverything,
    interactions: { url: (_ctx, interaction) => `${issuerPath}${SIGN_IN_PATH}${interaction.uid}` },
    cookies: {
      keys: [settings.cookieKey],
      // All ports of localhost share cookies, so special names and a path avoid conflicts.
      names: { session: 'sandbox_session', interaction: 'sandbox_sign_in', resume: 'sandbox_resume' },
      long: { signed: true, path: issuerPath, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' }
    },
    ttl: {
      AccessToken: () => accessTokenSeconds,
      AuthorizationCode: () => 60,
      ClientCredentials: () => accessTokenSeconds,
      Grant: () => 14 * DAY_SECONDS,
      IdToken: () => 3600,
      Interaction: () => 3600,
      RefreshToken: () => 14 * DAY_SECONDS,
      Session: () => DAY_SECONDS
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId
      },
      rpInitiatedLogout: { enabled: true, logoutSource: signOutPage, postLogoutSuccessSource: signedOutPage },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } }
        })
      }
    },
    clientBasedCORS: () => false,
    renderError: async (ctx, out) => {
      ctx.type = 'html'
      const lines = Object.entries(out).map(([key, value]) => `<p>${escapeHtml(`${key}: ${value}`)}</p>`)
      ctx.body = page('That did not work', lines.join(''))
    },
    // The provider's own dispatcher refuses back-channel logout to this machine.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as object)
  }
}

function clientAuthOf(keys: object[] | undefined) {
  if (keys === undefined) return { client_secret: CLIENT.secret }
  return { token_endpoint_auth_method: 'private_key_jwt' as const, jwks: { keys } }
}

// Grants every requested scope without a consent page.
async function grantEverything(ctx: KoaContextWithOIDC) {
  const { provider, client, session, params } = ctx.oidc
  if (!client || !session?.accountId) return undefined
  const grantId = session.grantIdFor(client.clientId)
  const storedGrant = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant = storedGrant ?? new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope(String(params?.scope ?? 'openid'))
  grant.addResourceScope(AUDIENCE, SCOPES)
  await grant.save()
  return grant
}
