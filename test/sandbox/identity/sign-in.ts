// Shows the sign-in form, skips consent, and records sign-ins and sign-outs in the audit log.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'
import type { InteractionResults, Provider } from 'oidc-provider'
import { auditSession } from '../api/audit.ts'
import type { UserRecord } from '../records/people.ts'
import { PASSWORD } from '../sign-ins.ts'
import type { State } from '../state.ts'
import { page, signInPage } from './page.ts'

const BODY_MAX_BYTES = 10_000

export const SIGN_IN_PATH = '/sign-in/'

export function signInStep(provider: Provider, state: State, issuerPath: string) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!ctx.path.startsWith(SIGN_IN_PATH)) return next()
    ctx.type = 'html'
    ctx.set('cache-control', 'no-store')
    const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch(() => undefined)
    if (!interaction) {
      ctx.status = 400
      ctx.body = page('This sign-in has expired', '<p>Go back to the application and start again.</p>')
      return
    }
    const action = `${issuerPath}${ctx.path}`
    const finish = async (result: InteractionResults): Promise<void> => {
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result))
      ctx.status = 303
    }
    if (interaction.prompt.name === 'consent') return finish({ consent: {} })
    if (ctx.method !== 'POST') {
      ctx.body = signInPage(action)
      return
    }
    const form = await readForm(ctx.req)
    const account = accountOf(state, form)
    if (account) {
      auditSession(state, account, 'LOGIN', originOf(ctx))
      return finish({ login: { accountId: account.id } })
    }
    ctx.status = 401
    ctx.body = signInPage(action, 'The user name or the password is wrong.')
  }
}

function accountOf(state: State, form: URLSearchParams): UserRecord | undefined {
  const person = form.get('person')
  if (person === null && form.get('password') !== PASSWORD) return undefined
  const username = (person ?? form.get('username') ?? '').trim().toLowerCase()
  const user = [...state.users.values()].find(
    (candidate) => candidate.username === username && candidate.id.startsWith('u-')
  )
  return user?.status === 'ACTIVE' ? user : undefined
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > BODY_MAX_BYTES) break
  }
  return new URLSearchParams(text)
}

export function recordSignOuts(provider: Provider, state: State): void {
  provider.on('end_session.success', (ctx) => {
    const user = state.users.get(ctx.oidc.session?.accountId ?? '')
    if (user) auditSession(state, user, 'LOGOUT', originOf(ctx))
  })
}

function originOf(ctx: Context) {
  return { ip: ctx.ip, userAgent: ctx.get('user-agent') || undefined, id: randomUUID() }
}
