// Makes the provider answer like other authorities that follow the standards.
import type { Context, Next } from 'koa'

export interface AuthorityHabits {
  /** The only accepted method of client authentication; default: both. */
  clientAuth?: 'basic' | 'post'
  clientKeys?: object[]
  refreshAnswers?: { idToken?: false; refreshToken?: false; scope?: false; expiresIn?: false }
  refusal?: { status?: number; error?: string; body?: 'empty' | 'html' }
  omit?: ('revocation_endpoint' | 'end_session_endpoint')[]
  audience?: string | string[]
  /** The token endpoint answers one request at a time, and takes this long for each. */
  tokenMs?: number
}

const DISCOVERY = '/.well-known/openid-configuration'
const CLIENT_AUTH_PATHS = ['/token', '/token/revocation']
const FIELDS = {
  idToken: 'id_token',
  refreshToken: 'refresh_token',
  scope: 'scope',
  expiresIn: 'expires_in'
} as const

type Answer = Record<string, unknown>

export function withHabits(habits: AuthorityHabits) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (refusesClient(habits, ctx)) {
      ctx.status = 401
      ctx.set('www-authenticate', 'Basic realm="sandbox"')
      ctx.body = { error: 'invalid_client', error_description: 'client authentication failed' }
      return
    }
    await next()
    if (ctx.path === DISCOVERY && ctx.status === 200) ctx.body = discovery(habits, ctx.body as Answer)
    if (ctx.path !== '/token' || grantType(ctx) !== 'refresh_token') return
    if (ctx.status === 200) ctx.body = refreshAnswer(habits, ctx.body as Answer)
    else if ((ctx.body as Answer)?.error === 'invalid_grant') refuse(habits, ctx)
  }
}

function refusesClient({ clientAuth }: AuthorityHabits, ctx: Context): boolean {
  if (clientAuth === undefined || !CLIENT_AUTH_PATHS.includes(ctx.path)) return false
  const isBasic = /^basic /i.test(ctx.get('authorization'))
  return (clientAuth === 'basic') !== isBasic
}

function discovery({ omit = [], clientAuth }: AuthorityHabits, body: Answer): Answer {
  const metadata = Object.fromEntries(
    Object.entries(body).filter(([name]) => !omit.some((omitted) => omitted === name))
  )
  if (clientAuth === undefined) return metadata
  return { ...metadata, token_endpoint_auth_methods_supported: [`client_secret_${clientAuth}`] }
}

function refreshAnswer({ refreshAnswers = {} }: AuthorityHabits, body: Answer): Answer {
  const fields = Object.keys(refreshAnswers).map((name) => FIELDS[name as keyof typeof FIELDS])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !fields.some((field) => field === name)))
}

function refuse({ refusal }: AuthorityHabits, ctx: Context): void {
  if (!refusal) return
  const { status = ctx.status, error, body } = refusal
  if (error !== undefined) ctx.body = { ...(ctx.body as Answer), error }
  if (body === 'empty') ctx.body = ''
  if (body === 'html') {
    ctx.type = 'html'
    ctx.body = '<!doctype html><title>Error</title><h1>Something went wrong</h1>'
  }
  ctx.status = status
}

// The provider has already read the form.
function grantType(ctx: Context): unknown {
  return (ctx as { oidc?: { params?: { grant_type?: unknown } } }).oidc?.params?.grant_type
}
