// Writes sign-ins and sign-outs to the audit log.
import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import { auditSession } from '../api/audit.ts'
import type { UserRecord } from '../records/people.ts'
import type { State } from '../state.ts'

export function recordSignIn(state: State, ctx: Context, user: UserRecord): void {
  auditSession(state, user, 'LOGIN', originOf(ctx))
}

export function recordSignOuts(provider: Provider, state: State): void {
  provider.on('end_session.success', (ctx) => {
    const user = state.users.get(ctx.oidc.session?.accountId ?? '')
    if (user) auditSession(state, user, 'LOGOUT', originOf(ctx))
  })
}

// The browser's own address and name, as far as the request tells.
function originOf(ctx: Context) {
  return { ip: ctx.ip, userAgent: ctx.get('user-agent') || undefined, id: randomUUID() }
}
