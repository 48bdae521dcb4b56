// The gateway's cookies: host-only, and on https out of reach of other hosts and of plain http (RFC 10017, section 6.1).
import type { CookieSerializeOptions } from '@fastify/cookie'

export interface CookieNames {
  session: string
  /** A sign-in attempt's cookie has this prefix and the attempt's own name after it. */
  attemptPrefix: string
}

export interface CookieRules {
  secure: boolean
  names: CookieNames
  session: CookieSerializeOptions & { sameSite: 'strict' }
  /** Lax: the authority sends the browser back from another site. */
  attempt: CookieSerializeOptions & { sameSite: 'lax' }
}

export function cookieRules(publicUrl: string): CookieRules {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  const shared = { path: '/', httpOnly: true, secure } as const
  return {
    secure,
    names: { session: `${prefix}portal`, attemptPrefix: `${prefix}portal-signin-` },
    session: { ...shared, sameSite: 'strict' },
    attempt: { ...shared, sameSite: 'lax' }
  }
}
